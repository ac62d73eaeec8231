#[smallscope::test(audit, max = 10)]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
