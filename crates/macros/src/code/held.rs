//! Sets and maps in an `Option`: code that looks at their keys need not read them.
//!
//! * `if let Some(s) = &E.f` matches on `(&E.f).__held()`, and `s` is bound to a cell, if only keys are looked up in `s`. The same
//!   for `match` and `let .. else`, and for `E.f.as_ref()` in place of `&E.f`.
//! * `E.f.as_ref().is_some_and(|s| ..)` becomes `(&E.f).__holder().as_ref().is_some_and(|s| ..)`, and the same for the methods like
//!   it.
//!
//! This pass marks such places. The rewriter replaces `E.f` by its cell. It also drops the types of some copies.

use super::chains::{conjunction, operands};
use super::looks::{are_lookups, takes_value};
use super::questions;
use super::tuples;
use crate::syntax::parse_quote_spanned;
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{
    Block, Expr, ExprMatch, ExprMethodCall, GenericArgument, Item, Local, Pat, PathArguments, Stmt, Type,
};

/// Marks all such places of an item.
pub(super) fn mark(item: &mut Item) {
    Marks.visit_item_mut(item);
}

/// What a pattern binds, if it is `Some(variable)`, `None` or `_`.
pub(super) fn variable(p: &Pat) -> Option<Option<&Ident>> {
    match p {
        Pat::Wild(_) => Some(None),
        Pat::TupleStruct(t) if t.path.is_ident("Some") && t.elems.len() == 1 => match &t.elems[0] {
            Pat::Wild(_) => Some(None),
            Pat::Ident(i) if i.subpat.is_none() && i.by_ref.is_none() && i.mutability.is_none() => {
                Some(Some(&i.ident))
            }
            _ => None,
        },
        other => tuples::is_none(other).then_some(None),
    }
}

/// The field of `&E.f` and `E.f.as_ref()`.
fn field(e: &Expr) -> Option<&Expr> {
    let place = match e {
        Expr::Paren(p) => return field(&p.expr),
        Expr::Reference(r) if r.mutability.is_none() => &*r.expr,
        Expr::MethodCall(c) if c.method == "as_ref" && c.args.is_empty() => questions::unmarked(&c.receiver),
        _ => return None,
    };
    matches!(place, Expr::Field(_)).then_some(place)
}

fn mark_scrutinee(e: &mut Expr) {
    if let Some(place) = field(questions::unmarked(e)) {
        *e = parse_quote_spanned!(e.span()=> (&#place).__held());
    }
}

/// Whether only keys are looked up in a variable in an expression.
fn are_lookups_in(name: &Ident, e: &Expr) -> bool {
    are_lookups(name, &[Stmt::Expr(e.clone(), None)])
}

/// `let c: Vec<Vec<u8>> = E.f.clone();` without its type: the copy of a collection of collections has mirrors inside.
fn forget_type_of_copy(l: &mut Local) {
    let Pat::Type(typed) = &l.pat else { return };
    let Some(Expr::MethodCall(c)) = l.init.as_ref().map(|init| &*init.expr) else { return };
    let is_copy =
        matches!(c.method.to_string().as_str(), "clone" | "to_owned" | "to_vec") && c.args.is_empty();
    if is_copy && matches!(&*c.receiver, Expr::Field(_)) && is_nested(&typed.ty, 0) {
        l.pat = (*typed.pat).clone();
    }
}

/// Whether a type is a collection of collections, or a boxed slice.
fn is_nested(ty: &Type, depth: usize) -> bool {
    match ty {
        Type::Array(a) => depth > 0 || is_nested(&a.elem, depth + 1),
        Type::Slice(_) => true,
        Type::Group(g) => is_nested(&g.elem, depth),
        Type::Paren(p) => is_nested(&p.elem, depth),
        Type::Path(p) => match p.path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(args)) => {
                let is_deeper = |arg: &GenericArgument| matches!(arg, GenericArgument::Type(ty) if is_nested(ty, depth + 1));
                depth > 0 || args.args.iter().any(is_deeper)
            }
            _ => false,
        },
        _ => false,
    }
}

struct Marks;

impl Marks {
    fn match_(m: &mut ExprMatch) {
        let mut is_some = false;
        for arm in &m.arms {
            let Some(variable) = variable(&arm.pat) else { return };
            let Some(name) = variable else { continue };
            let is_guarded = arm.guard.as_ref().is_some_and(|(_, guard)| !are_lookups_in(name, guard));
            if is_guarded || !are_lookups_in(name, &arm.body) {
                return;
            }
            is_some = true;
        }
        if is_some {
            mark_scrutinee(&mut m.expr);
        }
    }

    fn call(c: &mut ExprMethodCall) {
        let Some(Expr::Closure(closure)) = c.args.last().filter(|_| takes_value(c)) else { return };
        let Pat::Ident(name) = &closure.inputs[0] else { return };
        if name.by_ref.is_some() || name.mutability.is_some() || !are_lookups_in(&name.ident, &closure.body) {
            return;
        }
        if !matches!(&*c.receiver, Expr::MethodCall(_)) {
            return;
        }
        if let Some(place) = field(&c.receiver) {
            *c.receiver = parse_quote_spanned!(c.receiver.span()=> (&#place).__holder().as_ref());
        }
    }
}

impl VisitMut for Marks {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::If(_) = e {
            let all = e.clone();
            let Expr::If(i) = e else { return };
            let mut parts = operands(&i.cond);
            let mut is_marked = false;
            for part in &mut parts {
                let Expr::Let(l) = part else { continue };
                let is_looked_up = |name: Option<&Ident>| name.is_some_and(|name| are_lookups_in(name, &all));
                if variable(&l.pat).is_some_and(is_looked_up) {
                    mark_scrutinee(&mut l.expr);
                    is_marked = true;
                }
            }
            if is_marked {
                *i.cond = conjunction(parts);
            }
        }
        match e {
            Expr::Match(m) => Marks::match_(m),
            Expr::MethodCall(c) => Marks::call(c),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        for i in 0..block.stmts.len() {
            let (first, rest) = block.stmts.split_at_mut(i + 1);
            let Stmt::Local(l) = &mut first[i] else { continue };
            forget_type_of_copy(l);
            let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_some()) else { continue };
            if variable(&l.pat).is_some_and(|name| name.is_some_and(|name| are_lookups(name, rest))) {
                mark_scrutinee(&mut init.expr);
            }
        }
        visit_mut::visit_block_mut(self, block);
    }
}
