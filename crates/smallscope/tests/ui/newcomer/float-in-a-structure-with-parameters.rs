use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Weighted<T> {
    item: T,
    weight: f32,
}

#[rep_ok]
impl<T: Ord> Weighted<T> {
    fn rep_ok(&self) -> bool {
        self.weight > 0.0
    }
}

#[smallscope::test(scope = 2)]
fn weights_are_positive(weighted: Weighted<u8>) {
    assert!(weighted.weight > 0.0);
}

fn main() {}
