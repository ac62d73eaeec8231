use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Point {
    x: f64,
    y: u8,
}

#[rep_ok]
impl Point {
    fn rep_ok(&self) -> bool {
        self.x >= 0.0 && Self::is_small(self.y) && matches!(self, Point { y: 0..=2, .. })
    }

    fn is_small(y: u8) -> bool {
        y < 3
    }
}

#[smallscope::test(scope = 3)]
fn is_right(point: Point) {
    assert!(point.x > 0.0);
}

fn main() {}
