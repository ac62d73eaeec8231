use smallscope_sequences::api;

pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn new() -> Self {
        Thing
    }
}

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn other(&self) {}
}

fn main() {}
