use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Arena {
    nodes: Vec<Node>,
    #[bounded(index = "nodes")]
    first: String,
}

#[derive(Bounded)]
struct Node {
    key: u8,
}

fn main() {}
