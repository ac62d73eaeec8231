#[smallscope::sequences(length = 5)]
fn nothing() {}

fn main() {}
