use smallscope_sequences::Linearize;

#[derive(Linearize)]
#[linearize(crate = smallscope_sequences)]
pub union Either {
    a: u8,
    b: i8,
}

#[derive(Linearize)]
#[linearize(crate = smallscope_sequences)]
pub struct Thing {
    #[linearize(leave_out)]
    a: u8,
}

fn main() {}
