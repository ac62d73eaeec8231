use smallscope::{Bounded, rep_ok};

macro_rules! ensure {
    ($condition:expr) => {
        if !$condition {
            return true;
        }
    };
}

#[derive(Bounded)]
struct List {
    items: Vec<u8>,
    size: usize,
}

#[rep_ok(statements)]
impl List {
    fn rep_ok(&self) -> bool {
        ensure!(self.items.is_empty());
        if self.items.len() != self.size {
            return false;
        }
        true
    }
}

fn main() {}
