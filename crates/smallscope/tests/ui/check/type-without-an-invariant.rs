use smallscope::Bounded;

#[derive(Bounded)]
struct Tree {
    size: usize,
}

fn main() {
    smallscope::check(3, |tree: Tree| assert!(tree.size < 9));
}
