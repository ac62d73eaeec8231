use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded]
    x: u8,
}

fn main() {}
