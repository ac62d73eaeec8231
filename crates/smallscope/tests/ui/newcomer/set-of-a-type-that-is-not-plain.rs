use smallscope::{Bounded};

use std::collections::BTreeSet;

#[derive(Bounded, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[bounded(no_invariant)]
struct Edge {
    from: u8,
    to: u8,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Graph {
    edges: BTreeSet<Edge>,
}

fn main() {}
