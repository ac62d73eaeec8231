use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
struct Pair {
    a: Option<u8>,
    b: Option<u8>,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        if let Pair { a: Some(x), .. } | Pair { b: Some(x), .. } = self
            && *x > 0
        {
            return false;
        }
        true
    }
}

fn main() {}
