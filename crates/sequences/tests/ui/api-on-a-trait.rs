use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Default for &Thing {
    fn default() -> Self {
        &Thing
    }
}

fn main() {}
