#[smallscope::test(scope = 1)]
fn works(_a: bool, _b: bool, _c: bool, _d: bool, _e: bool, _f: bool, _g: bool) {}

fn main() {}
