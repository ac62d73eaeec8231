#[smallscope::test(scope = 3, engine = "fast")]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
