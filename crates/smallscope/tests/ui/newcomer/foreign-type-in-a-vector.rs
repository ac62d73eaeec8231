use smallscope::{Bounded, rep_ok};

struct Point(f32, f32);

#[derive(Bounded)]
struct Path {
    points: Vec<Point>,
}

#[rep_ok]
impl Path {
    fn rep_ok(&self) -> bool {
        self.points.iter().all(|p| p.0 > 0.0) && !self.points.is_empty()
    }
}

fn main() {}
