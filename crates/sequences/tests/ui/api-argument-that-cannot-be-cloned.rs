use smallscope_sequences::api;

#[derive(Clone, Debug, Default, Hash)]
pub struct Thing;

pub struct Token;

#[api(crate = smallscope_sequences)]
impl Thing {
    pub fn spend(&self, token: Token) {
        drop(token);
    }
}

fn main() {}
