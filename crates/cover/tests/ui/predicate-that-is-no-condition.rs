use smallscope_cover::cover;

#[cover(static HALF, predicates(x + 1))]
fn half(x: u32) -> u32 {
    x / 2
}

fn main() {}
