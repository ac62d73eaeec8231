use smallscope::Bounded;

#[derive(Bounded)]
struct Person {
    #[bounded(alphabet = 'a'..='c')]
    name: String,
}

fn main() {}
