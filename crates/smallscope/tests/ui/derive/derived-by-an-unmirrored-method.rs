use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct List {
    items: Vec<u8>,
    #[bounded(derived = Self::length)]
    len: usize,
}

impl List {
    fn length(&self) -> usize {
        self.items.len()
    }
}

fn main() {}
