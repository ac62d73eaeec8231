use smallscope::Bounded;

#[derive(Bounded)]
struct Button {
    action: fn(u8) -> u8,
}

fn main() {}
