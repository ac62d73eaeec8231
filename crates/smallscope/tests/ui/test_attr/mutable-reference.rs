#[smallscope::test(scope = 3)]
fn works(text: &mut String) {
    let _ = text;
}

fn main() {}
