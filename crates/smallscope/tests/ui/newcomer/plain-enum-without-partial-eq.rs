use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
enum Color {
    Red,
    Black,
}

#[derive(Bounded)]
struct Node {
    color: Color,
    left: Option<Box<Node>>,
}

#[rep_ok]
impl Node {
    fn rep_ok(&self) -> bool {
        matches!(self.color, Color::Red) || self.left.is_none()
    }
}

fn main() {}
