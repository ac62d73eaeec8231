use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(view(left, color, right))]
    key: u8,
}

fn main() {}
