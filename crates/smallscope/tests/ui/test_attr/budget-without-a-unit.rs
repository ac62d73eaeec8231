#[smallscope::test(scope = 3, budget = "10")]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
