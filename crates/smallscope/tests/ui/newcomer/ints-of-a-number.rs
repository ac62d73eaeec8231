use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Debug)]
struct Point {
    x: u8,
}

#[rep_ok]
impl Point {
    fn rep_ok(&self) -> bool {
        self.x < 200
    }
}

#[smallscope::test(scope = 2, ints(Point.x = 300))]
fn works(point: Point) {
    let _ = point;
}

fn main() {}
