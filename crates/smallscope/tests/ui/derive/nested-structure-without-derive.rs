use smallscope::Bounded;

#[derive(Bounded)]
struct Line {
    color: u8,
    from: Point,
}

struct Point {
    x: u8,
}

fn main() {}
