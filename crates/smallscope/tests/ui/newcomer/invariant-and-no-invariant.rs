use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.a < self.b
    }
}

fn main() {}
