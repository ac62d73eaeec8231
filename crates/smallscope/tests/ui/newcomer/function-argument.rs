#[derive(smallscope::Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[smallscope::test(scope = 2)]
fn works(f: fn(u8) -> u8) {
    assert!(f(1) == 1);
}

fn main() {}
