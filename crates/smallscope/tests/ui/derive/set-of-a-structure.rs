use smallscope::Bounded;

use std::collections::HashSet;

#[derive(Bounded)]
struct Graph {
    vertices: HashSet<Vertex>,
}

#[derive(Bounded, Clone, PartialEq, Eq, Hash)]
struct Vertex {
    key: u8,
}

fn main() {}
