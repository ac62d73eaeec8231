use smallscope::{Bounded, eq_class};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[eq_class]
impl Pair {
    fn eq_class(&self) -> bool {
        self.a < self.b
    }
}

#[eq_class(name = other)]
impl Pair {
    fn other(&self) -> u8 {
        self.a
    }
}

fn main() {}
