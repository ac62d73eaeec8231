//! Copies of collections of collections, and comparisons with such: see `smallscope_core::mirror::nested`.

use super::promises::forms;
use super::questions::{ends, is_number, leaves};
use super::rewrite::Rewriter;
use super::vars::Var;
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{is_one_of, parse_quote_spanned, quote, quote_spanned};
use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, UnOp};

const METHODS: &[&str] = &["clone", "to_owned", "to_vec", "cloned"];

/// Whether a call copies what may be a field.
pub(super) fn is_copy(rewriter: &Rewriter<'_>, c: &ExprMethodCall) -> bool {
    let is_plain = match &*c.receiver {
        Expr::Path(p) => {
            p.path.is_ident("self") || matches!(rewriter.vars.of(&c.receiver), Var::Own | Var::Mutable)
        }
        Expr::Lit(_) | Expr::Macro(_) => true,
        _ => false,
    };
    !is_plain && c.args.is_empty() && c.turbofish.is_none() && is_one_of(&c.method, METHODS)
}

/// The call, for a receiver that was rewritten.
pub(super) fn copy(c: &ExprMethodCall) -> Expr {
    let (receiver, method, span) = (&c.receiver, &c.method, c.method.span());
    if method == "cloned" {
        return parse_quote_spanned!(span=> __p::mirror::nested::Cloning::of(#receiver).__cloned());
    }
    let copy = Ident::new(if method == "to_vec" { "__to_vec" } else { "__clone" }, span);
    let variable = Ident::new("__c", span);
    parse_quote_spanned!(span=> match &(#receiver) {
        #variable => __p::mirror::nested::Copying(#variable).#copy(|| (*#variable).#method())
    })
}

/// Which side of a comparison may be a mirror.
#[derive(Clone, Copy)]
pub(super) enum MirrorIs {
    Left,
    Right,
}

/// `local == *m`, where `m` may be the mirror of a collection, and `m.get(&k) == Some(&vec![1])`.
pub(super) fn equality(rewriter: &mut Rewriter<'_>, b: &ExprBinary) -> Option<Expr> {
    let is_local = forms::is_referent(&b.right) && forms::is_variable(&b.left);
    let is_right = is_local || is_some_reference(&b.left);
    if leaves(&b.left) || leaves(&b.right) || !is_right && !is_some_reference(&b.right) {
        return None;
    }
    let mirror = if is_right { MirrorIs::Right } else { MirrorIs::Left };
    let (left_ends, right_ends) = (ends(&b.left), ends(&b.right));
    let (l, r) = (Ident::new("__l", left_ends.1), Ident::new("__r", right_ends.1));
    let compared = compared(&b.op, (left_ends.0, &l), (right_ends.0, &r), mirror)?;
    let (mut left, mut right) = (b.left.clone(), b.right.clone());
    rewriter.visit_expr_mut(&mut left);
    rewriter.visit_expr_mut(&mut right);
    let span = b.op.span();
    Some(parse_quote_spanned!(span=> match (&(#left), &(#right)) { (#l, #r) => #compared }))
}

/// What a reference leads to, where the user's operand stands. Not `*reference`: the compiler would suggest other changes of the user's
/// code than for the operand, and report its error twice.
pub(super) fn held(first: Span, last: Span, reference: &TokenStream) -> TokenStream {
    let start = Ident::new("__p", first);
    quote_spanned!(last=> #start::mirror::held(#reference).value)
}

/// A comparison of what two variables refer to, one of which may be a mirror. Each side stands where the user's does: from the first span
/// to that of the variable. None for operators that compare the order.
pub(super) fn compared(
    op: &BinOp,
    (first_left, l): (Span, &Ident),
    (first_right, r): (Span, &Ident),
    mirror: MirrorIs,
) -> Option<TokenStream> {
    if !matches!(op, BinOp::Eq(_) | BinOp::Ne(_)) {
        return None;
    }
    let side = |first: Span, last: Span, method: &str| {
        let method = Ident::new(method, last);
        let (m, v) = match mirror {
            MirrorIs::Left => (l, r),
            MirrorIs::Right => (r, l),
        };
        held(first, last, &quote_spanned!(last=> __p::mirror::nested::Pair(#m, #v).#method()))
    };
    let (left, right) = match mirror {
        MirrorIs::Left => ("__mirror", "__value"),
        MirrorIs::Right => ("__value", "__mirror"),
    };
    let (left, right) = (side(first_left, l.span(), left), side(first_right, r.span(), right));
    Some(quote!(#left #op #right))
}

/// `Some(&value)`
fn is_some_reference(e: &Expr) -> bool {
    let Expr::Call(c) = forms::strip(e) else { return false };
    let is_some = matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some"));
    is_some && matches!(c.args.first(), Some(Expr::Reference(r)) if !matches!(&*r.expr, Expr::Lit(_)))
}

/// Whether an expression may have a collection as its value.
pub(super) fn may_be_collection(e: &Expr) -> bool {
    match forms::strip(e) {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_) => false,
        e => !is_number(e),
    }
}

/// A literal, perhaps with a sign.
pub(super) fn is_literal(e: &Expr) -> bool {
    match forms::strip(e) {
        Expr::Lit(_) => true,
        Expr::Unary(u) => matches!(u.op, UnOp::Neg(_)) && is_literal(&u.expr),
        _ => false,
    }
}
