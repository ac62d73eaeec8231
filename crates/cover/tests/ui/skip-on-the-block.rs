use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover(skip)]
impl Stack {}

fn main() {}
