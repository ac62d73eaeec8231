use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct List<T> {
    items: Vec<T>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Item {
    key: u8,
}

fn main() {
    let _ = smallscope::all::<List<Item>>(3);
}
