#[smallscope::test]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
