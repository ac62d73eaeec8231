#[smallscope::test(scope = 1, bounds = smallscope::Bounds::scope(3))]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
