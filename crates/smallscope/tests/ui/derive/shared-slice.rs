use smallscope::Bounded;

use std::rc::Rc;

#[derive(Bounded)]
struct Text {
    bytes: Rc<[u8]>,
}

fn main() {}
