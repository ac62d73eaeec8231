use smallscope::Bounded;

#[derive(Bounded)]
struct Person {
    name: &'static str,
}

fn main() {}
