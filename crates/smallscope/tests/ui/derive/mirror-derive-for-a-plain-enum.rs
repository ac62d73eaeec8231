use smallscope::Bounded;

#[derive(Bounded, Clone, PartialEq)]
#[bounded(derive(Debug))]
enum Color {
    Red,
    Black,
}

fn main() {}
