use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn new() -> Self {
        Thing
    }
    pub fn find(&self, keys: Option<&u8>) {
        let _ = keys;
    }
}

fn main() {}
