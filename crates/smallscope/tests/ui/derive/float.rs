use smallscope::Bounded;

#[derive(Bounded)]
struct Point {
    x: f64,
    y: Option<Box<f32>>,
}

fn main() {}
