use smallscope_sequences::api;

pub struct Bag(Vec<u8>);

#[api(crate = smallscope_sequences)]
impl Bag {
    #[api(shown = "{self}.push({item})")]
    pub fn add(&mut self, key: u8) {
        self.0.push(key);
    }
}

fn main() {}
