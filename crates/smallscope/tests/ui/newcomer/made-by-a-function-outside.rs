use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Clone, PartialEq)]
#[bounded(no_invariant)]
enum Type {
    Int,
    Fun(Box<Type>, Box<Type>),
}

impl Type {
    fn new() -> Type {
        Type::Int
    }
}

#[derive(Bounded)]
struct Term {
    of: Type,
}

#[rep_ok]
impl Term {
    fn rep_ok(&self) -> bool {
        self.of != Type::new()
    }
}

fn main() {}
