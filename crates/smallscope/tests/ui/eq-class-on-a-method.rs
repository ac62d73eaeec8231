use smallscope::{Bounded, eq_class};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

impl Pair {
    #[eq_class]
    fn eq_class(&self) -> bool {
        self.a < self.b
    }
}

fn main() {}
