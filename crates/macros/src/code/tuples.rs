//! Components of tuples in cells: `self.pairs[i].0` and `let (a, b) = self.pairs[i];` need one component, or its cell.
//!
//! `.__parts()` gives the cells of the components of a tuple that a cell holds, and on everything else the value itself. It
//! is written where the source shows a component: a field with a number, or the pattern of a tuple. All other code gets
//! the whole tuple, which reads all components.

use super::late;
use super::looks;
use super::made;
use super::questions;
use super::rewrite::Rewriter;
use super::sequences;
use super::vars::{Mode, Scrutinee, Var};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{mentions, parse_quote_spanned};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, ExprField, ExprIndex, ExprReference, ExprUnary, Local, Macro, Member, Pat, Stmt, UnOp};

/// Rewrites what a field belongs to.
pub(super) fn base(rewriter: &mut Rewriter<'_>, f: &mut ExprField) {
    match if is_component(&f.member) { parts(rewriter, &f.base) } else { None } {
        Some(parts) => *f.base = parts,
        None => rewriter.visit_expr_mut(&mut f.base),
    }
}

/// A component of a tuple, or an end of a range.
fn is_component(member: &Member) -> bool {
    match member {
        Member::Unnamed(_) => true,
        Member::Named(name) => name == "start" || name == "end",
    }
}

/// Whether a field is a component of a copy that is read where it is used.
pub(super) fn is_part_of_copy(rewriter: &Rewriter<'_>, f: &ExprField) -> bool {
    matches!(f.member, Member::Unnamed(_)) && rewriter.vars.of(&f.base) == Var::Late
}

/// Rewrites what a field belongs to, where the field is compared. The components of a copy that was not read yet need not be read there.
pub(super) fn asked_base(rewriter: &mut Rewriter<'_>, f: &mut ExprField) {
    if is_part_of_copy(rewriter, f) {
        let copy = &f.base;
        *f.base = parse_quote_spanned!(copy.span()=> #copy.__parts());
    } else {
        base(rewriter, f);
    }
}

/// A reference to the components of a tuple, if a place may be the cell of one.
fn parts(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    if let Var::Late = rewriter.vars.of(e) {
        return None;
    }
    cell(rewriter, e).map(|cell| parse_quote_spanned!(e.span()=> #cell.__parts()))
}

/// The cell of a place, if it may be one: a cell, or a reference to one.
pub(super) fn cell(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    match e {
        Expr::Paren(p) => cell(rewriter, &p.expr),
        Expr::Field(f) if rewriter.vars.of(&f.base) != Var::Own => {
            let mut f = f.clone();
            base(rewriter, &mut f);
            Some(Expr::Field(f))
        }
        Expr::Index(i) if rewriter.is_cell(e) => {
            let ExprIndex { mut expr, mut index, bracket_token, .. } = i.clone();
            rewriter.visit_expr_mut(&mut expr);
            rewriter.visit_expr_mut(&mut index);
            Some(parse_quote_spanned!(bracket_token.span.join()=> #expr.__cell_at(#index)))
        }
        Expr::Path(_) => {
            let is_cell = matches!(rewriter.vars.of(e), Var::CellRef | Var::CellCopy | Var::ItemRef);
            is_cell.then(|| e.clone())
        }
        Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => match &**expr {
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => {
                (rewriter.vars.of(expr) == Var::ItemRef).then(|| (**expr).clone())
            }
            inner => matches!(rewriter.vars.of(inner), Var::CellRef | Var::ItemRef).then(|| inner.clone()),
        },
        Expr::MethodCall(c) if questions::end_of_field(c).is_some() => {
            let mut c = c.clone();
            if let Expr::MethodCall(end) = &mut *c.receiver {
                rewriter.visit_expr_mut(&mut end.receiver);
                let field = &end.receiver;
                *end.receiver = parse_quote_spanned!(end.method.span()=> #field.__cells());
            }
            Some(Expr::MethodCall(c))
        }
        _ => None,
    }
}

/// Whether a pattern is one of a tuple.
pub(super) fn is_tuple(p: &Pat) -> bool {
    match p {
        Pat::Tuple(t) => !t.elems.is_empty(),
        Pat::Paren(p) => is_tuple(&p.pat),
        Pat::Reference(r) => is_tuple(&r.pat),
        Pat::Or(o) => {
            for case in &o.cases {
                if !is_tuple(case) {
                    return false;
                }
            }
            true
        }
        _ => false,
    }
}

/// What is taken apart by patterns.
#[derive(Clone, Copy, PartialEq)]
enum Opened {
    /// A tuple.
    Tuple,
    /// An `Option` of a tuple.
    Option,
}

/// Whether patterns take apart a place that may be the cell of a tuple, or of an `Option` of one.
fn opened(rewriter: &Rewriter<'_>, e: &Expr, patterns: &[&Pat]) -> Option<Opened> {
    let (mut opened, mut has_none) = (None, false);
    for p in patterns {
        // A reference in the pattern goes with the reference that is matched on.
        let of = if is_tuple(p) && !(matches!(p, Pat::Or(_)) && has_reference(p)) {
            Opened::Tuple
        } else if is_some_tuple(p) {
            Opened::Option
        } else if is_none(p) {
            has_none = true;
            continue;
        } else if matches!(p, Pat::Wild(_)) {
            continue;
        } else {
            return None;
        };
        if opened.is_some_and(|before| before != of) {
            return None;
        }
        opened = Some(of);
    }
    let opened = opened.filter(|opened| !has_none || *opened == Opened::Option)?;
    if !std::ptr::eq(questions::unmarked(e), e) {
        return None;
    }
    let place = match e {
        Expr::Reference(ExprReference { mutability: None, expr, .. }) => expr,
        other => other,
    };
    is_place(rewriter, place).then_some(opened)
}

/// Whether a place may be a cell: the same places as in [`cell`], but for results of functions.
fn is_place(rewriter: &Rewriter<'_>, e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_place(rewriter, &p.expr),
        Expr::Field(f) => rewriter.vars.of(&f.base) != Var::Own && !is_part_of_copy(rewriter, f),
        Expr::Index(_) => rewriter.is_cell(e),
        Expr::Path(_) => matches!(rewriter.vars.of(e), Var::CellRef | Var::CellCopy),
        Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => rewriter.vars.of(expr) == Var::CellRef,
        _ => false,
    }
}

/// Says of a scrutinee that it will be taken apart.
pub(super) fn announce(rewriter: &Rewriter<'_>, e: &Expr, s: &mut Scrutinee, patterns: &[&Pat]) {
    if let Some(opened) = opened(rewriter, e, patterns) {
        s.field |= opened == Opened::Tuple;
    }
}

/// Rewrites an expression that patterns are matched with.
pub(super) fn scrutinee(rewriter: &mut Rewriter<'_>, e: &mut Expr, s: &mut Scrutinee, patterns: &[&Pat]) {
    if !looks::scrutinee(rewriter, e, s, patterns) && !open_scrutinee(rewriter, e, s, patterns) {
        sequences::open_scrutinee(e, patterns);
        let is_moved = made::is_moved(rewriter, e, s, patterns);
        rewriter.visit_expr_mut(e);
        if is_moved {
            made::take(e);
        }
    }
}

/// Matches on the components of a tuple, where each pattern takes it apart. Returns whether the expression was rewritten.
fn open_scrutinee(rewriter: &mut Rewriter<'_>, e: &mut Expr, s: &mut Scrutinee, patterns: &[&Pat]) -> bool {
    let Some(opened) = opened(rewriter, e, patterns) else { return false };
    let (place, is_reference) = match &*e {
        Expr::Reference(ExprReference { mutability: None, expr, .. }) => (&**expr, true),
        other => (other, rewriter.vars.of(other) == Var::CellRef),
    };
    let Some(cell) = cell(rewriter, place) else { return false };
    let span = e.span();
    *e = match (opened, is_reference) {
        (Opened::Tuple, true) => parse_quote_spanned!(span=> #cell.__parts()),
        (Opened::Tuple, false) => parse_quote_spanned!(span=> *#cell.__parts()),
        (Opened::Option, _) => parse_quote_spanned!(span=> #cell.__option()),
    };
    match opened {
        Opened::Tuple => {
            s.field = true;
            s.mode = if is_reference { Mode::Ref } else { Mode::Place };
        }
        Opened::Option => {
            s.opened = true;
            s.mode = Mode::Ref;
            s.copies = !is_reference;
        }
    }
    true
}

/// `Some((a, b))` with variables only.
fn is_some_tuple(p: &Pat) -> bool {
    let Pat::TupleStruct(some) = p else { return false };
    let Some(Pat::Tuple(tuple)) = some.elems.first() else { return false };
    for component in &tuple.elems {
        let is_simple = match component {
            Pat::Wild(_) | Pat::Rest(_) => true,
            Pat::Ident(i) => {
                i.subpat.is_none()
                    && i.by_ref.is_none()
                    && i.mutability.is_none()
                    && !super::names::is_capital(&i.ident)
            }
            _ => false,
        };
        if !is_simple {
            return false;
        }
    }
    !tuple.elems.is_empty() && some.path.is_ident("Some")
}

pub(super) fn is_none(p: &Pat) -> bool {
    match p {
        Pat::Ident(i) => i.ident == "None",
        Pat::Path(p) => p.path.is_ident("None"),
        _ => false,
    }
}

fn has_reference(p: &Pat) -> bool {
    match p {
        Pat::Reference(_) => true,
        Pat::Paren(p) => has_reference(&p.pat),
        Pat::Or(o) => {
            for case in &o.cases {
                if has_reference(case) {
                    return true;
                }
            }
            false
        }
        _ => false,
    }
}

/// `let r = &self.pairs[i];` where only components of `r` are used, or where keys are looked up in it: binds the cell.
pub(super) fn local(rewriter: &mut Rewriter<'_>, l: &mut Local, rest: &[Stmt]) -> bool {
    let Pat::Ident(name) = &l.pat else { return false };
    if name.by_ref.is_some() || name.mutability.is_some() || name.subpat.is_some() || rewriter.in_unsafe {
        return false;
    }
    let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_none()) else { return false };
    let Expr::Reference(ExprReference { mutability: None, expr, .. }) = &*init.expr else { return false };
    let binds_cell = match &**expr {
        Expr::Index(_) => Uses::are_components(&name.ident, rest) || looks::are_lookups(&name.ident, rest),
        Expr::Field(_) => looks::are_lookups(&name.ident, rest),
        _ => false,
    };
    if !binds_cell {
        return false;
    }
    let is_field = matches!(**expr, Expr::Field(_));
    let Some(cell) = cell(rewriter, expr) else { return false };
    *init.expr = if is_field { parse_quote_spanned!(cell.span()=> &#cell) } else { cell };
    rewriter.vars.bind(&name.ident, Var::CellRef);
    true
}

/// Whether a variable is used only as the base of fields with numbers.
struct Uses<'n> {
    name: &'n Ident,
    count: usize,
    are_components: bool,
}

impl Uses<'_> {
    fn are_components(name: &Ident, rest: &[Stmt]) -> bool {
        let mut uses = Uses { name, count: 0, are_components: true };
        late::visit_statements(&mut uses, rest);
        uses.are_components && uses.count > 0
    }

    fn is_it(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if p.path.is_ident(self.name))
    }
}

impl VisitMut for Uses<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Field(f) if self.is_it(&f.base) => {
                self.count += 1;
                self.are_components &= matches!(f.member, Member::Unnamed(_));
            }
            e if self.is_it(e) => self.are_components = false,
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        self.are_components &= !mentions(mac.tokens.clone(), self.name);
    }
}
