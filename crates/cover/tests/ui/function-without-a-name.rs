use smallscope_cover::cover;

#[cover]
fn half(x: u32) -> u32 {
    x / 2
}

fn main() {}
