//! Folds over the elements of a vector: `E.iter().map(f).max()`, and the same with `min` and `sum`, and `all(f)`, `any(f)`,
//! `fold(init, f)`.
//!
//! Such a fold may be answered for a whole group of lists, if `f` captures nothing. Then it is written as a call that gives the
//! compiler the choice: see `smallscope_core::groups::mapped`. What the caller has promised is passed to `f`, since the body
//! of a closure mentions it.
//!
//! Closures capture nothing but local variables, and each of these has a name in a pattern of the same function. So a closure
//! that mentions no such name captures nothing. With the feature `summaries`.

use super::promises::context::variable;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{parse_quote, quote};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ExprClosure, ExprMethodCall, FnArg, Pat, PatIdent, Signature, Type};

/// Rewrites the folds in a function.
pub(super) fn put_into(sig: &Signature, block: &mut syn::Block) {
    let mut locals = Locals(vec![]);
    for input in &sig.inputs {
        if let FnArg::Typed(t) = input {
            locals.visit_pat_mut(&mut (*t.pat).clone());
        }
    }
    locals.visit_block_mut(&mut block.clone());
    Folds { locals: locals.0 }.visit_block_mut(block);
}

/// The names of all local variables.
struct Locals(Vec<String>);

impl VisitMut for Locals {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Ident(PatIdent { ident, .. }) = pat {
            self.0.push(ident.to_string());
        }
        visit_mut::visit_pat_mut(self, pat);
    }
}

struct Folds {
    locals: Vec<String>,
}

impl VisitMut for Folds {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::MethodCall(call) = &*e {
            if let Some(new) = self.fold(call) {
                *e = new;
            }
        }
    }
}

impl Folds {
    /// A fold, as a call that the compiler may answer for a list.
    fn fold(&self, call: &ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (name.as_str(), &arguments[..], &call.turbofish) {
            ("all" | "any", [f], None) => {
                let (of, f) = (source(&call.receiver)?, self.function(f, 1)?);
                let method = if name == "all" { quote!(all_of()) } else { quote!(any_of()) };
                Some(made(&name, &quote!(__p::NotListed), quote!(mapped), &quote!(#of), f, &method))
            }
            ("fold", [init, f], None) => {
                let (of, f) = (source(&call.receiver)?, self.function(f, 2)?);
                let given = quote!(#of, #init);
                Some(made(&name, &quote!(__p::NotFolded), quote!(folded), &given, f, &quote!(fold_of())))
            }
            ("max" | "min" | "sum", [], turbofish) => {
                let Expr::MethodCall(map) = &*call.receiver else { return None };
                let method = match (name.as_str(), turbofish) {
                    ("max", None) => quote!(max_of()),
                    ("min", None) => quote!(min_of()),
                    ("sum", Some(of)) if is_integer(&of.args) => quote!(sum_of #of ()),
                    _ => return None,
                };
                let (true, [f]) = (map.method == "map", &map.args.iter().collect::<Vec<_>>()[..]) else {
                    return None;
                };
                let (of, f) = (source(&map.receiver)?, self.function(f, 1)?);
                Some(made(&name, &quote!(__p::NotListed), quote!(mapped), &quote!(#of), f, &method))
            }
            _ => None,
        }
    }

    /// A function that captures nothing, with the promise as its first argument, and the promise.
    fn function(&self, f: &Expr, arguments: usize) -> Option<(TokenStream, TokenStream)> {
        match f {
            Expr::Closure(closure) if closure.inputs.len() == arguments && self.captures_nothing(closure) => {
                let promise = variable();
                let (inputs, body) = (&closure.inputs, &closure.body);
                let is_promised = mentions(body.to_token_stream(), &|name| *name == promise);
                let given = if is_promised { quote!(#promise) } else { quote!(0) };
                Some((given, quote!(|#promise, #inputs| #body)))
            }
            // A path with one segment may be a local variable.
            Expr::Path(path) if path.path.segments.len() > 1 && arguments == 1 => {
                Some((quote!(0), quote!(|_, __item| #path(__item))))
            }
            _ => None,
        }
    }

    fn captures_nothing(&self, closure: &ExprClosure) -> bool {
        let (mut parameters, mut own) = (Locals(vec![]), Locals(vec![]));
        closure.inputs.iter().for_each(|pat| parameters.visit_pat_mut(&mut pat.clone()));
        own.visit_expr_mut(&mut Expr::Closure(closure.clone()));
        let promise = variable();
        let is_odd = closure.asyncness.is_some()
            || closure.constness.is_some()
            || closure.movability.is_some()
            || !matches!(closure.output, syn::ReturnType::Default);
        let count = |names: &[String], text: &str| names.iter().filter(|name| *name == text).count();
        let is_outer = |name: &Ident| {
            let text = name.to_string();
            text == "self"
                || *name != promise
                    && !parameters.0.contains(&text)
                    && count(&self.locals, &text) > count(&own.0, &text)
        };
        !is_odd && !mentions(closure.to_token_stream(), &is_outer)
    }
}

/// An iterator over all elements of something.
fn source(e: &Expr) -> Option<&Expr> {
    let Expr::MethodCall(call) = e else { return None };
    match (call.method.to_string().as_str(), call.args.is_empty()) {
        ("iter", true) => Some(e),
        ("__items", true) => match inner(&call.receiver) {
            Expr::MethodCall(inner) if inner.method == "iter" && inner.args.is_empty() => Some(e),
            _ => None,
        },
        _ => None,
    }
}

fn inner(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(e) => inner(&e.expr),
        Expr::Group(e) => inner(&e.expr),
        e => e,
    }
}

fn made(
    name: &str,
    others: &TokenStream,
    function: TokenStream,
    given: &TokenStream,
    (promise, f): (TokenStream, TokenStream),
    method: &TokenStream,
) -> Expr {
    let name = match name {
        "max" | "min" | "sum" => format!("iter().map(..).{name}()"),
        _ => format!("iter().{name}(..)"),
    };
    parse_quote! {{
        #[allow(unused_imports)]
        use #others as _;
        static __LIST: __p::HelperSite = __p::HelperSite { name: #name, line: ::core::line!() };
        __p::#function(&__LIST, #promise, #given, #f).#method
    }}
}

/// Whether all that is summed up is an integer.
fn is_integer(of: &syn::punctuated::Punctuated<syn::GenericArgument, syn::Token![,]>) -> bool {
    let is_one = |of: &syn::GenericArgument| match of {
        syn::GenericArgument::Type(Type::Path(p)) => INTEGERS.iter().any(|integer| p.path.is_ident(integer)),
        _ => false,
    };
    of.len() == 1 && of.iter().all(is_one)
}

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// Whether a name stands in some code, and not behind a dot.
fn mentions(tokens: TokenStream, is_wanted: &dyn Fn(&Ident) -> bool) -> bool {
    let mut is_field = false;
    for token in tokens {
        let was_field = std::mem::replace(&mut is_field, false);
        match token {
            TokenTree::Ident(name) if !was_field && is_wanted(&name) => return true,
            TokenTree::Punct(p) => {
                is_field = p.as_char() == '.' && p.spacing() == proc_macro2::Spacing::Alone
            }
            TokenTree::Group(group) if mentions(group.stream(), is_wanted) => return true,
            _ => {}
        }
    }
    false
}
