#[smallscope::test(scope = 3)]
fn works(key: impl Ord) {
    let _ = key;
}

fn main() {}
