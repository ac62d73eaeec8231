use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

pub struct Opaque;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn opaque(&self) -> Opaque {
        Opaque
    }
}

fn main() {}
