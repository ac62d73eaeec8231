use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Clone)]
struct Graph {
    nodes: Vec<Node>,
}

#[derive(Bounded, Clone)]
struct Node {
    degree: u8,
}

fn all_small(nodes: &[Node]) -> bool {
    nodes.iter().all(|n| n.degree < 3)
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        all_small(&self.nodes)
    }
}

fn main() {}
