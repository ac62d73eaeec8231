use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(strategy = "be", length = 5, abstraction = "shape")]
fn no_states() -> Builder {
    Context::builder()
}

fn main() {}
