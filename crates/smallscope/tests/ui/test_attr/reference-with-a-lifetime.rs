#[smallscope::test(scope = 3)]
fn works(text: &'static String) {
    let _ = text;
}

fn main() {}
