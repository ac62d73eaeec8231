use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(strategy = "random", length = 5)]
fn how_many() -> Builder {
    Context::builder()
}

fn main() {}
