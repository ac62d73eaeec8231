use smallscope::Bounded;

#[derive(Bounded)]
struct Person {
    #[bounded(range = 0..=9)]
    name: String,
}

fn main() {}
