use smallscope::sequences::Linearize;

#[derive(Linearize)]
struct Node {
    next: Option<std::ptr::NonNull<Node>>,
}

fn main() {}
