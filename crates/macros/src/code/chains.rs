//! Chains of `&&`, with `let`s in them, and arms whose guards become such chains.

use super::patterns;
use crate::syntax::{parse_quote, parse_quote_spanned, quote_spanned};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Arm, BinOp, Expr, ExprBinary, Pat};

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

/// Makes an arm depend on patterns inside of the fields that its own pattern binds.
///
/// `A(f) if g => body` with `P` inside of `f` becomes `A(f) if match f { P => g, _ => false } => { let P = f else ..; body }`.
/// The variables of `P` are bound twice, for the guard and for the body, as guards with `let` exist only from Rust 1.95 on.
pub(super) fn match_inside(arm: &mut Arm, inner: &[(Pat, Expr)]) {
    if inner.is_empty() {
        return;
    }
    let own = match arm.guard.take() {
        Some((_, guard)) => *guard,
        None => parse_quote!(true),
    };
    // A user who writes `let` in a guard has a compiler that knows it.
    let guard = if has_let(&own) {
        let mut parts = vec![];
        for (pat, value) in inner {
            parts.push(parse_quote_spanned!(pat.span()=> let #pat = #value));
        }
        parts.append(&mut operands(&own));
        conjunction(parts)
    } else {
        let (mut lets, mut test, body) = (TokenStream::new(), own, &arm.body);
        for (pat, value) in inner {
            if !patterns::variables(pat).is_empty() {
                quote_spanned!(pat.span()=> let #pat = #value else { ::core::unreachable!() };)
                    .to_tokens(&mut lets);
            }
        }
        if !lets.is_empty() {
            *arm.body = parse_quote!({ #lets #body });
        }
        for (pat, value) in inner.iter().rev() {
            test = parse_quote_spanned!(pat.span()=> match #value { #pat => #test, _ => false });
        }
        test
    };
    arm.guard = Some((Default::default(), Box::new(guard)));
}
