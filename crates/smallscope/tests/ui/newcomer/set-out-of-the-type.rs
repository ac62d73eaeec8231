use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(set = [1, 300])]
    x: u8,
}

fn main() {}
