use smallscope::Bounded;

#[derive(Bounded, Clone, PartialEq)]
#[bounded(objects = 3)]
enum Color {
    Red,
    Black,
}

fn main() {}
