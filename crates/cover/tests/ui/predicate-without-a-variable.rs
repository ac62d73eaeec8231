use smallscope_cover::cover;

const LIMIT: usize = 3;

#[cover(static HALF, predicates(LIMIT > 2))]
fn half(x: usize) -> usize {
    x / LIMIT
}

fn main() {}
