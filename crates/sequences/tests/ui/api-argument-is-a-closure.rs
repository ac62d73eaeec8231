use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn new() -> Self {
        Thing
    }
    pub fn retain(&mut self, keep: impl Fn(u8) -> bool) {
        keep(0);
    }
}

fn main() {}
