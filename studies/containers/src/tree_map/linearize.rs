//! The tree as a graph, regardless of the places of its nodes in the vector.

use super::{Color, TreeMap};
use smallscope::sequences::{Linearize, Sink};

/// Nodes in preorder. The colour is data; links, also those to parents, are the shape.
impl<K: Linearize, V: Linearize> Linearize for TreeMap<K, V> {
    fn linearize_as(&self, _field: &str, sink: &mut Sink) {
        let mut numbers = Numbers { of_nodes: vec![0; self.nodes.len()], last: 0 };
        numbers.write(self, self.root, sink);
    }
}

/// The numbers of the nodes that were written; the others have none.
struct Numbers {
    of_nodes: Vec<usize>,
    last: usize,
}

impl Numbers {
    fn write<K: Linearize, V: Linearize>(&mut self, map: &TreeMap<K, V>, at: Option<usize>, sink: &mut Sink) {
        let Some(at) = at else { return sink.nothing() };
        let number = &mut self.of_nodes[at];
        if *number != 0 {
            // Not in a valid tree, but a comparison of states must show it.
            return sink.number(*number as u64);
        }
        self.last += 1;
        *number = self.last;
        sink.number(self.last as u64);
        let node = &map.nodes[at];
        node.key.linearize_as("key", sink);
        node.value.linearize_as("value", sink);
        sink.data("color", &(node.color == Color::Red));
        let parent = node.parent.map_or(0, |parent| match self.of_nodes[parent] {
            // Not in a valid tree either.
            0 => map.nodes.len() + 1 + parent,
            number => number,
        });
        sink.number(parent as u64);
        self.write(map, node.left, sink);
        self.write(map, node.right, sink);
    }
}
