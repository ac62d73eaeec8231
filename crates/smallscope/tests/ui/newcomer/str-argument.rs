#[derive(smallscope::Bounded)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

#[smallscope::test(scope = 2)]
fn works(text: &str) {
    assert!(text.len() < 9);
}

fn main() {}
