use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn new() -> Self {
        Thing
    }
    pub fn iter(&self) -> impl Iterator<Item = u8> {
        0..3
    }
}

fn main() {}
