//! A graph whose nodes are removed.

use petgraph::graphmap::DiGraphMap;
use smallscope::sequences::{Builder, Context, Pool};
use std::collections::BTreeSet;

pub struct Both {
    graph: DiGraphMap<u8, ()>,
    nodes: BTreeSet<u8>,
    edges: BTreeSet<(u8, u8)>,
}

#[smallscope::api(into_empty, pool(a = 0..4, b = 0..4))]
impl Both {
    #[api(shown = "DiGraphMap::new()")]
    pub fn new() -> Self {
        Both { graph: DiGraphMap::new(), nodes: BTreeSet::new(), edges: BTreeSet::new() }
    }

    #[api(shown = "{self}.add_edge({a}, {b}, ())")]
    pub fn add_edge(&mut self, a: u8, b: u8) {
        self.graph.add_edge(a, b, ());
        self.nodes.extend([a, b]);
        self.edges.insert((a, b));
        self.compare();
    }

    #[api(shown = "{self}.remove_node({a})")]
    pub fn remove_node(&mut self, a: u8) {
        assert_eq!(self.graph.remove_node(a), self.nodes.remove(&a));
        self.edges.retain(|(from, to)| *from != a && *to != a);
        self.compare();
    }
}

impl Both {
    fn compare(&self) {
        assert_eq!(self.graph.nodes().collect::<BTreeSet<u8>>(), self.nodes);
        let edges: BTreeSet<(u8, u8)> = self.graph.all_edges().map(|(a, b, _)| (a, b)).collect();
        assert_eq!(edges, self.edges);
    }
}

#[smallscope::sequences(strategy = "bobw", length = 20, budget = "10s")]
fn with_smallscope() -> Builder {
    Context::builder().pool(Pool::<Both>::empty(1).named("graph")).api::<Both>()
}

compared_calls!(Both: 2 calls of 4 and 4, |both: &mut Both, (call, a, b): Call| match call {
    0 => both.add_edge(a, b),
    _ => both.remove_node(a),
});
