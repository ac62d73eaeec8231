use smallscope::Bounded;
use std::collections::{BTreeMap, HashMap};

#[derive(Bounded)]
#[bounded(no_invariant)]
enum Json {
    Null,
    Array(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

// A pool bounds the values of these.
#[derive(Bounded)]
#[bounded(no_invariant)]
enum Term {
    Var(u8),
    Record(BTreeMap<String, Box<Term>>),
    Cases(HashMap<u8, Vec<Term>>),
}

fn main() {}
