use smallscope::Bounded;

struct Opaque;

#[derive(Bounded)]
struct Node {
    #[bounded(values = [Opaque])]
    key: Opaque,
}

fn main() {}
