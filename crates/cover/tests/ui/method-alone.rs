use smallscope_cover::cover;

struct Stack(Vec<u8>);

impl Stack {
    #[cover(static PUSH)]
    fn push(&mut self, item: u8) {
        self.0.push(item);
    }
}

fn main() {}
