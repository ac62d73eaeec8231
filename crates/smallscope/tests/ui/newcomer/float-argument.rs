#[derive(smallscope::Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[smallscope::test(scope = 2)]
fn works(x: f64) {
    assert!(x < 9.0);
}

fn main() {}
