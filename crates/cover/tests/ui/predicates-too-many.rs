use smallscope_cover::cover;

#[cover(static HALF, predicates(x > 1, x > 2, x > 3, x > 4, x > 5, x > 6, x > 7, x > 8, x > 9))]
fn half(x: u32) -> u32 {
    x / 2
}

fn main() {}
