use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(max_len = 3)]
    x: Vec<u8>,
}

fn main() {}
