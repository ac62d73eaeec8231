#[smallscope::test(scope = 3)]
async fn works(x: u8) {
    let _ = x;
}

fn main() {}
