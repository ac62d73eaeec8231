//! Copies of fields in variables: `let key = node.key;` reads the field where the variable is used, and asks where the
//! variable is compared.
//!
//! This is done where the source shows that the field can be copied, because it belongs to a shared reference, and that the
//! variable is only read, or assigned to as a whole.

use super::rewrite::Rewriter;
use super::std_macros;
use super::tuples;
use super::vars::{Var, Vars};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{mentions, parse_quote_spanned};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, Local, LocalInit, Macro, Pat, PatIdent, Stmt};

/// Rewrites a `let` that copies a field, if the variable can be read later. `rest` is what follows it in its block.
pub(super) fn local(rewriter: &mut Rewriter<'_>, l: &mut Local, rest: &[Stmt]) -> bool {
    let Pat::Ident(PatIdent { ident, by_ref: None, subpat: None, mutability, .. }) = &l.pat else {
        return false;
    };
    let Some(init @ LocalInit { diverge: None, .. }) = &mut l.init else { return false };
    // In `unsafe` code it is most likely a raw pointer, which is read at once.
    if rewriter.in_unsafe || !Uses::are_plain(ident, mutability.is_some(), rest) {
        return false;
    }
    let Some(copy) = copy(rewriter, &init.expr) else { return false };
    *init.expr = copy;
    rewriter.vars.bind(ident, Var::Late);
    true
}

/// A copy of a field that is read later, if it is one.
pub(super) fn copy(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    if !is_copied_field(&rewriter.vars, e) {
        return None;
    }
    match e.clone() {
        Expr::Field(mut f) => {
            tuples::base(rewriter, &mut f);
            Some(parse_quote_spanned!(f.member.span()=> #f.__late()))
        }
        Expr::Index(ExprIndex { mut expr, mut index, bracket_token, .. }) => {
            rewriter.visit_expr_mut(&mut expr);
            rewriter.visit_expr_mut(&mut index);
            Some(parse_quote_spanned!(bracket_token.span.join()=> #expr.__late_at(#index)))
        }
        _ => None,
    }
}

/// A field of something that is borrowed, or an element of such a field.
fn is_copied_field(vars: &Vars, e: &Expr) -> bool {
    match e {
        Expr::Field(f) => is_borrowed(vars, &f.base),
        Expr::Index(i) => {
            matches!(&*i.expr, Expr::Field(_))
                && !matches!(&*i.index, Expr::Range(_))
                && vars.of(&i.index) != Var::Own
                && is_copied_field(vars, &i.expr)
        }
        _ => false,
    }
}

/// Whether a place lies behind a shared reference.
fn is_borrowed(vars: &Vars, e: &Expr) -> bool {
    match e {
        Expr::Field(f) => is_borrowed(vars, &f.base),
        Expr::Index(i) => !matches!(&*i.index, Expr::Range(_)) && is_borrowed(vars, &i.expr),
        Expr::Paren(p) => is_borrowed(vars, &p.expr),
        Expr::Path(p) => {
            vars.of(e) == Var::CellRef || p.path.get_ident().is_some_and(|name| vars.is_reference(name))
        }
        _ => false,
    }
}

/// How a variable is used.
struct Uses<'n> {
    name: &'n Ident,
    is_mutable: bool,
    are_plain: bool,
}

impl Uses<'_> {
    /// Whether a variable is only read, or assigned to as a whole.
    fn are_plain(name: &Ident, is_mutable: bool, rest: &[Stmt]) -> bool {
        let mut uses = Uses { name, is_mutable, are_plain: true };
        visit_statements(&mut uses, rest);
        uses.are_plain
    }

    fn is_it(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(p) => p.path.is_ident(self.name),
            Expr::Paren(p) => self.is_it(&p.expr),
            Expr::Field(f) => self.is_it(&f.base),
            Expr::Index(i) => self.is_it(&i.expr),
            _ => false,
        }
    }
}

impl VisitMut for Uses<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let is_written = match e {
            Expr::Reference(r) => r.mutability.is_some() && self.is_it(&r.expr),
            Expr::Binary(b) => crate::syntax::is_assignment(&b.op) && self.is_it(&b.left),
            // A part of the variable.
            Expr::Assign(a) => {
                !matches!(&*a.left, Expr::Path(_)) && mentions(a.left.to_token_stream(), self.name)
            }
            Expr::MethodCall(c) => self.is_mutable && self.is_it(&c.receiver),
            _ => false,
        };
        self.are_plain &= !is_written;
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if !std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e)) {
            self.are_plain &= !mentions(mac.tokens.clone(), self.name);
        }
    }
}

/// Visits the expressions of statements.
pub(super) fn visit_statements(visitor: &mut dyn VisitMut, rest: &[Stmt]) {
    for stmt in rest {
        match &mut stmt.clone() {
            Stmt::Local(Local { init: Some(init), .. }) => {
                visitor.visit_expr_mut(&mut init.expr);
                if let Some((_, e)) = &mut init.diverge {
                    visitor.visit_expr_mut(e);
                }
            }
            Stmt::Expr(e, _) => visitor.visit_expr_mut(e),
            Stmt::Macro(m) => visitor.visit_macro_mut(&mut m.mac),
            Stmt::Local(_) | Stmt::Item(_) => {}
        }
    }
}
