use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover]
impl Stack {
    #[cover(skipped)]
    fn push(&mut self, item: u8) {
        self.0.push(item);
    }
}

fn main() {}
