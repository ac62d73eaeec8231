use smallscope::{Bounded, Bounds};
use smallscope_catalogue::digraph::{self, Digraph};
use std::collections::BTreeSet;

type Edges = BTreeSet<(usize, usize)>;

fn edges(graph: &Digraph<()>) -> Edges {
    graph.edges().map(|(from, to, ())| (from, to)).collect()
}

/// Whether a path leads from one vertex to the other, by the transitive closure.
fn is_reachable(edges: &Edges, vertices: usize, from: usize, to: usize) -> bool {
    let mut closure = edges.clone();
    for middle in 1..=vertices {
        for a in 1..=vertices {
            for b in 1..=vertices {
                if closure.contains(&(a, middle)) && closure.contains(&(middle, b)) {
                    closure.insert((a, b));
                }
            }
        }
    }
    from == to || closure.contains(&(from, to))
}

fn assert_is(graph: &Digraph<()>, expected: &Edges) {
    assert!(graph.rep_ok(), "the graph is broken: {graph:?}");
    assert!(graph.edges().map(|(from, to, ())| (from, to)).eq(expected.iter().copied()));
    assert_eq!(graph.edge_count(), expected.len());
    let vertices = graph.vertex_count();
    for from in 1..=vertices {
        let successors = expected.iter().filter(|edge| edge.0 == from).map(|edge| edge.1);
        assert!(graph.successors(from).eq(successors));
        for to in 1..=vertices {
            assert_eq!(graph.has_edge(from, to), expected.contains(&(from, to)));
            assert_eq!(graph.is_reachable(from, to), is_reachable(expected, vertices, from, to));
        }
    }
}

/// Graphs of three vertices with up to four edge objects, and numbers of vertices for the arguments.
fn graphs() -> Bounds {
    digraph::bounds(3).objects("Edge", 4).ints("from", 1..=3).ints("to", 1..=3)
}

#[smallscope::test(bounds = digraph::bounds(3).objects("Edge", 4))]
fn a_graph_is_its_edges(graph: Digraph<()>) {
    assert_eq!(graph.vertex_count(), 3);
    assert_is(&graph, &edges(&graph));
}

#[smallscope::test(bounds = graphs())]
fn add_edge_adds_one_edge(mut graph: Digraph<()>, from: usize, to: usize) {
    let mut expected = edges(&graph);
    assert_eq!(graph.add_edge(from, to, ()).is_none(), expected.insert((from, to)));
    assert_is(&graph, &expected);
}

#[smallscope::test(bounds = graphs())]
fn remove_edge_removes_one_edge(mut graph: Digraph<()>, from: usize, to: usize) {
    let mut expected = edges(&graph);
    assert_eq!(graph.remove_edge(from, to).is_some(), expected.remove(&(from, to)));
    assert_is(&graph, &expected);
}

#[smallscope::test(bounds = graphs())]
fn a_clone_does_not_see_changes(mut graph: Digraph<()>, from: usize, to: usize) {
    let clone = graph.clone();
    let before = edges(&graph);
    if graph.remove_edge(from, to).is_none() {
        graph.add_edge(from, to, ());
    }
    assert_ne!(edges(&graph), before);
    assert_is(&clone, &before);
}

#[test]
#[should_panic(expected = "there is no vertex 3")]
fn edges_lead_to_vertices_that_exist() {
    Digraph::new(2).add_edge(1, 3, ());
}

#[test]
#[should_panic(expected = "a graph has a vertex")]
fn there_is_no_graph_without_vertices() {
    Digraph::<()>::new(0);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    Add(#[bounded(range = 1..=2)] usize, #[bounded(range = 1..=3)] usize),
    Remove(#[bounded(range = 1..=2)] usize, #[bounded(range = 1..=3)] usize),
}

#[smallscope::test(scope = 3)]
fn steps_from_the_graph_without_edges(steps: Vec<Step>) {
    let mut graph = Digraph::new(3);
    let mut expected = Edges::new();
    for step in steps {
        match step {
            Step::Add(from, to) => {
                assert_eq!(graph.add_edge(from, to, ()).is_none(), expected.insert((from, to)));
            }
            Step::Remove(from, to) => {
                assert_eq!(graph.remove_edge(from, to).is_some(), expected.remove(&(from, to)));
            }
        }
        assert_is(&graph, &expected);
    }
}
