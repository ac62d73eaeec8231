use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(values = 3)]
    x: u8,
}

fn main() {}
