use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(length = 5, cover = "lines")]
fn no_coverage() -> Builder {
    Context::builder()
}

fn main() {}
