use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover(predicates(self.0.is_empty(), itm > 3))]
impl Stack {
    fn push(&mut self, item: u8) {
        self.0.push(item);
    }
}

fn main() {}
