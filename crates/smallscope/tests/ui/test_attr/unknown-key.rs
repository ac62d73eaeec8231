#[smallscope::test(scpoe = 4)]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
