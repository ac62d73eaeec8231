use smallscope::{Bounded, rep_ok};

#[derive(Bounded, PartialEq)]
#[bounded(derive(PartialEq))]
enum Expr {
    Lit(i32),
    Neg(Box<Expr>),
}

#[rep_ok]
impl Expr {
    fn rep_ok(&self) -> bool {
        *self != Expr::Lit(0) && *self != Expr::Neg(Box::new(Expr::Lit(1)))
    }
}

fn main() {}
