#[smallscope::test(scope = 3)]
fn works(text: &String) {
    let _ = text;
}

fn main() {}
