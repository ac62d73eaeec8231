use smallscope::sequences::{Builder, Context};

#[smallscope::sequences]
fn how_far() -> Builder {
    Context::builder()
}

fn main() {}
