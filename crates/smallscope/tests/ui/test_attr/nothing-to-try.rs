#[smallscope::test(scope = 3)]
fn works() {}

fn main() {}
