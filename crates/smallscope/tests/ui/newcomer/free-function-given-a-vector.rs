use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Clone)]
struct Bytes {
    bytes: Vec<u8>,
}

mod helpers {
    pub fn is_short(bytes: &Vec<u8>) -> bool {
        bytes.len() < 3
    }
}

#[rep_ok]
impl Bytes {
    fn rep_ok(&self) -> bool {
        helpers::is_short(&self.bytes)
    }
}

fn main() {}
