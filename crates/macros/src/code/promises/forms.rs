//! The forms of code that promises are about.

use crate::syntax::ends_with;
use syn::{BinOp, Expr, ExprMethodCall, Path, UnOp};

/// What can be asked about a place instead of reading it.
pub(in crate::code) fn is_question(e: &Expr) -> bool {
    match e {
        Expr::Binary(b) => is_comparison(&b.op),
        Expr::MethodCall(m) => is_nullness(m),
        Expr::Call(call) => matches!(&*call.func, Expr::Path(p) if is_pointer_eq(&p.path)),
        _ => false,
    }
}

/// `==`, `<` and the like.
pub(in crate::code) fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// `x.f.is_none()` and the like, asked about a place.
pub(in crate::code) fn is_nullness(c: &ExprMethodCall) -> bool {
    let is_place = |e: &Expr| match e {
        Expr::Field(_) | Expr::Index(_) | Expr::Path(_) => true,
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && matches!(&*u.expr, Expr::Path(_)),
        _ => false,
    };
    c.args.is_empty()
        && matches!(c.method.to_string().as_str(), "is_none" | "is_some" | "is_null")
        && is_place(&c.receiver)
}

/// `std::ptr::eq`
pub(in crate::code) fn is_pointer_eq(p: &Path) -> bool {
    let n = p.segments.len();
    n >= 2 && p.segments[n - 1].ident == "eq" && p.segments[n - 2].ident == "ptr"
}

/// An element of a field: `x.f[i]`, but not `x.f[i..j]`.
pub(in crate::code) fn is_element(e: &Expr) -> bool {
    matches!(e, Expr::Index(i) if !matches!(&*i.index, Expr::Range(_))
        && (matches!(&*i.expr, Expr::Field(_)) || is_element(&i.expr)))
}

/// A read of an `Option` in a field, by the forms that patterns are matched with.
pub(in crate::code) fn reads_field(e: &Expr) -> bool {
    let is_place = |e: &Expr| matches!(e, Expr::Field(_)) || is_element(e);
    match e {
        Expr::Reference(r) => r.mutability.is_none() && is_place(&r.expr),
        Expr::MethodCall(c) => {
            c.args.is_empty() && (c.method == "as_ref" || c.method == "as_deref") && is_place(&c.receiver)
        }
        place => is_place(place),
    }
}

/// `x.rep_ok()`, on any receiver.
pub(super) fn is_invariant(e: &Expr) -> bool {
    match e {
        Expr::Call(c) => {
            matches!(&*c.func, Expr::Path(p) if ends_with(&p.path, "rep_ok"))
        }
        Expr::MethodCall(c) => c.method == "rep_ok",
        _ => false,
    }
}

/// A function of the run-time.
pub(super) fn is_runtime(p: &Path, function: &str) -> bool {
    p.segments.len() == 2 && p.segments[0].ident == "__p" && p.segments[1].ident == function
}

/// The expression without parentheses around it.
pub(in crate::code) fn strip(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => strip(&p.expr),
        other => other,
    }
}

/// A variable.
pub(in crate::code) fn is_variable(e: &Expr) -> bool {
    matches!(strip(e), Expr::Path(p) if p.path.get_ident().is_some())
}

/// What a variable refers to, `*m`.
pub(in crate::code) fn is_referent(e: &Expr) -> bool {
    matches!(strip(e), Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) && is_variable(&u.expr))
}

/// Whether an expression may be a collection of the invariant: a variable, or the result of a call.
pub(in crate::code) fn is_made(e: &Expr) -> bool {
    is_variable(e) || matches!(strip(e), Expr::Call(_) | Expr::MethodCall(_))
}
