//! What is promised about the result of an expression, as far as it is known before the copy runs: which bit of the
//! function's own promise says that the invariant is false if the expression is true, and which if it is false.

use crate::syntax::{parse_quote, quote};
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, ExprCall, Path, Stmt};

/// A bit of what the caller has promised about the function's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::code) enum Bit {
    /// If the function returns `false`, `None` or `Err`, the invariant is false.
    False,
    /// If it returns `true`, `Some` or `Ok`.
    True,
}

/// What a promise is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::code) enum About {
    /// A `bool`.
    Truth,
    /// Whether an `Option` is `Some`, or a `Result` is `Ok`.
    Presence,
}

/// The promise about an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::code) struct Context {
    pub(in crate::code) about: About,
    /// The bit that says that the invariant is false if the expression is `false`, `None` or `Err`.
    pub(in crate::code) on_false: Option<Bit>,
    /// The same if it is `true`, `Some` or `Ok`.
    pub(in crate::code) on_true: Option<Bit>,
}

impl Context {
    /// No promise.
    pub(in crate::code) const NOTHING: Context =
        Context { about: About::Truth, on_false: None, on_true: None };

    /// The promise about the function's own result.
    pub(in crate::code) fn own(about: About) -> Context {
        Context { about, on_false: Some(Bit::False), on_true: Some(Bit::True) }
    }

    pub(in crate::code) fn truth(on_false: Option<Bit>, on_true: Option<Bit>) -> Context {
        Context { about: About::Truth, on_false, on_true }
    }

    pub(in crate::code) fn presence(on_false: Option<Bit>, on_true: Option<Bit>) -> Context {
        Context { about: About::Presence, on_false, on_true }
    }

    pub(in crate::code) fn is_nothing(self) -> bool {
        self.on_false.is_none() && self.on_true.is_none()
    }

    /// The same promise about another kind of value, which is true or present in the same cases.
    pub(in crate::code) fn of(self, about: About) -> Context {
        Context { about, ..self }
    }

    /// About `x`, from the one about `!x`.
    pub(in crate::code) fn not(self) -> Context {
        Context { on_false: self.on_true, on_true: self.on_false, ..self }
    }

    pub(in crate::code) fn only_false(self) -> Context {
        Context { on_true: None, ..self }
    }

    pub(in crate::code) fn only_true(self) -> Context {
        Context { on_false: None, ..self }
    }

    /// What follows from this outcome.
    pub(in crate::code) fn on(self, outcome: bool) -> Option<Bit> {
        if outcome { self.on_true } else { self.on_false }
    }

    /// The promise, in the copy.
    pub(in crate::code) fn tokens(self) -> TokenStream {
        let promise = variable();
        let on_false = match self.on_false {
            None => None,
            Some(Bit::False) => Some(quote!(#promise & 1)),
            Some(Bit::True) => Some(quote!(__p::not(#promise) & 1)),
        };
        let on_true = match self.on_true {
            None => None,
            Some(Bit::False) => Some(quote!(__p::returns_false(#promise))),
            Some(Bit::True) => Some(quote!(__p::returns_true(#promise))),
        };
        match (self.on_false, self.on_true) {
            (Some(Bit::False), Some(Bit::True)) => quote!(#promise),
            (Some(Bit::True), Some(Bit::False)) => quote!(__p::not(#promise)),
            (None, None) => quote!(0),
            _ => match (on_false, on_true) {
                (Some(f), Some(t)) => quote!(#f | #t),
                (f, t) => quote!(#f #t),
            },
        }
    }
}

/// The variable that holds what the caller has promised. Variables are hygienic, so it must not get the span of a
/// token that may come from a macro.
pub(in crate::code) fn variable() -> Ident {
    Ident::new("__promise", Span::call_site())
}

/// The first statement of a function: takes what its caller has promised.
pub(in crate::code) fn take() -> Stmt {
    let promise = variable();
    parse_quote!(let #promise = __p::enter();)
}

/// The first statement of a function that takes no promise, but calls functions that do: drops it.
pub(in crate::code) fn drop_pending() -> Stmt {
    parse_quote!(let _ = __p::enter();)
}

fn is_mark(path: &Path) -> bool {
    path.is_ident("__promised")
}

/// `__promised(PROMISE, e)`: how a promise gets to the step that rewrites `e`.
pub(in crate::code) fn mark(context: Context, e: &mut Expr) {
    let promise = context.tokens();
    *e = parse_quote!(__promised(#promise, #e));
}

/// The promise and the expression of a mark.
pub(in crate::code) fn marked(e: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::Call(ExprCall { func, args, .. }) = e else { return None };
    match &**func {
        Expr::Path(p) if is_mark(&p.path) => Some((&args[0], &args[1])),
        _ => None,
    }
}

/// `__unless(PROMISE, field, test, e)`: how a condition about one field gets to the step that rewrites it.
pub(in crate::code) fn mark_condition(context: Context, field: &Expr, test: &Expr, e: &mut Expr) {
    let promise = context.tokens();
    *e = parse_quote!(__unless(#promise, #field, #test, #e));
}

/// The parts of such a mark.
pub(in crate::code) fn condition(e: &Expr) -> Option<[&Expr; 4]> {
    let Expr::Call(ExprCall { func, args, .. }) = e else { return None };
    match &**func {
        Expr::Path(p) if p.path.is_ident("__unless") => Some([&args[0], &args[1], &args[2], &args[3]]),
        _ => None,
    }
}
