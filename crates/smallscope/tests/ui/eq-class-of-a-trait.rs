use smallscope::{Bounded, eq_class};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

trait Sorted {
    fn eq_class(&self) -> bool;
}

#[eq_class]
impl Sorted for Pair {
    fn eq_class(&self) -> bool {
        self.a < self.b
    }
}

fn main() {}
