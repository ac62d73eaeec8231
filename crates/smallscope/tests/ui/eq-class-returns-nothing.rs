use smallscope::{Bounded, eq_class};

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[eq_class]
impl Pair {
    fn eq_class(&self) {
        let _ = self.a;
    }
}

fn main() {}
