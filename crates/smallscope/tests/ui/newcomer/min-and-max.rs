use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(min = 0, max = 9)]
    x: u8,
}

fn main() {}
