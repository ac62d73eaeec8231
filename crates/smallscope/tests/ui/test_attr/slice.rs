#[smallscope::test(scope = 3)]
fn works(text: &[u8]) {
    let _ = text;
}

fn main() {}
