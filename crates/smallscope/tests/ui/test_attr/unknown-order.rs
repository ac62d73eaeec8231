#[smallscope::test(scope = 3, order = "random")]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
