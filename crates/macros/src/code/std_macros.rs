//! Expressions inside macro calls.
//!
//! `assert!(self.size < 9)` reads a field, so the arguments of macro calls are rewritten, too. Macros whose
//! arguments are a list of expressions are opened and put together again; `matches!` becomes the `match` that
//! it stands for, and `classes!` the set. A call with a syntax of its own stays as it is, and is refused if it
//! seems to read a field.

use crate::syntax::args::parse_all;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Matches, ends_with, parse_quote_spanned, quote, quote_spanned, text};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprMatch, Ident, Lit, Macro, Pat, Path, Stmt, Token};

/// The arguments of a macro call that are expressions.
pub(super) enum Call {
    /// `name!(a, b, c)`
    List(Vec<Expr>),
    /// `vec![a; n]`
    Repeat(Box<Expr>, Box<Expr>),
}

impl Call {
    /// Opens a macro call, if its arguments are expressions.
    pub(super) fn open(mac: &Macro) -> Option<Call> {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(list) = list.parse2(mac.tokens.clone()) {
            return Some(Call::List(list.into_iter().collect()));
        }
        let repeat = |input: ParseStream<'_>| {
            let element = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok(Call::Repeat(Box::new(element), Box::new(input.parse()?)))
        };
        repeat.parse2(mac.tokens.clone()).ok()
    }

    /// The expressions, to look at or to change.
    pub(super) fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Call::List(list) => list.iter_mut().collect(),
            Call::Repeat(element, count) => vec![element, count],
        }
    }

    /// Puts the call together again.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Call::List(list) => quote!(#(#list),*),
            Call::Repeat(element, count) => quote!(#element; #count),
        }
    }
}

/// Looks at every expression in a macro call; returns whether its arguments are expressions.
pub(super) fn look(mac: &Macro, f: &mut dyn FnMut(&mut Expr)) -> bool {
    let Some(mut call) = Call::open(mac) else { return false };
    for e in call.expressions_mut() {
        f(e);
    }
    true
}

/// Applies a change to every expression in a macro call; returns whether its arguments are expressions.
pub(super) fn change(mac: &mut Macro, f: &mut dyn FnMut(&mut Expr)) -> bool {
    let Some(mut call) = Call::open(mac) else { return false };
    for e in call.expressions_mut() {
        f(e);
    }
    mac.tokens = call.tokens();
    true
}

/// `matches!(e, p if g)` as `match e { p if g => true, _ => false }`.
fn matches_call(mac: &Macro) -> Option<Expr> {
    let Matches { expr, pat, guard } = Matches::open(mac)?;
    let guard = guard.map(|g| quote!(if #g));
    let span = mac.path.span();
    Some(parse_quote_spanned!(span=> match #expr { #pat #guard => true, _ => false }))
}

/// `classes![name => e, ..]` as the set that it stands for.
fn classes_call(mac: &Macro, krate: &Path) -> Option<Expr> {
    if !ends_with(&mac.path, "classes") {
        return None;
    }
    let (mut names, mut tests) = (vec![], vec![]);
    let parsed = parse_all(mac.tokens.clone(), &mut |input| {
        names.push(input.call(Ident::parse_any)?.to_string());
        input.parse::<Token![=>]>()?;
        tests.push(input.parse::<Expr>()?);
        Ok(())
    });
    parsed.ok()?;
    let span = mac.path.span();
    Some(parse_quote_spanned!(span=> #krate::__private::class_set(&[#(#names),*], &[#(#tests),*])))
}

/// `dbg!(a, b)` as calls that print what the user wrote.
fn dbg_call(mac: &Macro, krate: &Path) -> Option<Expr> {
    if !ends_with(&mac.path, "dbg") {
        return None;
    }
    let Some(Call::List(list)) = Call::open(mac) else { return None };
    let (span, mut calls) = (mac.path.span(), vec![]);
    for e in list {
        let text = text::whole(e.to_token_stream());
        calls.push(quote_spanned! {span=>
            #krate::__private::dbg(
                ::core::concat!(::core::file!(), ":", ::core::line!(), ":", ::core::column!()), #text, #e
            )
        });
    }
    match calls.as_slice() {
        [] => None,
        [call] => Some(parse_quote_spanned!(span=> #call)),
        _ => Some(parse_quote_spanned!(span=> (#(#calls),*))),
    }
}

/// Gives `assert!(e)` the message that it has on what the user wrote.
fn assertion(mac: &mut Macro) {
    if !(ends_with(&mac.path, "assert") || ends_with(&mac.path, "debug_assert")) {
        return;
    }
    if let Some(Call::List(list)) = Call::open(mac) {
        if let [e] = list.as_slice() {
            let message = format!("assertion failed: {}", text::whole(e.to_token_stream()));
            mac.tokens = quote!(#e, "{}", #message);
        }
    }
}

/// The tokens of an expression for reports, with `matches!` in place of the `match` that stands for it.
pub(super) fn with_matches(e: &Expr) -> TokenStream {
    let opened = if let Expr::Match(m) = e { as_matches(m) } else { None };
    opened.unwrap_or_else(|| e.to_token_stream())
}

/// The `matches!` that a `match` stands for, as text for reports.
pub(super) fn as_matches(m: &ExprMatch) -> Option<TokenStream> {
    let is = |e: &Expr, value: bool| matches!(e, Expr::Lit(l) if matches!(&l.lit, Lit::Bool(b) if b.value == value));
    let [yes, no] = m.arms.as_slice() else { return None };
    if !(is(&yes.body, true) && is(&no.body, false) && matches!(no.pat, Pat::Wild(_))) {
        return None;
    }
    let (scrutinee, pattern) = (&m.expr, &yes.pat);
    let guard = yes.guard.as_ref().map(|(_, g)| quote!(if #g));
    Some(quote_spanned!(m.match_token.span=> matches!(#scrutinee, #pattern #guard)))
}

/// Replaces every `matches!`, `classes!` and `dbg!`, also inside other macro calls, so that the later steps need not know them.
pub(super) struct OpenMacros<'a> {
    /// The path of the `smallscope` crate.
    pub(super) krate: &'a Path,
}

impl OpenMacros<'_> {
    fn open(&self, mac: &Macro) -> Option<Expr> {
        matches_call(mac).or_else(|| classes_call(mac, self.krate)).or_else(|| dbg_call(mac, self.krate))
    }
}

impl VisitMut for OpenMacros<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let opened = match e {
            Expr::Macro(m) => self.open(&m.mac),
            _ => None,
        };
        if let Some(opened) = opened {
            *e = opened;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// `matches! { .. }` in the place of a statement.
    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        let opened = match s {
            Stmt::Macro(m) => self.open(&m.mac).map(|opened| (opened, m.semi_token)),
            _ => None,
        };
        if let Some((opened, semicolon)) = opened {
            *s = Stmt::Expr(opened, semicolon);
        }
        visit_mut::visit_stmt_mut(self, s);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        assertion(mac);
        change(mac, &mut |e| self.visit_expr_mut(e));
    }
}

/// The first token in a macro call with its own syntax that looks like a field: `x.f`, but not `x.f()`.
pub(super) fn field_access(tokens: TokenStream) -> Option<TokenTree> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let dot = |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == '.');
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(g) => {
                if let Some(found) = field_access(g.stream()) {
                    return Some(found);
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_)
                if i >= 2 && dot(trees.get(i - 1)) && !dot(trees.get(i - 2)) =>
            {
                let called = match trees.get(i + 1) {
                    Some(TokenTree::Group(g)) => g.delimiter() == proc_macro2::Delimiter::Parenthesis,
                    Some(TokenTree::Punct(p)) => p.as_char() == ':',
                    _ => false,
                };
                if !called {
                    return Some(tree.clone());
                }
            }
            _ => {}
        }
    }
    None
}
