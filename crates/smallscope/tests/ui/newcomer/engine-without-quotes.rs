#[derive(smallscope::Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[smallscope::test(scope = 2, engine = korat)]
fn works(pair: Pair) {
    assert!(pair.a <= pair.b);
}

fn main() {}
