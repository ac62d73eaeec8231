//! Calls of free functions that are not part of the copy.
//!
//! Whether such a function takes plain data or a structure, only the compiler knows. So arguments that may be parts of the
//! structure go through `Argument`, whose methods tell the two apart: see `smallscope_core::mirror::arguments`.

use super::args::{self, Args};
use super::rewrite::Rewriter;
use super::vars::Var;
use super::{Kind, names};
use crate::syntax::{NameMap, Names, path_names, quote, quote_spanned};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, Path, UnOp};

/// The functions that an item calls without containing them.
#[derive(Default)]
pub(super) struct FreeFunctions {
    /// Functions that have a version for the copy: those of the item, and those that are listed.
    mirrored: Names,
    /// Those of them that are marked `#[mirror]` themselves.
    marked: Names,
    /// By name: where it is first called, and its path in words.
    called: NameMap<(Ident, String)>,
}

impl FreeFunctions {
    /// `marked` is the item, if it is a function.
    pub(super) fn new(own: &Names, args: &Args, marked: Option<&Ident>) -> FreeFunctions {
        let mut functions = FreeFunctions { mirrored: own.clone(), ..FreeFunctions::default() };
        for name in args.functions.iter().map(args::last).chain(marked) {
            functions.mirrored.insert(name.to_string());
            functions.marked.insert(name.to_string());
        }
        functions
    }

    /// Whether a function is marked `#[mirror]`.
    pub(super) fn is_marked(&self, name: &Ident) -> bool {
        self.marked.contains(&name.to_string())
    }

    /// Whether a path leads to a free function that may know only real types.
    fn may_be_outside(&self, path: &Path) -> bool {
        let first = path.segments[0].ident.to_string();
        let is_ours = first == "__p" || names::is_std_module(&first);
        !is_ours
            && path.leading_colon.is_none()
            && names::type_position(path).is_none()
            && !self.mirrored.contains(&args::last(path).to_string())
    }

    /// What refuses parts of the structure: one trait for each function, for its message.
    pub(super) fn refusals(&self, kind: Kind) -> TokenStream {
        let mut refusals = TokenStream::new();
        let attribute = kind.attribute();
        for (name, path) in self.called.values() {
            let (span, marker) = (name.span(), marker(name));
            let bound = format_ident!("function_{}_in_the_invariant", plain(name), span = span);
            let refusal = format_ident!("__Refused_{}", plain(name), span = span);
            let message = format!(
                "the invariant gives a part of the structure to `{name}`: write `#[mirror]` above `fn {name}`, and \
                    `#[{attribute}(fn {path})]` here"
            );
            let refused = quote_spanned! {span=>
                struct #marker;
                #[diagnostic::on_unimplemented(message = #message, label = "a part of the structure")]
                trait #bound {}
                #[diagnostic::do_not_recommend]
                impl<T: __p::NoType + ?::core::marker::Sized> #bound for T {}
                trait #refusal<A> {
                    fn __pass(&mut self) -> A where A: #bound { ::core::unreachable!() }
                }
                impl<A, T> #refusal<A> for __p::Argument<A, T, #marker> where (A, T): __p::Apart {}
            };
            refused.to_tokens(&mut refusals);
        }
        refusals
    }
}

fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// A type that stands for a function.
fn marker(name: &Ident) -> Ident {
    format_ident!("__Function_{}", plain(name), span = name.span())
}

/// Whether an argument may be a part of the structure, and a shared reference or an `Option` of one.
fn may_be_part(rewriter: &Rewriter<'_>, e: &Expr) -> bool {
    match e {
        Expr::Reference(r) => r.mutability.is_none() && is_place(&r.expr),
        Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
            rewriter.vars.is_reference(name) || rewriter.vars.get(&name.to_string()) == Var::CellRef
        }),
        Expr::MethodCall(c) => c.args.is_empty() && (c.method == "as_ref" || c.method == "as_deref"),
        _ => false,
    }
}

fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Field(_) | Expr::Index(_) | Expr::Path(_) | Expr::MethodCall(_) => true,
        Expr::Paren(p) => is_place(&p.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_place(&u.expr),
        _ => false,
    }
}

/// Which arguments of a call have to go through `Argument`; none if the function is known, or not called by its name.
/// Comes before the call is rewritten.
pub(super) fn parts(rewriter: &Rewriter<'_>, c: &ExprCall) -> Vec<bool> {
    let Expr::Path(p) = &*c.func else { return vec![] };
    let is_variable = p.path.get_ident().is_some_and(|name| rewriter.vars.has(name));
    if p.qself.is_some() || is_variable || !rewriter.free_functions.may_be_outside(&p.path) {
        return vec![];
    }
    let mut parts = vec![];
    for argument in &c.args {
        parts.push(may_be_part(rewriter, argument));
    }
    if parts.contains(&true) { parts } else { vec![] }
}

/// Rewrites a call whose arguments are rewritten already.
pub(super) fn call(rewriter: &mut Rewriter<'_>, c: &ExprCall, parts: &[bool]) -> Option<Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    if parts.is_empty() {
        return None;
    }
    let name = args::last(&p.path);
    let (function, span, marker) = (&c.func, name.span(), marker(name));
    let called = (name.clone(), path_names(&p.path).join("::"));
    rewriter.free_functions.called.get_or_insert(&name.to_string(), called);
    let (mut types, mut unknown, mut arguments) = (vec![], vec![], TokenStream::new());
    for (i, (argument, is_part)) in c.args.iter().zip(parts).enumerate() {
        if !is_part {
            quote!(#argument,).to_tokens(&mut arguments);
            continue;
        }
        let (ty, at) = (format_ident!("__a{i}", span = span), argument.span());
        let value = quote_spanned!(at=> __p::Argument::new(#ty, #marker, #argument).__pass());
        quote_spanned!(at=> __p::pass(#ty, #value),).to_tokens(&mut arguments);
        types.push(ty);
        unknown.push(quote_spanned!(span=> ::core::marker::PhantomData));
    }
    // In a `match`, temporary values live as long as in a call.
    Some(syn::parse_quote_spanned!(span=> (match (#(#unknown,)*) { (#(#types,)*) => #function(#arguments) })))
}
