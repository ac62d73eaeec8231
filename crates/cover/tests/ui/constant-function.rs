use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover]
impl Stack {
    const fn new() -> Self {
        Stack(vec![])
    }
}

fn main() {}
