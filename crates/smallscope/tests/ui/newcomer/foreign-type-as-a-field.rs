use smallscope::{Bounded, rep_ok};

mod uuid {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Uuid(u128);

    impl Uuid {
        pub fn is_nil(&self) -> bool {
            self.0 == 0
        }
        pub fn nil() -> Uuid {
            Uuid(0)
        }
    }
}
use uuid::Uuid;

#[derive(Bounded, Clone, Debug)]
struct User {
    id: Uuid,
    age: u8,
}

#[rep_ok]
impl User {
    fn rep_ok(&self) -> bool {
        !self.id.is_nil() && self.id != Uuid::nil() && self.age < 3 && self.id > Uuid::nil()
    }
}

fn main() {}
