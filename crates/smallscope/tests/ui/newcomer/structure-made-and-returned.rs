use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Clone, PartialEq)]
#[bounded(no_invariant)]
enum Type {
    Int,
    Fun(Box<Type>, Box<Type>),
}

#[derive(Bounded)]
enum Term {
    Lit(u8),
    Lam(Type, Box<Term>),
}

#[rep_ok]
impl Term {
    fn rep_ok(&self) -> bool {
        self.type_of().is_some()
    }
    fn type_of(&self) -> Option<Type> {
        match self {
            Term::Lit(_) => Some(Type::Int),
            Term::Lam(a, b) => Some(Type::Fun(Box::new(a.clone()), Box::new(b.type_of()?))),
        }
    }
}

fn main() {}
