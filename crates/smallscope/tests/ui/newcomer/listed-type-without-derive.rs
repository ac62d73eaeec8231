use smallscope::{Bounded, rep_ok};

use shapes::Point;

mod shapes {
    pub struct Point {
        pub x: u8,
    }
}

#[derive(Bounded)]
struct Seg {
    a: u8,
}

#[rep_ok(shapes::Point)]
impl Seg {
    fn rep_ok(&self) -> bool {
        let p = Point { x: self.a };
        p.x < 3
    }
}

fn main() {}
