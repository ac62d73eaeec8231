use smallscope::Bounded;

#[derive(Bounded)]
enum Color {
    Red,
    Black,
}

fn main() {}
