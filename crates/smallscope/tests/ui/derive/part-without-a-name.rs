use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Store {
    #[bounded(part = "")]
    items: Option<Box<u8>>,
}

fn main() {}
