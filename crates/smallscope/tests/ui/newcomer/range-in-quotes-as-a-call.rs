use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(range("0..=9"))]
    x: u8,
}

fn main() {}
