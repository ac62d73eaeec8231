use smallscope::Bounded;

#[derive(Bounded)]
struct List {
    items: Vec<u8>,
    #[bounded(derived = length)]
    len: usize,
}

fn length(list: &List) -> usize {
    list.items.len()
}

fn main() {}
