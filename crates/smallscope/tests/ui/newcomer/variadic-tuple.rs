#[derive(smallscope::Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[smallscope::test(scope = 2)]
fn works(pair: (Pair, f32)) {
    assert!(pair.0.a < 2);
}

fn main() {}
