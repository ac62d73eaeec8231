//! Sets and maps of which keys are looked up: `self.set.contains(&k)` need not read the set.
//!
//! * `E.f.contains(&k)` becomes `E.f.__look().contains(&k)`, with `.__under(PROMISE)` in between if there is a promise. On the
//!   cell of a set or a map, `__look` gives what asks; on everything else the place itself. The same for the other methods of
//!   sets and maps that look at keys.
//! * `a.is_subset(&b)` with two cells becomes `a.__look().__pairwise().is_subset(&b.__look())`.
//! * `let s = &E.f;` binds `s` to the cell, if only keys are looked up in it.
//! * `for k in &E.f` iterates over `(&E.f).__loop()`.
//! * `if let Some(v) = E.f.get(&k)` and `E.f.get(&k).is_some_and(|v| ..)` bind `v` to the cell of the value:
//!   `E.f.__look().__entries().get(&k)`.

use super::held;
use super::late;
use super::names;
use super::promises::context;
use super::questions;
use super::rewrite::Rewriter;
use super::sequences::Parameters;
use super::tuples;
use super::vars::{Scrutinee, Var};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{mentions, parse_quote_spanned, quote_spanned};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Macro, Pat, Stmt};

/// How a call looks at the keys of its receiver.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The answer may be promised something about.
    Question,
    /// The same, for a question about two sets.
    Pair,
    /// Anything else.
    Other,
}

/// Whether a method of sets or maps looks at keys.
fn kind(c: &ExprMethodCall) -> Option<Kind> {
    if c.turbofish.is_some() {
        return None;
    }
    Some(match (c.method.to_string().as_str(), c.args.len()) {
        ("contains" | "contains_key" | "get", 1) | ("is_empty", 0) => Kind::Question,
        ("is_subset" | "is_superset" | "is_disjoint", 1) => Kind::Pair,
        ("len" | "iter" | "keys" | "values" | "first" | "last", 0) | ("range", 1) => Kind::Other,
        _ => return None,
    })
}

/// Whether an expression is a call that promises can be about.
pub(super) fn is_question(e: &Expr) -> bool {
    matches!(e, Expr::MethodCall(c) if matches!(kind(c), Some(Kind::Question | Kind::Pair)))
}

/// The cell of a place whose keys may be looked up.
fn cell(rewriter: &mut Rewriter<'_>, place: &Expr) -> Option<Expr> {
    // A local that is written to is no cell.
    if rewriter.vars.root(place) == Var::Mutable {
        return None;
    }
    tuples::cell(rewriter, place)
}

/// A call that looks at keys. None if it does not, or not at those of a cell.
pub(super) fn call(rewriter: &mut Rewriter<'_>, promise: Option<&Expr>, c: &ExprMethodCall) -> Option<Expr> {
    let kind = kind(c).filter(|_| !rewriter.arguments.has(&c.method))?;
    let cell = cell(rewriter, &c.receiver)?;
    let span = c.method.span();
    let mut look = quote_spanned!(span=> #cell.__look());
    let mut arguments = c.args.clone();
    let other = match arguments.first() {
        Some(argument) if kind == Kind::Pair => other_set(rewriter, argument),
        _ => None,
    };
    match (other, arguments.first_mut()) {
        (Some(other), Some(argument)) => {
            look = quote_spanned!(span=> #look.__pairwise());
            *argument = other;
        }
        _ => {
            for argument in &mut arguments {
                rewriter.visit_expr_mut(argument);
            }
        }
    }
    if let (Some(promise), Kind::Question | Kind::Pair) = (promise, kind) {
        look = quote_spanned!(span=> #look.__under(#promise));
    }
    let method = &c.method;
    Some(parse_quote_spanned!(span=> #look.#method(#arguments)))
}

/// The cell that an expression refers to, if it may be one: `&E.f`, or a variable bound to a cell.
pub(super) fn referenced(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    let place = match e {
        Expr::Paren(p) => return referenced(rewriter, &p.expr),
        Expr::Reference(r) if r.mutability.is_none() => &r.expr,
        Expr::Path(_) if rewriter.vars.of(e) == Var::CellRef => e,
        _ => return None,
    };
    cell(rewriter, place)
}

/// The other set of a question about two, if it is a cell, too.
fn other_set(rewriter: &mut Rewriter<'_>, argument: &Expr) -> Option<Expr> {
    let cell = referenced(rewriter, argument)?;
    Some(parse_quote_spanned!(argument.span()=> &#cell.__look()))
}

/// What a loop iterates over: `&E.f`, or a variable bound to a cell.
pub(super) fn looped(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    match e {
        Expr::Reference(r) if r.mutability.is_none() && matches!(&*r.expr, Expr::Index(_)) => {
            let cell = cell(rewriter, &r.expr)?;
            Some(parse_quote_spanned!(e.span()=> #cell.__loop()))
        }
        // It may be bound to a value that the loop takes.
        Expr::Path(_) if rewriter.vars.of(e) == Var::CellRef => {
            Some(parse_quote_spanned!(e.span()=> __p::Handed(::core::option::Option::Some(#e)).__loop()))
        }
        _ => None,
    }
}

/// `(&E.f).__items()`, which a loop iterates over.
pub(super) fn items(rewriter: &mut Rewriter<'_>, c: &mut ExprMethodCall) -> bool {
    let Expr::Paren(p) = &*c.receiver else { return false };
    let Expr::Reference(r) = &*p.expr else { return false };
    if c.method != "__items" || r.mutability.is_some() || !matches!(&*r.expr, Expr::Field(_)) {
        return false;
    }
    let Some(cell) = cell(rewriter, &r.expr) else { return false };
    *c.receiver = parse_quote_spanned!(r.span()=> (&#cell).__loop());
    true
}

/// `E.f.get(k)`, perhaps with a mark of a promise around it, so that the value stays a cell.
fn entry(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    let Expr::MethodCall(c) = questions::unmarked(e) else { return None };
    if c.method != "get" || c.args.len() != 1 || c.turbofish.is_some() || rewriter.arguments.has(&c.method) {
        return None;
    }
    // Elements of a slice by number or range are read as before.
    if !matches!(&c.args[0], Expr::Reference(_) | Expr::Path(_)) {
        return None;
    }
    let cell = cell(rewriter, &c.receiver)?;
    let span = c.method.span();
    let mut argument = c.args[0].clone();
    rewriter.visit_expr_mut(&mut argument);
    let mut look = quote_spanned!(span=> #cell.__look().__entries());
    if let Some((promise, _)) = context::marked(e) {
        let promise = promise.to_token_stream();
        look = quote_spanned!(span=> #look.__under(#promise));
    }
    Some(parse_quote_spanned!(span=> #look.get(#argument)))
}

/// Matches on the cell of the value of a key, where each pattern is `Some(variable)`, `None` or `_`.
pub(super) fn scrutinee(
    rewriter: &mut Rewriter<'_>,
    e: &mut Expr,
    s: &mut Scrutinee,
    patterns: &[&Pat],
) -> bool {
    if patterns.iter().any(|p| held::variable(p).is_none()) {
        return false;
    }
    let Some(value) = held(rewriter, e).or_else(|| entry(rewriter, e)) else { return false };
    *e = value;
    s.var = Var::CellRef;
    true
}

/// `(&E.f).__held()`, or `(&E.f).__holder().as_ref()`, with the cell of the field.
fn held(rewriter: &mut Rewriter<'_>, e: &Expr) -> Option<Expr> {
    let Expr::MethodCall(c) = questions::unmarked(e) else { return None };
    if c.method == "as_ref" && c.args.is_empty() {
        let holder = held(rewriter, &c.receiver)?;
        return Some(parse_quote_spanned!(c.span()=> #holder.as_ref()));
    }
    let Expr::Paren(p) = &*c.receiver else { return None };
    let Expr::Reference(r) = &*p.expr else { return None };
    if c.method != "__held" && c.method != "__holder" {
        return None;
    }
    let (cell, method) = (cell(rewriter, &r.expr)?, &c.method);
    Some(parse_quote_spanned!(c.span()=> (&#cell).#method()))
}

/// Whether a method gives what an `Option` holds to a closure.
pub(super) fn takes_value(c: &ExprMethodCall) -> bool {
    let is_closure =
        |e: Option<&Expr>| matches!(e, Some(Expr::Closure(closure)) if closure.inputs.len() == 1);
    match (c.method.to_string().as_str(), c.args.len()) {
        ("is_some_and" | "is_none_or" | "map" | "and_then", 1) => is_closure(c.args.first()),
        ("map_or", 2) => is_closure(c.args.last()) && !matches!(c.args[0], Expr::Closure(_)),
        _ => false,
    }
}

/// Gives the cell of the value of a key, or of what a field holds, to the closure of a method. Returns what the closure gets.
pub(super) fn open_option(rewriter: &mut Rewriter<'_>, c: &mut ExprMethodCall) -> Parameters {
    if !takes_value(c) {
        return Parameters::Unknown;
    }
    let value = held(rewriter, &c.receiver).or_else(|| entry(rewriter, &c.receiver));
    let Some(value) = value else { return Parameters::Unknown };
    *c.receiver = value;
    Parameters::Items
}

/// Whether a variable is used only to look keys up in it, and at least once by a method that vectors do not have.
pub(super) fn are_lookups(name: &Ident, rest: &[Stmt]) -> bool {
    let mut uses = Uses { name, are_lookups: true, is_set: false };
    late::visit_statements(&mut uses, rest);
    uses.are_lookups && uses.is_set
}

struct Uses<'n> {
    name: &'n Ident,
    are_lookups: bool,
    is_set: bool,
}

impl Uses<'_> {
    fn is_it(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if p.path.is_ident(self.name))
    }
}

impl VisitMut for Uses<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        const OF_SETS: &str = "contains contains_key is_subset is_superset is_disjoint range keys";
        match e {
            Expr::MethodCall(c)
                if kind(c).is_some() && (self.is_it(&c.receiver) || kind(c) == Some(Kind::Pair)) =>
            {
                self.is_set |= names::lists(OF_SETS, &c.method.to_string());
                if !self.is_it(&c.receiver) {
                    self.visit_expr_mut(&mut c.receiver);
                }
                let is_pair = kind(c) == Some(Kind::Pair);
                for argument in &mut c.args {
                    if !is_pair || !self.is_it(argument) {
                        self.visit_expr_mut(argument);
                    }
                }
            }
            Expr::ForLoop(l) if self.is_it(&l.expr) => self.visit_block_mut(&mut l.body),
            e if self.is_it(e) => self.are_lookups = false,
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        self.are_lookups &= !mentions(mac.tokens.clone(), self.name);
    }
}
