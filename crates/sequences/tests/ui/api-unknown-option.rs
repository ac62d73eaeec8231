use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    #[api(hidden)]
    pub fn new() -> Self {
        Thing
    }
}

fn main() {}
