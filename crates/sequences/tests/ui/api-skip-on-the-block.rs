use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(skip)]
impl Thing {
    pub fn new() -> Self {
        Thing
    }
}

fn main() {}
