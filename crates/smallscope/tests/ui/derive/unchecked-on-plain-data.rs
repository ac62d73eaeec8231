use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Counter {
    #[bounded(unchecked)]
    numbers: Vec<(u8, bool)>,
}

fn main() {}
