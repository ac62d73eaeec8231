use smallscope::Bounded;

use std::collections::BTreeMap;

#[derive(Bounded)]
struct Index {
    map: BTreeMap<Node, u8>,
}

#[derive(Bounded, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    key: u8,
}

fn main() {}
