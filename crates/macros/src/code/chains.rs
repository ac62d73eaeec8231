//! Chains of `&&`, with `let`s in them.

use syn::{BinOp, Expr, ExprBinary, parse_quote};

/// Whether a condition is a `let` or a chain with one.
pub(super) fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

/// The operands of a chain of `&&`.
pub(super) fn operands(e: &Expr) -> Vec<Expr> {
    match e {
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
            let mut all = operands(&b.left);
            all.append(&mut operands(&b.right));
            all
        }
        other => vec![other.clone()],
    }
}

/// A chain of `&&`, which must lean to the left if there are `let`s in it.
pub(super) fn conjunction(parts: Vec<Expr>) -> Expr {
    let mut chain = None;
    for part in parts {
        chain = Some(match chain {
            Some(left) => Expr::Binary(ExprBinary {
                attrs: vec![],
                left: Box::new(left),
                op: BinOp::And(Default::default()),
                right: Box::new(part),
            }),
            None => part,
        });
    }
    chain.unwrap_or_else(|| parse_quote!(true))
}
