use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(objects = 3)]
    next: Option<Box<Node>>,
}

fn main() {}
