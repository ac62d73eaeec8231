//! Values that the item makes of structures: see `smallscope_core::mirror::made`.
//!
//! In the copy, the fields of such a value are cells, so what they are made from goes through `cell`. A pattern may take such a
//! value apart by value, and then its variables are the cells themselves.

use super::names;
use super::rewrite::Rewriter;
use super::scope::Scope;
use super::vars::{Scrutinee, Var};
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{any_ident, parse_quote_spanned, path_names};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprUnary, Pat, Path, UnOp};

/// Whether the item makes values of the type that a path begins with.
pub(super) fn is_made(scope: &Scope, path: &Path) -> bool {
    match names::type_position(path) {
        Some(k) => scope.made.contains(&path.segments[k].ident.to_string()),
        None => false,
    }
}

fn into_cell(e: &mut Expr) {
    *e = parse_quote_spanned!(e.span()=> __p::made::cell(#e));
}

/// A call whose arguments are rewritten: `Type::Fun(a, b)`, or `Box::new(a)` of what may be a structure.
pub(super) fn call(scope: &Scope, c: &mut ExprCall) -> Option<Expr> {
    let Expr::Path(f) = &*c.func else { return None };
    let last = &f.path.segments[f.path.segments.len() - 1].ident;
    if is_made(scope, &f.path) && names::is_capital(last) {
        c.args.iter_mut().for_each(into_cell);
    }
    let is_box = !scope.made.as_slice().is_empty() && path_names(&f.path) == ["Box", "new"];
    let (1, true) = (c.args.len(), is_box) else { return None };
    let value = &c.args[0];
    Some(parse_quote_spanned!(f.span()=> __p::made::NewBox(#value).__boxed()))
}

/// `Range { lo, hi }`, whose fields are rewritten.
pub(super) fn structure(scope: &Scope, e: &mut Expr) {
    match e {
        Expr::Struct(made) if is_made(scope, &made.path) => {
            for f in &mut made.fields {
                f.colon_token.get_or_insert_with(Default::default);
                into_cell(&mut f.expr);
            }
        }
        _ => {}
    }
}

/// Whether a pattern with this path may take apart a value that is not behind a reference.
pub(super) fn may_be_moved(scope: &Scope, path: &Path, s: &Scrutinee) -> bool {
    let is_unknown = matches!(s.var, Var::Plain | Var::Either) && !s.field && !s.is_reference && !s.copies;
    is_unknown && s.mode == super::vars::Mode::Ref && is_made(scope, path)
}

/// Whether patterns may take a variable apart whose value the item has made. The original may use it again, if what it takes
/// out is `Copy`.
pub(super) fn is_moved(rewriter: &Rewriter<'_>, e: &Expr, s: &Scrutinee, patterns: &[&Pat]) -> bool {
    let is_variable = matches!(e, Expr::Path(p) if p.path.get_ident().is_some());
    let is_made = |i: &Ident| rewriter.scope.made.contains(&i.to_string());
    let is_made = |p: &&Pat| any_ident(p.to_token_stream(), &is_made);
    is_variable && rewriter.vars.of(e) == Var::Plain && !s.is_reference && patterns.iter().any(is_made)
}

/// The same value again, or the same reference.
pub(super) fn take(e: &mut Expr) {
    *e = parse_quote_spanned!(e.span()=> __p::made::Taken(&#e).__taken());
}

/// A variable of such a pattern.
pub(super) fn bound(name: &Ident, span: Span) -> Expr {
    parse_quote_spanned!(span=> __p::made::Bound(&#name).__bound())
}

/// `*x` where the original may move a value out of a box: of such a variable, or of a local value that is passed on.
/// Returns whether it was rewritten.
pub(super) fn dereferenced(rewriter: &mut Rewriter<'_>, e: &mut Expr) -> bool {
    let is_passed = std::mem::take(&mut rewriter.is_passed) && !rewriter.scope.made.as_slice().is_empty();
    let Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) = e else { return false };
    let is_box = match &**expr {
        Expr::Path(p) => match (rewriter.vars.of(expr), p.path.get_ident()) {
            (Var::Either, Some(_)) => true,
            (Var::Plain, Some(name)) => is_passed && !rewriter.vars.is_reference(name),
            _ => false,
        },
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) => is_passed,
        _ => false,
    };
    if is_box {
        rewriter.visit_expr_mut(expr);
        take(e);
    }
    is_box
}
