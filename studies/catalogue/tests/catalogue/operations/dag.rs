use smallscope::Bounds;
use smallscope_catalogue::dag::{Dag, bounds};

/// All edges, as pairs.
fn edges(dag: &Dag) -> Vec<(usize, usize)> {
    let from = |node: usize| dag.successors(node).iter().map(move |&next| (node, next));
    let mut edges: Vec<_> = (0..dag.len()).flat_map(from).collect();
    edges.sort_unstable();
    edges
}

/// Whether edges lead from one node to another, by iteration to a fixed point.
fn is_reachable(edges: &[(usize, usize)], from: usize, to: usize) -> bool {
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(&node) = reached.get(next) {
        next += 1;
        let new = edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1);
        reached.extend(new.filter(|to| !reached.contains(to)).collect::<Vec<_>>());
    }
    reached.contains(&to)
}

fn with_two_nodes_chosen(nodes: i64) -> Bounds {
    bounds(nodes).ints("from", 0..=nodes - 1).ints("to", 0..=nodes - 1)
}

#[smallscope::test(bounds = with_two_nodes_chosen(4))]
fn reaches(dag: Dag, from: usize, to: usize) {
    assert_eq!(dag.reaches(from, to), is_reachable(&edges(&dag), from, to));
}

#[smallscope::test(bounds = with_two_nodes_chosen(4))]
fn add_edge(mut dag: Dag, from: usize, to: usize) {
    let mut expected = edges(&dag);
    let fits = !expected.contains(&(from, to)) && !is_reachable(&expected, to, from);
    if fits {
        expected.push((from, to));
        expected.sort_unstable();
    }
    assert_eq!(dag.add_edge(from, to), fits);
    assert!(dag.rep_ok());
    assert_eq!(edges(&dag), expected);
}

#[smallscope::test(bounds = bounds(5))]
fn topological_order(dag: Dag) {
    let order = dag.topological_order();
    let place = |node| order.iter().position(|&other| other == node).expect("every node is there");
    assert_eq!(order.len(), dag.len());
    for (from, to) in edges(&dag) {
        assert!(place(from) < place(to));
    }
}
