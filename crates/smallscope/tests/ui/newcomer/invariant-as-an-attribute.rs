use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(invariant = "x < 3")]
struct P {
    
    x: u8,
}

fn main() {}
