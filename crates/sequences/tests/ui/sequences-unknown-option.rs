use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(lenght = 5)]
fn unknown() -> Builder {
    Context::builder()
}

fn main() {}
