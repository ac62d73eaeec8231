use smallscope_sequences::Linearize;

#[derive(Linearize)]
#[linearize(crate = smallscope_sequences)]
pub union Either {
    a: u8,
    b: i8,
}

fn main() {}
