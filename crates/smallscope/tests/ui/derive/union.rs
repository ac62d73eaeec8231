use smallscope::Bounded;

#[derive(Bounded)]
union Bits {
    a: u32,
    b: i32,
}

fn main() {}
