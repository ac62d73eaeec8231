use smallscope::Bounded;

#[derive(Bounded)]
#[bounded(no_invariant)]
#[repr(packed)]
struct Header {
    kind: u8,
    size: u32,
}

fn main() {}
