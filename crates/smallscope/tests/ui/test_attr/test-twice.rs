#[smallscope::test(scope = 1)]
#[test]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
