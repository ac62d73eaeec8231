use smallscope::sequences::Builder;

#[smallscope::sequences(length = 5)]
fn takes_something(x: u8) -> Builder {
    todo!("{x}")
}

fn main() {}
