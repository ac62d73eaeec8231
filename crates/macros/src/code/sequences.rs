//! Sequences in the copy: elements that closures, loops and patterns get as cells, and slices as arguments.
//!
//! * `E.iter().all(|x| x < y)` becomes `E.iter().__items().all(..)` with `x` bound to a cell: on a mirror `__items` gives the
//!   cells in place of their values, on everything else it gives the iterator itself. The same for the `values()` of a map. This is done where the source shows
//!   every step from `iter()` to the closure, so that nothing in between sees a cell.
//! * `match v { [a, b, ..] => .. }` matches on `v.__cells()`: the cells of a mirror, or `v` itself.
//! * An argument of a function of the copy that takes a slice becomes `&*E.__slice()`: cells of a mirror as they are, other
//!   slices as cells that hold their elements.

use super::free_functions;
use super::looks;
use super::patterns;
use super::rewrite::Rewriter;
use super::types::Argument;
use super::vars::{Scrutinee, Var};
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{parse_quote_spanned, quote};
use proc_macro2::{Ident, TokenStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprClosure, ExprMethodCall, Pat, PatIdent, Token, UnOp};

/// What the closure of a method gets.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Parameters {
    /// Anything.
    Unknown,
    /// Items, which are cells or made of cells.
    Items,
    /// References to items.
    References,
}

/// What the closure of a method of iterators gets.
fn parameters(c: &ExprMethodCall) -> Parameters {
    let Some(Expr::Closure(closure)) = c.args.first() else { return Parameters::Unknown };
    // What a reference to a tuple is taken apart into has no name here.
    let is_simple = |p: &Pat| match p {
        Pat::Ident(i) => i.subpat.is_none() && i.by_ref.is_none() && i.mutability.is_none(),
        Pat::Reference(_) | Pat::Wild(_) => true,
        _ => false,
    };
    match (c.method.to_string().as_str(), c.args.len()) {
        ("all" | "any" | "map" | "for_each" | "position" | "rposition", 1)
        | ("filter_map" | "find_map" | "flat_map" | "map_while", 1) => Parameters::Items,
        ("is_sorted_by", 1) if !patterns::any_pat(&closure.inputs, &|_, p| !is_simple(p)) => {
            Parameters::References
        }
        _ => Parameters::Unknown,
    }
}

/// Whether an expression is an iterator over references to elements, by steps that pass them on unseen.
fn passes_items(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => passes_items(&p.expr),
        Expr::MethodCall(c) => match (c.method.to_string().as_str(), c.args.len()) {
            ("iter" | "values", 0) => c.turbofish.is_none() && is_place(&c.receiver),
            ("__items", 0) => true,
            ("enumerate" | "rev", 0) | ("skip" | "take" | "step_by" | "zip" | "chain", 1) => {
                passes_items(&c.receiver)
            }
            _ => false,
        },
        _ => false,
    }
}

/// A field, an element or a variable.
fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_place(&p.expr),
        Expr::Field(f) => is_place(&f.base),
        Expr::Index(i) => is_place(&i.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_place(&u.expr),
        Expr::Path(p) => p.path.get_ident().is_some(),
        _ => false,
    }
}

/// Puts `__items()` behind every source of such an iterator.
fn give_items(e: &mut Expr) {
    match e {
        Expr::Paren(p) => give_items(&mut p.expr),
        Expr::Reference(r) if r.mutability.is_none() && is_place(&r.expr) => {
            *e = parse_quote_spanned!(r.span()=> (#r).__items());
        }
        Expr::MethodCall(c) if c.method == "__items" => {}
        Expr::MethodCall(c) if c.method == "iter" || c.method == "values" => {
            *e = parse_quote_spanned!(c.method.span()=> #c.__items())
        }
        Expr::MethodCall(c) => {
            give_items(&mut c.receiver);
            if c.method == "zip" || c.method == "chain" {
                let other = &mut c.args[0];
                match other {
                    Expr::Path(p) if p.path.get_ident().is_some() => {
                        *other = parse_quote_spanned!(p.span()=> #p.__items());
                    }
                    _ if passes_items(other) || matches!(other, Expr::Reference(_)) => give_items(other),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Whether what a loop iterates over gives references to elements, and makes it give cells.
pub(super) fn open_loop(e: &mut Expr) -> bool {
    let opens = passes_items(e)
        || matches!(e, Expr::Reference(r) if r.mutability.is_none() && matches!(&*r.expr, Expr::Field(_)));
    if opens {
        give_items(e);
    }
    opens
}

/// Makes an iterator give cells to the closure of a method, if every step between the two is in the source. Returns what
/// the closure gets.
pub(super) fn open_chain(c: &mut ExprMethodCall) -> Parameters {
    // The neighbours in a slice.
    if c.method == "is_sorted_by" && c.args.len() == 1 && is_place(&c.receiver) {
        let receiver = &c.receiver;
        *c.receiver = parse_quote_spanned!(receiver.span()=> #receiver.__cells());
        return Parameters::Items;
    }
    let parameters = parameters(c);
    if parameters == Parameters::Unknown || !passes_items(&c.receiver) {
        return Parameters::Unknown;
    }
    give_items(&mut c.receiver);
    parameters
}

/// Whether a pattern is one of a slice.
pub(super) fn is_slice(p: &Pat) -> bool {
    match p {
        Pat::Slice(_) => true,
        Pat::Paren(p) => is_slice(&p.pat),
        Pat::Reference(r) => is_slice(&r.pat),
        Pat::Ident(PatIdent { subpat: Some((_, sub)), .. }) => is_slice(sub),
        Pat::Or(o) => patterns::any_pat(&o.cases, &|_, case| is_slice(case)),
        _ => false,
    }
}

/// Matches on the cells of a slice, where a pattern is one of a slice. Comes before the expression is rewritten.
pub(super) fn open_scrutinee(e: &mut Expr, patterns: &[&Pat]) {
    if let Expr::Tuple(t) = e {
        for (i, part) in t.elems.iter_mut().enumerate() {
            let mut inside = vec![];
            for pat in patterns {
                match pat {
                    Pat::Tuple(t) if !patterns::any_pat(&t.elems, &|_, e| matches!(e, Pat::Rest(_))) => {
                        inside.extend(t.elems.get(i));
                    }
                    _ => {}
                }
            }
            open_scrutinee(part, &inside);
        }
        return;
    }
    if !patterns.iter().any(|p| is_slice(p)) {
        return;
    }
    let is_unsized_place = match e {
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)),
        Expr::Index(_) | Expr::Field(_) => true,
        _ => false,
    };
    *e = match is_unsized_place {
        true => parse_quote_spanned!(e.span()=> *(#e).__cells()),
        false => parse_quote_spanned!(e.span()=> (#e).__cells()),
    };
}

/// Rewrites the arguments of a call. A function of the copy gets slices and cells as it takes them. `parameters` is what a closure gets.
pub(super) fn arguments(
    rewriter: &mut Rewriter<'_>,
    function: Option<&Ident>,
    arguments: &mut Punctuated<Expr, Token![,]>,
    parameters: Option<Parameters>,
) {
    let count = arguments.len();
    for (i, argument) in arguments.iter_mut().enumerate() {
        let kind = function.map_or(Argument::Other, |f| rewriter.arguments.kind(f, count - 1 - i));
        match (&mut *argument, parameters) {
            (Expr::Closure(closure), Some(parameters)) => rewriter.closure(closure, parameters),
            (other, _) if kind == Argument::Cell => as_cell(rewriter, other),
            (other, None) if function.is_some_and(|f| rewriter.free_functions.is_marked(f)) => {
                hand_over(rewriter, other)
            }
            (other, _) => {
                rewriter.is_passed = parameters.is_none();
                rewriter.visit_expr_mut(other);
            }
        }
        if kind == Argument::Slice {
            as_slice(argument);
        }
    }
}

/// Gives a marked function the cell of a set or a map, and the value of everything else.
fn hand_over(rewriter: &mut Rewriter<'_>, e: &mut Expr) {
    let Some(cell) = looks::referenced(rewriter, e) else {
        rewriter.is_passed = true;
        return rewriter.visit_expr_mut(e);
    };
    let reference = if matches!(cell, Expr::Field(_)) { quote!(&) } else { TokenStream::new() };
    *e = parse_quote_spanned!(e.span()=> __p::Handed(::core::option::Option::Some(#reference #cell)).__argument());
}

/// Makes a reference to a set or a map a reference to its cell.
fn as_cell(rewriter: &mut Rewriter<'_>, e: &mut Expr) {
    match looks::referenced(rewriter, e) {
        Some(cell) => *e = parse_quote_spanned!(e.span()=> #cell.__cell()),
        None => {
            rewriter.visit_expr_mut(e);
            *e = parse_quote_spanned!(e.span()=> (#e).__cell());
        }
    }
}

/// A call of a function by its path. Returns what takes the place of the call, if it is not only changed.
pub(super) fn call(rewriter: &mut Rewriter<'_>, c: &mut ExprCall) -> Option<Expr> {
    let parts = free_functions::parts(rewriter, c);
    rewriter.visit_expr_mut(&mut c.func);
    let function = match &*c.func {
        Expr::Path(p) => p.path.segments.last().map(|last| &last.ident),
        _ => None,
    };
    arguments(rewriter, function, &mut c.args, None);
    free_functions::call(rewriter, c, &parts)
}

/// Makes an expression a reference to a slice of cells.
pub(super) fn as_slice(e: &mut Expr) {
    *e = parse_quote_spanned!(e.span()=> &*(#e).__slice());
}

/// Declares the parameters of a closure. Returns the patterns that were moved out of cells.
pub(super) fn declare_parameters(
    rewriter: &mut Rewriter<'_>,
    c: &mut ExprClosure,
    parameters: Parameters,
) -> Vec<patterns::Moved> {
    let mut moved = vec![];
    for p in &mut c.inputs {
        match (parameters, &mut *p) {
            (Parameters::Items, p) => patterns::declare_item(rewriter, p, &mut moved),
            (Parameters::References, Pat::Reference(r)) => {
                patterns::declare_item(rewriter, &mut r.pat, &mut moved);
            }
            (Parameters::References, Pat::Ident(i)) => {
                // Items are references, or pairs of these, so they can be copied.
                let name = i.ident.clone();
                *p = parse_quote_spanned!(name.span()=> &#name);
                rewriter.vars.bind(&name, Var::ItemRef);
            }
            (_, p) => patterns::declare(rewriter, p, &Scrutinee::unknown(), &mut moved),
        }
    }
    moved
}
