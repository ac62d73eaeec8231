//! Patterns.
//!
//! In a pattern of a structure, `Node { left, .. }` or `Expr::Neg(e)`, a variable is bound to a cell. It is
//! read where it is *used*, so that `Add(a, b) => a.ok() && b.ok()` reads `b` late. A pattern inside a field,
//! as in `Node { left: None, .. }`, cannot look through the cell; it is moved out, to a guard of the arm where
//! it can fail, to a `let` behind the pattern where it cannot.

use super::made;
use super::names;
use super::rewrite::Rewriter;
use super::scope::Scope;
use super::sequences;
use super::tuples;
use super::vars::{Mode, Scrutinee, Var};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{parse_quote_spanned, quote_spanned};
use proc_macro2::Ident;
use quote::format_ident;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Pat, PatIdent, PatReference, PatTuple, PatTupleStruct, Path, Stmt, Token};

/// A pattern moved out of a field, and the variable that stands in its place.
pub(super) struct Moved {
    id: Ident,
    pat: Pat,
    mode: Mode,
    /// The variable is bound to the rest of a slice.
    is_rest: bool,
    /// It may be bound to a cell that was moved out.
    may_be_moved: bool,
}

/// A variable alone, as opposed to a constant or variant.
fn is_variable(p: &PatIdent) -> bool {
    p.subpat.is_none() && (p.by_ref.is_some() || p.mutability.is_some() || !names::is_capital(&p.ident))
}

/// Declares the variables of a pattern; patterns inside fields are moved out.
pub(super) fn declare(rewriter: &mut Rewriter<'_>, p: &mut Pat, s: &Scrutinee, moved: &mut Vec<Moved>) {
    match p {
        Pat::Ident(i) => {
            let var = if i.mutability.is_some() { Var::Mutable } else { s.var };
            if s.is_reference && var == Var::Plain && i.by_ref.is_none() {
                rewriter.vars.bind_reference(&i.ident);
            } else {
                rewriter.vars.bind(&i.ident, var);
            }
            if let Some((_, sub)) = &mut i.subpat {
                declare(rewriter, sub, s, moved);
            }
        }
        Pat::TupleStruct(t) => {
            let cells = rewriter.scope.has_cells(&t.path);
            let s = inside(rewriter, &t.path, s);
            declare_parts(rewriter, &mut t.elems, &s, cells, moved);
        }
        Pat::Struct(t) => {
            let cells = rewriter.scope.has_cells(&t.path);
            let s = inside(rewriter, &t.path, s);
            for f in &mut t.fields {
                // `Node { mut left }` must become `Node { left: <variable> }` before it can be moved.
                if f.colon_token.is_none()
                    && cells
                    && matches!(&*f.pat, Pat::Ident(i) if i.mutability.is_some())
                {
                    f.colon_token = Some(Default::default());
                }
                declare_part(rewriter, &mut f.pat, &s, cells, moved);
            }
        }
        Pat::Tuple(t) => {
            for (i, e) in t.elems.iter_mut().enumerate() {
                // A tuple field of a structure may be a tuple of cells.
                match s.parts.get(i) {
                    Some(part) => declare(rewriter, e, part, moved),
                    None => declare_part(rewriter, e, &s.inside(), s.field, moved),
                }
            }
        }
        Pat::Slice(t) => declare_parts(rewriter, &mut t.elems, &s.inside(), true, moved),
        Pat::Reference(r) => {
            let inside = Scrutinee { mode: Mode::Place, is_reference: false, ..s.clone() };
            declare(rewriter, &mut r.pat, &inside, moved)
        }
        Pat::Paren(r) => declare(rewriter, &mut r.pat, s, moved),
        Pat::Type(t) => {
            let s = if super::vars::is_mutable_reference(&t.ty) {
                Scrutinee { var: Var::Mutable, ..s.clone() }
            } else {
                s.clone()
            };
            declare(rewriter, &mut t.pat, &s, moved);
        }
        Pat::Or(o) => {
            for case in &mut o.cases {
                let mut inside = vec![];
                declare(rewriter, case, s, &mut inside);
                if let Some(m) = inside.first() {
                    rewriter.refuse(
                        m.pat.span(),
                        "a pattern inside a field of a structure cannot stand \
                        in an inner `|`; write one arm for each case, or bind the field to a variable \
                        and match on that",
                    );
                }
            }
        }
        _ => {}
    }
}

/// What is inside a struct or variant.
fn inside(rewriter: &Rewriter<'_>, path: &Path, s: &Scrutinee) -> Scrutinee {
    Scrutinee { may_be_moved: made::may_be_moved(rewriter.scope, path, s), ..s.inside() }
}

fn declare_parts(
    rewriter: &mut Rewriter<'_>,
    parts: &mut Punctuated<Pat, Token![,]>,
    s: &Scrutinee,
    cells: bool,
    moved: &mut Vec<Moved>,
) {
    for part in parts {
        declare_part(rewriter, part, s, cells, moved);
    }
}

/// A part of a structure or tuple pattern, which may be a cell.
fn declare_part(rewriter: &mut Rewriter<'_>, p: &mut Pat, s: &Scrutinee, cell: bool, moved: &mut Vec<Moved>) {
    if !cell && !sequences::is_slice(p) {
        return declare(rewriter, p, s, moved);
    }
    match p {
        Pat::Wild(_) | Pat::Rest(_) => {}
        Pat::Ident(PatIdent { ident, subpat: Some((_, sub)), .. }) if matches!(&**sub, Pat::Rest(_)) => {
            let id = format_ident!("__rest{}", rewriter.fresh, span = ident.span());
            rewriter.fresh += 1;
            let name = std::mem::replace(ident, id.clone());
            let pat = parse_quote_spanned!(name.span()=> #name);
            moved.push(Moved { id, pat, mode: s.mode, is_rest: true, may_be_moved: false });
        }
        Pat::Ident(i) if is_variable(i) && i.mutability.is_none() => {
            let copy = s.mode == Mode::Place && i.by_ref.is_none();
            if copy {
                i.by_ref = Some(Default::default());
            }
            let var = match (copy || s.copies, s.may_be_moved && i.by_ref.is_none()) {
                (true, _) => Var::CellCopy,
                (false, true) => Var::Either,
                (false, false) => Var::CellRef,
            };
            rewriter.vars.bind(&i.ident, var);
        }
        _ => {
            let id = format_ident!("__field{}", rewriter.fresh, span = p.span());
            rewriter.fresh += 1;
            let by_ref = if s.mode == Mode::Place { Some(Default::default()) } else { None };
            let stand_in =
                PatIdent { attrs: vec![], by_ref, mutability: None, ident: id.clone(), subpat: None };
            moved.push(Moved {
                id,
                pat: std::mem::replace(p, Pat::Ident(stand_in)),
                mode: s.mode,
                is_rest: false,
                may_be_moved: s.may_be_moved,
            });
        }
    }
}

/// The pattern of a loop or of a closure that gets cells. `&x` binds the cell itself, to be read where `x` is used.
pub(super) fn declare_item(rewriter: &mut Rewriter<'_>, p: &mut Pat, moved: &mut Vec<Moved>) {
    let copied = match p {
        Pat::Reference(r) if r.mutability.is_none() => match &*r.pat {
            Pat::Ident(i) if is_variable(i) && i.mutability.is_none() && i.by_ref.is_none() => {
                Some(i.clone())
            }
            _ => None,
        },
        _ => None,
    };
    if let Some(variable) = copied {
        rewriter.vars.bind(&variable.ident, Var::CellCopy);
        *p = Pat::Ident(variable);
        return;
    }
    let s = Scrutinee { field: true, ..Scrutinee::unknown() };
    declare_part(rewriter, p, &s, true, moved);
}

/// `let PAT = VALUE` for each pattern that was moved out, and for what moves out of those in turn.
pub(super) fn follow_up(rewriter: &mut Rewriter<'_>, moved: Vec<Moved>) -> Vec<(Pat, Expr)> {
    let mut out = vec![];
    for Moved { id, mut pat, mut mode, is_rest, may_be_moved } in moved {
        let span = pat.span();
        if may_be_moved {
            let mut inner = vec![];
            let s = Scrutinee { var: Var::Either, ..Scrutinee::unknown() };
            declare(rewriter, &mut pat, &s, &mut inner);
            out.push((pat, made::bound(&id, span)));
            out.append(&mut follow_up(rewriter, inner));
            continue;
        }
        if is_rest {
            declare(rewriter, &mut pat, &Scrutinee::unknown(), &mut vec![]);
            out.push((pat, parse_quote_spanned!(span=> __p::mirror::Rest(#id).__rest())));
            continue;
        }
        // A reference becomes a place where there is nothing to be moved out of it, because constants are
        // not looked for behind references; and for `n @ 1..=5`, where only a pattern with a constructor
        // would bind by reference by itself.
        match &mut pat {
            pat if variables(pat).is_empty() => mode = Mode::Place,
            Pat::Ident(i) if mode == Mode::Ref && i.subpat.is_some() => {
                i.by_ref = Some(Default::default());
                mode = Mode::Place;
            }
            _ => {}
        }
        let mut inner = vec![];
        let s = Scrutinee { mode, field: true, ..Scrutinee::unknown() };
        declare(rewriter, &mut pat, &s, &mut inner);
        let value = match (tuples::is_tuple(&pat), sequences::is_slice(&pat)) {
            (true, _) => quote_spanned!(span=> #id.__bind_parts()),
            (false, true) => quote_spanned!(span=> #id.__bind().__cells()),
            (false, false) => quote_spanned!(span=> #id.__bind()),
        };
        let value: Expr = match mode {
            Mode::Place => parse_quote_spanned!(span=> *#value),
            Mode::Ref => parse_quote_spanned!(span=> #value),
        };
        out.push((pat, value));
        out.append(&mut follow_up(rewriter, inner));
    }
    out
}

/// The patterns that were moved out, as conditions of a guard or chain.
pub(super) fn as_conditions(rewriter: &mut Rewriter<'_>, moved: Vec<Moved>) -> Vec<Expr> {
    let mut conditions = vec![];
    for (pat, value) in follow_up(rewriter, moved) {
        conditions.push(parse_quote_spanned!(pat.span()=> let #pat = #value));
    }
    conditions
}

/// The same where the pattern cannot fail.
pub(super) fn as_statements(rewriter: &mut Rewriter<'_>, moved: Vec<Moved>) -> Vec<Stmt> {
    let mut statements = vec![];
    for (pat, value) in follow_up(rewriter, moved) {
        statements.push(parse_quote_spanned!(pat.span()=> let #pat = #value;));
    }
    statements
}

/// Whether something would be moved out of a pattern.
pub(super) fn is_nested(scope: &Scope, p: &Pat, s: &Scrutinee) -> bool {
    let inner = |p: &Pat, cells: bool| match p {
        _ if !cells => sequences::is_slice(p) || is_nested(scope, p, &s.inside()),
        Pat::Wild(_) | Pat::Rest(_) => false,
        Pat::Ident(i) => !is_variable(i) || i.mutability.is_some(),
        _ => true,
    };
    match p {
        Pat::TupleStruct(t) => {
            let cells = scope.has_cells(&t.path);
            any_pat(&t.elems, &|_, e| inner(e, cells))
        }
        Pat::Struct(t) => {
            let cells = scope.has_cells(&t.path);
            let mut is_nested = false;
            for f in &t.fields {
                is_nested |= inner(&f.pat, cells);
            }
            is_nested
        }
        Pat::Tuple(t) => any_pat(&t.elems, &|i, e| match s.parts.get(i) {
            Some(part) => is_nested(scope, e, part),
            None => inner(e, s.field),
        }),
        Pat::Slice(t) => any_pat(&t.elems, &|_, e| inner(e, true)),
        Pat::Ident(PatIdent { subpat: Some((_, sub)), .. }) => is_nested(scope, sub, s),
        Pat::Reference(r) => is_nested(scope, &r.pat, s),
        Pat::Paren(r) => is_nested(scope, &r.pat, s),
        Pat::Type(t) => is_nested(scope, &t.pat, s),
        Pat::Or(o) => any_pat(&o.cases, &|_, c| is_nested(scope, c, s)),
        _ => false,
    }
}

/// Whether one of some patterns, with its number, passes a test.
pub(super) fn any_pat<P>(patterns: &Punctuated<Pat, P>, test: &dyn Fn(usize, &Pat) -> bool) -> bool {
    for (i, pat) in patterns.iter().enumerate() {
        if test(i, pat) {
            return true;
        }
    }
    false
}

/// The alternatives of a pattern, as far as `|` has to be taken apart: `Some(A | B)` is `Some(A) | Some(B)`.
pub(super) fn alternatives(scope: &Scope, p: &Pat, s: &Scrutinee) -> Vec<Pat> {
    if !is_nested(scope, p, s) {
        return vec![p.clone()];
    }
    match p {
        Pat::Or(o) => {
            let mut all = vec![];
            for case in &o.cases {
                all.append(&mut alternatives(scope, case, s));
            }
            all
        }
        Pat::Paren(r) => alternatives(scope, &r.pat, s),
        Pat::Reference(r) => {
            let mut all = vec![];
            for pat in alternatives(scope, &r.pat, s) {
                all.push(Pat::Reference(PatReference { pat: Box::new(pat), ..r.clone() }));
            }
            all
        }
        Pat::TupleStruct(t) if !scope.has_cells(&t.path) => {
            product(scope, &t.elems, s, &|elems| Pat::TupleStruct(PatTupleStruct { elems, ..t.clone() }))
        }
        Pat::Tuple(t) if !s.field => {
            product(scope, &t.elems, s, &|elems| Pat::Tuple(PatTuple { elems, ..t.clone() }))
        }
        _ => vec![p.clone()],
    }
}

/// Patterns in parentheses.
type Parts = Punctuated<Pat, Token![,]>;

/// Every combination of the alternatives of several patterns, as patterns.
fn product(scope: &Scope, parts: &Parts, s: &Scrutinee, wrap: &dyn Fn(Parts) -> Pat) -> Vec<Pat> {
    let mut combinations = vec![Parts::new()];
    for (i, part) in parts.iter().enumerate() {
        let choices = alternatives(scope, part, s.parts.get(i).unwrap_or(&s.inside()));
        let mut longer = vec![];
        for combination in &combinations {
            for choice in &choices {
                let mut combination = combination.clone();
                combination.push_value(choice.clone());
                combination.push_punct(Default::default());
                longer.push(combination);
            }
        }
        combinations = longer;
    }
    let mut all = vec![];
    for combination in combinations {
        all.push(wrap(combination));
    }
    all
}

/// The variables of a pattern, in order, and whether they are `mut`.
pub(super) fn variables(p: &Pat) -> Vec<(Ident, Option<Token![mut]>)> {
    struct Find(Vec<(Ident, Option<Token![mut]>)>);
    impl VisitMut for Find {
        fn visit_pat_ident_mut(&mut self, i: &mut PatIdent) {
            if (i.by_ref.is_some() || !names::is_capital(&i.ident))
                && !self.0.iter().any(|(n, _)| *n == i.ident)
            {
                let mutability = if i.by_ref.is_some() { None } else { i.mutability };
                self.0.push((i.ident.clone(), mutability));
            }
            visit_mut::visit_pat_ident_mut(self, i);
        }
    }
    let mut find = Find(vec![]);
    find.visit_pat_mut(&mut p.clone());
    find.0
}
