use smallscope::{Bounded, Bounds};
use smallscope_catalogue::weighted_digraph::{self, WeightedDigraph};
use std::collections::BTreeMap;

type Edges = BTreeMap<(usize, usize), i32>;

fn edges(graph: &WeightedDigraph) -> Edges {
    graph.edges().map(|(from, to, weight)| ((from, to), *weight)).collect()
}

fn assert_is(graph: &WeightedDigraph, expected: &Edges) {
    assert!(graph.rep_ok(), "the graph is broken: {graph:?}");
    assert_eq!(edges(graph), *expected);
    assert_eq!(graph.edge_count(), expected.len());
    for from in 1..=graph.vertex_count() {
        for to in 1..=graph.vertex_count() {
            assert_eq!(graph.weight(from, to), expected.get(&(from, to)));
        }
    }
}

/// The paper's graphs of two vertices, with up to four edge objects, and numbers of vertices for the arguments.
fn graphs() -> Bounds {
    weighted_digraph::bounds(2, -1, 1).ints("from", 1..=2).ints("to", 1..=2)
}

#[smallscope::test(bounds = graphs().ints("weight", [0, 2]))]
fn add_edge_replaces_the_weight(mut graph: WeightedDigraph, from: usize, to: usize, weight: i32) {
    let mut expected = edges(&graph);
    assert_eq!(graph.add_edge(from, to, weight), expected.insert((from, to), weight));
    assert_is(&graph, &expected);
}

#[smallscope::test(bounds = graphs())]
fn remove_edge_returns_the_weight(mut graph: WeightedDigraph, from: usize, to: usize) {
    let mut expected = edges(&graph);
    assert_eq!(graph.remove_edge(from, to), expected.remove(&(from, to)));
    assert_is(&graph, &expected);
}

#[smallscope::test(bounds = graphs())]
fn a_clone_does_not_see_a_new_weight(mut graph: WeightedDigraph, from: usize, to: usize) {
    let clone = graph.clone();
    let before = edges(&graph);
    graph.add_edge(from, to, 2);
    assert_is(&clone, &before);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    Add(#[bounded(range = 1..=2)] usize, #[bounded(range = 1..=2)] usize, #[bounded(range = -1..=0)] i32),
    Remove(#[bounded(range = 1..=2)] usize, #[bounded(range = 1..=2)] usize),
}

#[smallscope::test(scope = 3)]
fn steps_from_the_graph_without_edges(steps: Vec<Step>) {
    let mut graph = WeightedDigraph::new(2);
    let mut expected = Edges::new();
    for step in steps {
        match step {
            Step::Add(from, to, weight) => {
                assert_eq!(graph.add_edge(from, to, weight), expected.insert((from, to), weight));
            }
            Step::Remove(from, to) => {
                assert_eq!(graph.remove_edge(from, to), expected.remove(&(from, to)));
            }
        }
        assert_is(&graph, &expected);
    }
}
