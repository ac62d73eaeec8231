use smallscope::{Bounded, rep_ok};
use std::rc::Rc;

#[derive(Bounded, Clone, PartialEq)]
enum Type {
    Int,
    Fun(Rc<Type>, Rc<Type>),
}

#[derive(Bounded)]
enum Term {
    Lit(u8),
    Lam(Type, Box<Term>),
}

#[rep_ok]
impl Term {
    fn rep_ok(&self) -> bool {
        self.type_of() != Type::Int
    }

    fn type_of(&self) -> Type {
        match self {
            Term::Lit(_) => Type::Int,
            Term::Lam(of, body) => Type::Fun(Rc::new(of.clone()), Rc::new(body.type_of())),
        }
    }
}

fn main() {}
