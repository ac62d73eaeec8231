use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(length = "five")]
fn no_number() -> Builder {
    Context::builder()
}

fn main() {}
