use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    child: Option<(u8, Box<Node>)>,
}

fn main() {}
