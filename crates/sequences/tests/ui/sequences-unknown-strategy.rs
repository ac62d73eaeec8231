use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(strategy = "bfs", length = 5)]
fn another_strategy() -> Builder {
    Context::builder()
}

fn main() {}
