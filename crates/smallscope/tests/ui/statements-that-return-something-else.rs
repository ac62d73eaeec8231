use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct List {
    items: Vec<u8>,
    size: usize,
}

#[rep_ok(statements)]
impl List {
    fn rep_ok(&self) -> bool {
        for item in &self.items {
            if *item == 0 {
                return self.size == 0;
            }
        }
        if self.items.len() != self.size {
            return false;
        }
        true
    }
}

fn main() {}
