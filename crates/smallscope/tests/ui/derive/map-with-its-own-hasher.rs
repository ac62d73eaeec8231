use smallscope::Bounded;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::hash::DefaultHasher;

#[derive(Bounded)]
struct Index {
    map: HashMap<u8, u8, BuildHasherDefault<DefaultHasher>>,
}

fn main() {}
