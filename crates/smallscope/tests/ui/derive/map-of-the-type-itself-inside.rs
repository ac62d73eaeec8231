use smallscope::Bounded;
use std::collections::HashMap;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Folder {
    inner: Option<HashMap<u8, (bool, Vec<Option<Self>>)>>,
}

fn main() {}
