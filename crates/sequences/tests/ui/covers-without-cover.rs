use smallscope::sequences::{Builder, Context, Pool};

pub struct Recent(Vec<u8>);

#[smallscope::api]
impl Recent {
    pub fn new() -> Self {
        Recent(vec![])
    }
}

fn calls() -> Builder {
    Context::builder().pool(Pool::<Recent>::empty(1)).api::<Recent>().covers::<Recent>()
}

fn main() {}
