use smallscope::Bounded;

#[derive(Bounded)]
struct P {
    #[bounded(alphabet = ['a', 'b'])]
    x: String,
}

fn main() {}
