#[smallscope::test(scope = 3)]
fn works<T>(x: Option<T>) {
    let _ = x;
}

fn main() {}
