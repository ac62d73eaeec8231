use Expr::*;
use smallscope::{Bounded, rep_ok};

#[derive(Bounded)]
enum Expr {
    Lit(i32),
    Neg(Box<Expr>),
}

#[rep_ok]
impl Expr {
    fn rep_ok(&self) -> bool {
        match self {
            Lit(n) => *n > 0,
            Neg(e) => e.rep_ok(),
        }
    }
}

fn main() {}
