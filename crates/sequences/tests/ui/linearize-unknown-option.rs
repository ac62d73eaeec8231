use smallscope_sequences::Linearize;

#[derive(Linearize)]
#[linearize(crate = smallscope_sequences)]
pub struct Thing {
    #[linearize(leave_out)]
    a: u8,
}

fn main() {}
