use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn get<Q: Ord>(&self, key: Q) {
        drop(key);
    }
}

fn main() {}
