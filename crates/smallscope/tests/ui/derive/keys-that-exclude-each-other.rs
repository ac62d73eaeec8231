use smallscope::Bounded;

#[derive(Bounded)]
struct Node {
    #[bounded(values = ["a", "b"], len = 0..=3)]
    name: String,
}

fn main() {}
