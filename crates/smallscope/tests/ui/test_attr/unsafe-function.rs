#[smallscope::test(scope = 3)]
unsafe fn works(x: u8) {
    let _ = x;
}

fn main() {}
