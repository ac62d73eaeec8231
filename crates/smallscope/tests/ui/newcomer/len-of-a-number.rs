use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(len(3))]
    x: Vec<u8>,
}

fn main() {}
