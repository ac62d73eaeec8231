use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct List {
    items: Vec<u8>,
    size: usize,
}

#[rep_ok(statements)]
impl List {
    fn rep_ok(&self) -> bool {
        let mut count = 0;
        for _ in &self.items {
            count += 1;
        }
        count == self.size
    }
}

fn main() {}
