#[smallscope::test(objects = 3)]
fn works(x: u8) {
    let _ = x;
}

fn main() {}
