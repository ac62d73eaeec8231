#[smallscope::test(scope = 3)]
fn works(#[bounded(range = 0..=3)] x: u8) {
    let _ = x;
}

fn main() {}
