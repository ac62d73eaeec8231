//! Places that are written to. An invariant has only shared references to structures, so everything it writes to
//! is a local of its own, and must not go through a read; the few ways to write through a shared reference are
//! refused.

use super::forbidden;
use super::late_vecs;
use super::looks;
use super::nested;
use super::rewrite::Rewriter;
use super::sequences::{self, Parameters};
use super::vars::{Var, Vars};
use crate::syntax::is_one_of;
use crate::syntax::visit_mut::VisitMut;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, UnOp};

/// Methods that cells have of their own.
const OF_CELLS: &[&str] = &[
    "cmp",
    "partial_cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "max",
    "min",
    "clamp",
    "to_string",
    "hash",
    "into",
    "try_into",
];

/// Methods of std that need `&mut self`.
const MUTATORS: &[&str] = &[
    "push",
    "push_back",
    "push_front",
    "push_str",
    "pop",
    "pop_back",
    "pop_front",
    "insert",
    "remove",
    "extend",
    "extend_from_slice",
    "append",
    "clear",
    "truncate",
    "resize",
    "reserve",
    "retain",
    "drain",
    "dedup",
    "reverse",
    "fill",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "swap_remove",
    "split_off",
    "rotate_left",
    "rotate_right",
    "iter_mut",
    "values_mut",
    "get_mut",
    "first_mut",
    "last_mut",
    "as_mut",
    "as_deref_mut",
    "entry",
    "get_or_insert",
    "get_or_insert_with",
    "next",
    "next_back",
    "by_ref",
];

/// A place that is assigned to or borrowed mutably: a local of the invariant, not a mirror.
pub(super) fn written(rewriter: &mut Rewriter<'_>, e: &mut Expr) {
    match e {
        Expr::Field(f) => written(rewriter, &mut f.base),
        Expr::Index(i) => {
            written(rewriter, &mut i.expr);
            rewriter.visit_expr_mut(&mut i.index);
        }
        Expr::Paren(p) => written(rewriter, &mut p.expr),
        Expr::Path(_) => {}
        other => rewriter.visit_expr_mut(other),
    }
}

/// A place that is assigned to, which must not be in a structure.
pub(super) fn assigned(rewriter: &mut Rewriter<'_>, e: &mut Expr) {
    if writes_through_pointer(rewriter, e, false) {
        rewriter.refuse(e.span(), forbidden::ASSIGNMENT);
    }
    written(rewriter, e);
}

/// `(*rewriter.head).mark` and, where `unsafe` says that it may be a raw pointer, `(*p).mark`.
fn writes_through_pointer(rewriter: &Rewriter<'_>, e: &Expr, in_field: bool) -> bool {
    match e {
        Expr::Field(f) => writes_through_pointer(rewriter, &f.base, true),
        Expr::Index(i) => writes_through_pointer(rewriter, &i.expr, in_field),
        Expr::Paren(p) => writes_through_pointer(rewriter, &p.expr, in_field),
        Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => match &*u.expr {
            Expr::Field(_) => rewriter.vars.root(&u.expr) == Var::Plain,
            Expr::Path(_) => in_field && rewriter.in_unsafe && rewriter.vars.of(&u.expr) == Var::Plain,
            _ => false,
        },
        _ => false,
    }
}

/// A method call that may write, such as `acc.keys.push(..)`, which a read would forbid. Then the field
/// belongs to a local, since an invariant has only shared references to structures; and should it belong
/// to a structure after all, cells answer most methods by themselves (they deref). Those that they have of
/// their own need the read.
fn may_write(vars: &Vars, c: &ExprMethodCall) -> bool {
    let place = matches!(&*c.receiver, Expr::Field(_))
        || matches!(&*c.receiver, Expr::Index(i) if matches!(&*i.expr, Expr::Field(_)));
    let mutable = vars.root(&c.receiver) == Var::Mutable && !is_one_of(&c.method, OF_CELLS);
    place && (mutable || is_one_of(&c.method, MUTATORS))
}

/// A method call, which is rewritten in place unless something else takes its place.
pub(super) fn call(rewriter: &mut Rewriter<'_>, c: &mut ExprMethodCall) -> Option<Expr> {
    if let Some(call) = looks::call(rewriter, None, c) {
        return Some(call);
    }
    let is_copy = nested::is_copy(rewriter, c);
    method_call(rewriter, c);
    is_copy.then(|| nested::copy(c))
}

/// A method call: its receiver is read, unless the method may write to it.
fn method_call(rewriter: &mut Rewriter<'_>, c: &mut ExprMethodCall) {
    let on_field = matches!(&*c.receiver, Expr::Field(_)) && rewriter.vars.root(&c.receiver) == Var::Plain;
    let on_cell = matches!(rewriter.vars.of(&c.receiver), Var::CellRef | Var::CellCopy);
    let message = forbidden::writes_to_field(&c.method, c.args.len());
    if let Some(message) = message.filter(|_| on_field || on_cell) {
        rewriter.refuse(c.method.span(), &message);
    }
    if late_vecs::push(rewriter, c) {
        return;
    }
    let mut parameters = sequences::open_chain(c);
    let is_opened = looks::items(rewriter, c) || {
        let opened = parameters == Parameters::Unknown;
        parameters = if opened { looks::open_option(rewriter, c) } else { parameters };
        opened && parameters != Parameters::Unknown
    };
    if is_opened {
        // The receiver is rewritten already.
    } else if may_write(&rewriter.vars, c) {
        written(rewriter, &mut c.receiver);
    } else {
        rewriter.visit_expr_mut(&mut c.receiver);
    }
    sequences::arguments(rewriter, Some(&c.method), &mut c.args, Some(parameters));
}

/// Whether a method may write to its receiver, by its name.
pub(super) fn writes(method: &Ident) -> bool {
    const THROUGH_SHARED: &[&str] = &["set", "replace", "update", "swap", "take", "store"];
    let name = method.to_string();
    is_one_of(method, MUTATORS)
        || is_one_of(method, THROUGH_SHARED)
        || name.ends_with("_mut")
        || name.starts_with("fetch_")
}
