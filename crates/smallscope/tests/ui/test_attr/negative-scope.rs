#[smallscope::test(scope = -1)]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
