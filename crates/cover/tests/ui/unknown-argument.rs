use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover(predicate(self.0.is_empty()))]
impl Stack {
    fn push(&mut self, item: u8) {
        self.0.push(item);
    }
}

fn main() {}
