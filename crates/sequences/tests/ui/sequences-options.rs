use smallscope::sequences::{Builder, Context};

#[smallscope::sequences(lenght = 5)]
fn unknown() -> Builder {
    Context::builder()
}

#[smallscope::sequences(strategy = "bfs", length = 5)]
fn another_strategy() -> Builder {
    Context::builder()
}

#[smallscope::sequences(strategy = "random", length = 5)]
fn how_many() -> Builder {
    Context::builder()
}

#[smallscope::sequences]
fn how_far() -> Builder {
    Context::builder()
}

#[smallscope::sequences(length = "five")]
fn no_number() -> Builder {
    Context::builder()
}

#[smallscope::sequences(strategy = "be", length = 5, abstraction = "shape")]
fn no_states() -> Builder {
    Context::builder()
}

#[smallscope::sequences(length = 5, cover = "lines")]
fn no_coverage() -> Builder {
    Context::builder()
}

fn main() {}
