//! Invariants that make values of their own types.

use crate::checked;
use smallscope::{Bounded, Bounds, Engine, rep_ok};
use smallscope_reference::Settings;

#[derive(Bounded, Clone, PartialEq)]
#[bounded(no_invariant)]
enum Type {
    Base,
    Fun(Box<Type>, Box<Type>),
}

#[derive(Bounded)]
enum Expr {
    Var(u8),
    App(Box<Expr>, Box<Expr>),
    Lam(Type, Box<Expr>),
}

#[rep_ok]
impl Expr {
    fn rep_ok(&self) -> bool {
        self.type_of(&[]).is_some()
    }

    fn type_of(&self, context: &[Type]) -> Option<Type> {
        match self {
            Expr::Var(i) => context.iter().rev().nth(usize::from(*i)).cloned(),
            Expr::App(function, argument) => match function.type_of(context)? {
                Type::Fun(from, to) if *from == argument.type_of(context)? => Some(*to),
                _ => None,
            },
            Expr::Lam(of, body) => {
                let mut inner = context.to_vec();
                inner.push(of.clone());
                let to = body.type_of(&inner)?;
                Some(Type::Fun(Box::new(of.clone()), Box::new(to)))
            }
        }
    }
}

#[test]
fn types_that_a_checker_makes() {
    let bounds = Bounds::exact().objects("Expr", 2).objects("Type", 1).ints("Expr::Var.0", 0..=1);
    let settings = Settings { engines: vec![Engine::Owned, Engine::Lazy], ..Settings::default() };
    assert!(checked::<Expr>(&bounds, &settings).valid > 10);
}
