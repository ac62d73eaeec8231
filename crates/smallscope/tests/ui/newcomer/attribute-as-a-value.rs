use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded = "range"]
    x: u8,
}

fn main() {}
