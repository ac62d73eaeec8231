use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(len = 0..=3)]
struct P {
    
    x: u8,
}

fn main() {}
