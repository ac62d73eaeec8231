use smallscope_sequences::api;

pub struct Bag(Vec<u8>);

#[api(crate = smallscope_sequences)]
impl Bag {
    #[api(pool(kee = 0..3))]
    pub fn add(&mut self, key: u8) {
        self.0.push(key);
    }
}

fn main() {}
