#[smallscope::test(scope = 1, scope = 2)]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
