use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Pair<K> {
    a: K,
    b: u8,
}

#[rep_ok]
impl<K: Ord> Pair<K> {
    fn rep_ok(&self) -> bool {
        self.b < 3
    }
}

#[rep_ok(name = is_small)]
impl<K: Ord> Pair<K> {
    fn is_small(&self) -> bool {
        self.b < 2
    }
}

fn main() {}
