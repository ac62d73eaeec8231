use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn new() -> Self {
        Thing
    }
    pub unsafe fn raw(&self) {}
}

fn main() {}
