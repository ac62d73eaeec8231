use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(view(above))]
    key: u8,
}

fn main() {}
