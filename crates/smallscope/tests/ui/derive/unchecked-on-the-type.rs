use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(unchecked)]
struct Counter {
    number: u8,
}

fn main() {}
