use smallscope::{Bounded, eq_class};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[eq_class]
impl Pair {
    fn eq_class(&self) -> smallscope::classes::ClassSet {
        smallscope::classes![self.a < self.b, self.a == 0]
    }
}

fn main() {}
