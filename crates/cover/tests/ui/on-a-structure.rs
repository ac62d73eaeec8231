use smallscope_cover::cover;

#[cover]
struct Stack {
    items: Vec<u8>,
}

fn main() {}
