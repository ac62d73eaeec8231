use smallscope_cover::cover;

struct Stack(Vec<u8>);

#[cover]
impl Clone for Stack {
    fn clone(&self) -> Self {
        Stack(self.0.clone())
    }
}

fn main() {}
