use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover]
impl Stack {
    fn push(&mut self, item: u8) {
        self.0.push(item);
    }
}

#[cover]
impl Stack {
    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }
}

fn main() {}
