use smallscope::Bounded;

use std::sync::Mutex;

#[derive(Bounded)]
struct Counter {
    count: Mutex<u64>,
}

fn main() {}
