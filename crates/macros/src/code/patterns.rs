//! Patterns.
//!
//! In a pattern of a structure, `Node { left, .. }` or `Expr::Neg(e)`, a variable is bound to a cell. It is
//! read where it is *used*, so that `Add(a, b) => a.ok() && b.ok()` reads `b` late. A pattern inside a field,
//! as in `Node { left: None, .. }`, cannot look through the cell; it is moved out, to a guard of the arm where
//! it can fail, to a `let` behind the pattern where it cannot.

use super::names;
use super::rewrite::Rewriter;
use super::scope::Scope;
use super::sequences;
use super::vars::{Mode, Scrutinee, Var};
use crate::syntax::visit::{self, Visit};
use proc_macro2::Ident;
use quote::{format_ident, quote_spanned};
use syn::punctuated::{Pair, Punctuated};
use syn::spanned::Spanned;
use syn::{Expr, Pat, PatIdent, PatReference, PatTuple, PatTupleStruct, Stmt, Token, parse_quote_spanned};

/// A pattern moved out of a field, and the variable that stands in its place.
pub(super) struct Moved {
    id: Ident,
    pat: Pat,
    mode: Mode,
    /// The variable is bound to the rest of a slice.
    is_rest: bool,
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
            t.elems.iter_mut().for_each(|e| declare_part(rewriter, e, &s.inside(), cells, moved));
        }
        Pat::Struct(t) => {
            let cells = rewriter.scope.has_cells(&t.path);
            for f in &mut t.fields {
                // `Node { mut left }` must become `Node { left: <variable> }` before it can be moved.
                if f.colon_token.is_none()
                    && cells
                    && matches!(&*f.pat, Pat::Ident(i) if i.mutability.is_some())
                {
                    f.colon_token = Some(Default::default());
                }
                declare_part(rewriter, &mut f.pat, &s.inside(), cells, moved);
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
        Pat::Slice(t) => t.elems.iter_mut().for_each(|e| declare_part(rewriter, e, &s.inside(), true, moved)),
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
            moved.push(Moved { id, pat, mode: s.mode, is_rest: true });
        }
        Pat::Ident(i) if is_variable(i) && i.mutability.is_none() => {
            let copy = s.mode == Mode::Place && i.by_ref.is_none();
            if copy {
                i.by_ref = Some(Default::default());
            }
            rewriter.vars.bind(&i.ident, if copy { Var::CellCopy } else { Var::CellRef });
        }
        _ => {
            let id = format_ident!("__field{}", rewriter.fresh, span = p.span());
            rewriter.fresh += 1;
            let by_ref = (s.mode == Mode::Place).then(Default::default);
            let stand_in =
                PatIdent { attrs: vec![], by_ref, mutability: None, ident: id.clone(), subpat: None };
            moved.push(Moved {
                id,
                pat: std::mem::replace(p, Pat::Ident(stand_in)),
                mode: s.mode,
                is_rest: false,
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
    for Moved { id, mut pat, mut mode, is_rest } in moved {
        let span = pat.span();
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
        let cells = sequences::is_slice(&pat).then(|| quote_spanned!(span=> .__cells()));
        let value: Expr = match mode {
            Mode::Place => parse_quote_spanned!(span=> *#id.__bind() #cells),
            Mode::Ref => parse_quote_spanned!(span=> #id.__bind() #cells),
        };
        out.push((pat, value));
        out.extend(follow_up(rewriter, inner));
    }
    out
}

/// The patterns that were moved out, as conditions of a guard or chain.
pub(super) fn as_conditions(rewriter: &mut Rewriter<'_>, moved: Vec<Moved>) -> Vec<Expr> {
    let lets = follow_up(rewriter, moved);
    lets.into_iter().map(|(pat, value)| parse_quote_spanned!(pat.span()=> let #pat = #value)).collect()
}

/// The same where the pattern cannot fail.
pub(super) fn as_statements(rewriter: &mut Rewriter<'_>, moved: Vec<Moved>) -> Vec<Stmt> {
    let lets = follow_up(rewriter, moved);
    lets.into_iter().map(|(pat, value)| parse_quote_spanned!(pat.span()=> let #pat = #value;)).collect()
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
            t.elems.iter().any(|e| inner(e, cells))
        }
        Pat::Struct(t) => {
            let cells = scope.has_cells(&t.path);
            t.fields.iter().any(|f| inner(&f.pat, cells))
        }
        Pat::Tuple(t) => t.elems.iter().enumerate().any(|(i, e)| match s.parts.get(i) {
            Some(part) => is_nested(scope, e, part),
            None => inner(e, s.field),
        }),
        Pat::Slice(t) => t.elems.iter().any(|e| inner(e, true)),
        Pat::Ident(i) => i.subpat.as_ref().is_some_and(|(_, sub)| is_nested(scope, sub, s)),
        Pat::Reference(r) => is_nested(scope, &r.pat, s),
        Pat::Paren(r) => is_nested(scope, &r.pat, s),
        Pat::Type(t) => is_nested(scope, &t.pat, s),
        Pat::Or(o) => o.cases.iter().any(|c| is_nested(scope, c, s)),
        _ => false,
    }
}

/// The alternatives of a pattern, as far as `|` has to be taken apart: `Some(A | B)` is `Some(A) | Some(B)`.
pub(super) fn alternatives(scope: &Scope, p: &Pat, s: &Scrutinee) -> Vec<Pat> {
    if !is_nested(scope, p, s) {
        return vec![p.clone()];
    }
    match p {
        Pat::Or(o) => o.cases.iter().flat_map(|c| alternatives(scope, c, s)).collect(),
        Pat::Paren(r) => alternatives(scope, &r.pat, s),
        Pat::Reference(r) => {
            let wrap = |pat| Pat::Reference(PatReference { pat: Box::new(pat), ..r.clone() });
            alternatives(scope, &r.pat, s).into_iter().map(wrap).collect()
        }
        Pat::TupleStruct(t) if !scope.has_cells(&t.path) => {
            let wrap = |elems| Pat::TupleStruct(PatTupleStruct { elems, ..t.clone() });
            product(scope, t.elems.iter(), s).into_iter().map(wrap).collect()
        }
        Pat::Tuple(t) if !s.field => {
            let wrap = |elems| Pat::Tuple(PatTuple { elems, ..t.clone() });
            product(scope, t.elems.iter(), s).into_iter().map(wrap).collect()
        }
        _ => vec![p.clone()],
    }
}

/// Every combination of the alternatives of several patterns.
fn product<'p>(
    scope: &Scope,
    parts: impl Iterator<Item = &'p Pat>,
    s: &Scrutinee,
) -> Vec<Punctuated<Pat, Token![,]>> {
    let combinations = parts.enumerate().fold(vec![vec![]], |done, (i, part)| {
        let choices = alternatives(scope, part, s.parts.get(i).unwrap_or(&s.inside()));
        let extend = |d: &Vec<Pat>| {
            choices.iter().map(|c| [d.as_slice(), std::slice::from_ref(c)].concat()).collect::<Vec<_>>()
        };
        done.iter().flat_map(extend).collect()
    });
    let punctuate =
        |elems: Vec<Pat>| elems.into_iter().map(|e| Pair::Punctuated(e, Default::default())).collect();
    combinations.into_iter().map(punctuate).collect()
}

/// The variables of a pattern, in order, and whether they are `mut`.
pub(super) fn variables(p: &Pat) -> Vec<(Ident, Option<Token![mut]>)> {
    struct Find(Vec<(Ident, Option<Token![mut]>)>);
    impl<'a> Visit<'a> for Find {
        fn visit_pat_ident(&mut self, i: &'a PatIdent) {
            if (i.by_ref.is_some() || !names::is_capital(&i.ident))
                && !self.0.iter().any(|(n, _)| *n == i.ident)
            {
                self.0.push((i.ident.clone(), i.mutability.filter(|_| i.by_ref.is_none())));
            }
            visit::visit_pat_ident(self, i);
        }
    }
    let mut find = Find(vec![]);
    find.visit_pat(p);
    find.0
}
