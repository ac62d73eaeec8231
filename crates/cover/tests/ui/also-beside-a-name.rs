use smallscope_cover::cover;

#[cover(static HALF)]
fn half(x: u32) -> u32 {
    x / 2
}

#[cover(static QUARTER, also(HALF))]
fn quarter(x: u32) -> u32 {
    half(x) / 2
}

fn main() {}
