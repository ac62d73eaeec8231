use smallscope::{Bounded, rep_ok};
use std::collections::BTreeMap;

#[derive(Bounded)]
struct Env {
    vars: BTreeMap<u8, u8>,
    depth: u8,
}

#[rep_ok]
impl Env {
    fn rep_ok(&self) -> bool {
        let empty = Env { vars: BTreeMap::new(), depth: 0 };
        empty.depth <= self.depth
    }
}

fn main() {}
