#[smallscope::test(scope = 1)]
struct Works;

fn main() {}
