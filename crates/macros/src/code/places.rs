//! Places that are written to. An invariant has only shared references to structures, so whatever it writes to
//! is a local of its own, and must not go through a read; the few ways to write through a shared reference are
//! refused.

use super::forbidden;
use super::rewrite::Rewriter;
use super::vars::Var;
use crate::syntax::visit_mut::VisitMut;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprMethodCall, UnOp};

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

impl Rewriter<'_> {
    /// A place that is assigned to or borrowed mutably: a local of the invariant, not a mirror.
    pub(super) fn place(&mut self, e: &mut Expr) {
        match e {
            Expr::Field(f) => self.place(&mut f.base),
            Expr::Index(i) => {
                self.place(&mut i.expr);
                self.visit_expr_mut(&mut i.index);
            }
            Expr::Paren(p) => self.place(&mut p.expr),
            Expr::Path(_) => {}
            other => self.visit_expr_mut(other),
        }
    }

    pub(super) fn assigned(&mut self, e: &mut Expr) {
        if self.writes_through_pointer(e, false) {
            self.refuse(e.span(), forbidden::ASSIGNMENT);
        }
        self.place(e);
    }

    /// `(*self.head).mark` and, where `unsafe` says that it may be a raw pointer, `(*p).mark`.
    fn writes_through_pointer(&self, e: &Expr, in_field: bool) -> bool {
        match e {
            Expr::Field(f) => self.writes_through_pointer(&f.base, true),
            Expr::Index(i) => self.writes_through_pointer(&i.expr, in_field),
            Expr::Paren(p) => self.writes_through_pointer(&p.expr, in_field),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => match &*u.expr {
                Expr::Field(_) => self.vars.root(&u.expr) == Var::Plain,
                Expr::Path(_) => in_field && self.in_unsafe && self.vars.of(&u.expr) == Var::Plain,
                _ => false,
            },
            _ => false,
        }
    }

    /// A method call that may write, such as `acc.keys.push(..)`, which a read would forbid. Then the field
    /// belongs to a local, since an invariant has only shared references to structures; and should it belong
    /// to a structure after all, cells answer most methods by themselves (they deref). Those that they have of
    /// their own need the read.
    fn may_write(&self, c: &ExprMethodCall) -> bool {
        let place = matches!(&*c.receiver, Expr::Field(_))
            || matches!(&*c.receiver, Expr::Index(i) if matches!(&*i.expr, Expr::Field(_)));
        let mutable = self.vars.root(&c.receiver) == Var::Mutable && !OF_CELLS.iter().any(|m| c.method == m);
        place && (mutable || MUTATORS.iter().any(|m| c.method == m))
    }

    pub(super) fn method_call(&mut self, c: &mut ExprMethodCall) {
        let on_field = matches!(&*c.receiver, Expr::Field(_)) && self.vars.root(&c.receiver) == Var::Plain;
        let on_cell = matches!(self.vars.of(&c.receiver), Var::CellRef | Var::CellCopy);
        let message = forbidden::writes_to_field(&c.method, c.args.len());
        if let Some(message) = message.filter(|_| on_field || on_cell) {
            self.refuse(c.method.span(), &message);
        }
        if self.may_write(c) {
            self.place(&mut c.receiver);
        } else {
            self.visit_expr_mut(&mut c.receiver);
        }
        c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
    }
}

/// Whether a method may write to its receiver, by its name.
pub(super) fn writes(method: &Ident) -> bool {
    const THROUGH_SHARED: &[&str] = &["set", "replace", "update", "swap", "take", "store"];
    let name = method.to_string();
    let listed = |list: &[&str]| list.contains(&name.as_str());
    listed(MUTATORS) || listed(THROUGH_SHARED) || name.ends_with("_mut") || name.starts_with("fetch_")
}

/// `+=` and the like.
pub(super) fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
