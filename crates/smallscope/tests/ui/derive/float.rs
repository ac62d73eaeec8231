use smallscope::Bounded;

#[derive(Bounded)]
struct Point {
    x: f64,
    y: u8,
}

fn main() {}
