//! The two versions of a method as methods of their own: one as it is written, one with mutants.
//!
//! The method itself tests once which version runs. Each version calls the same version of other methods of the block,
//! so a call from outside costs one test, and code as it is written is inlined as if there were no mutants.

use super::expand::quiet;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{PLAIN, parse_quote, quote, take_marks};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::BTreeSet;
use syn::ext::IdentExt;
use syn::{Attribute, Block, Expr, ExprMethodCall, ExprPath, FnArg, GenericParam, ImplItemFn, Pat, Path};

/// A method, and its body with mutants.
pub(crate) struct Pair {
    pub(crate) method: ImplItemFn,
    pub(crate) mutated: Block,
}

/// Whether a method can be divided: an expected lint would be expected three times.
pub(crate) fn can_be_divided(method: &ImplItemFn) -> bool {
    !method.attrs.iter().any(|attr| attr.path().is_ident("expect"))
}

/// Methods with two versions.
pub(crate) struct Names {
    /// Those of the block: they are called as methods of `self`.
    pub(crate) own: BTreeSet<String>,
    /// Those that the attribute names.
    pub(crate) named: BTreeSet<String>,
    /// Whether the block also has `#[cover]`.
    pub(crate) is_covered: bool,
}

#[derive(Clone, Copy)]
enum Version {
    Plain,
    Mutated,
}

impl Version {
    fn name(self, method: &Ident, span: Span) -> Ident {
        let method = method.unraw();
        match self {
            Version::Plain => format_ident!("{PLAIN}{method}", span = span),
            Version::Mutated => format_ident!("__smallscope_mutated_{method}", span = span),
        }
    }
}

/// Returns the method that tests, and both versions. What `#[cover]` is to do with it concerns the code as it is written.
pub(crate) fn divide(pair: Pair, names: &Names, krate: &Path) -> [ImplItemFn; 3] {
    let Pair { mut method, mutated } = pair;
    // Elsewhere, they may be under a condition that does not hold.
    let covered = if names.is_covered { take_marks(&mut method.attrs, "cover") } else { vec![] };
    let copied = |attr: &&Attribute| {
        let copied = ["allow", "warn", "deny", "forbid", "must_use", "track_caller"];
        copied.iter().any(|name| attr.path().is_ident(name))
    };
    let copied: Vec<Attribute> = method.attrs.iter().filter(copied).cloned().collect();
    let inline = method.attrs.iter().find(|attr| attr.path().is_ident("inline")).cloned();
    let version = |version: Version, mut body: Block| {
        Calls { names, version }.visit_block_mut(&mut body);
        let (mut sig, vis) = (method.sig.clone(), method.vis.clone());
        sig.ident = version.name(&sig.ident, sig.ident.span());
        let mut attrs = copied.clone();
        attrs.push(parse_quote!(#[doc(hidden)]));
        match version {
            // The compiler divides larger crates into units, and inlines across these only what is marked.
            Version::Plain => {
                attrs.push(inline.clone().unwrap_or_else(|| parse_quote!(#[inline])));
                attrs.extend(covered.iter().map(|mark| -> Attribute { parse_quote!(#[#mark]) }));
            }
            Version::Mutated => {
                let quiet = quiet();
                attrs.push(parse_quote!(#[cold]));
                attrs.push(parse_quote!(#[inline(never)]));
                attrs.push(parse_quote!(#quiet));
            }
        }
        ImplItemFn { attrs, vis, defaultness: None, sig, block: body }
    };
    let plain = version(Version::Plain, method.block.clone());
    let mutated = version(Version::Mutated, mutated);
    let arguments = forwarded(&mut method);
    let generics: Vec<&Ident> = method.sig.generics.params.iter().filter_map(named).collect();
    let generics = if generics.is_empty() { quote!() } else { quote!(::<#(#generics),*>) };
    let (plain_name, mutated_name) = (&plain.sig.ident, &mutated.sig.ident);
    method.block = parse_quote!({
        if #krate::__private::mutation::is_on() {
            return Self::#mutated_name #generics(#(#arguments),*);
        }
        Self::#plain_name #generics(#(#arguments),*)
    });
    method.attrs.retain(|attr| !attr.path().is_ident("inline") && !attr.path().is_ident("cold"));
    // Other methods of the block call its versions.
    method.attrs.push(parse_quote!(#[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery)]));
    method.attrs.push(parse_quote!(#[inline(always)]));
    [method, plain, mutated]
}

fn named(param: &GenericParam) -> Option<&Ident> {
    match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// Gives each argument of a method a plain name, and returns the names.
fn forwarded(method: &mut ImplItemFn) -> Vec<Ident> {
    let mut names = vec![];
    for (number, argument) in method.sig.inputs.iter_mut().enumerate() {
        match argument {
            FnArg::Receiver(receiver) => {
                if receiver.reference.is_none() {
                    receiver.mutability = None;
                }
                names.push(Ident::new("self", receiver.self_token.span));
            }
            FnArg::Typed(typed) => {
                let name = match &*typed.pat {
                    Pat::Ident(pat) => pat.ident.clone(),
                    _ => format_ident!("__argument_{number}"),
                };
                *typed.pat = parse_quote!(#name);
                names.push(name);
            }
        }
    }
    names
}

/// Lets calls of `self.method(..)` and paths `Self::method` name the same version of the method, and all calls of a method
/// that the attribute names.
struct Calls<'a> {
    names: &'a Names,
    version: Version,
}

impl Calls<'_> {
    fn rename(&self, method: &mut Ident, is_own: bool) {
        let name = method.to_string();
        if self.names.named.contains(&name) || is_own && self.names.own.contains(&name) {
            *method = self.version.name(method, method.span());
        }
    }
}

impl VisitMut for Calls<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        let is_own = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        if !is_generated(&call.receiver) {
            self.rename(&mut call.method, is_own);
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        let is_plain = path.qself.is_none() && path.path.leading_colon.is_none();
        let is_own = path.path.segments.first().is_some_and(|first| first.ident == "Self");
        if let (true, 2, Some(last)) = (is_plain, path.path.segments.len(), path.path.segments.last_mut()) {
            self.rename(&mut last.ident, is_own);
        }
        visit_mut::visit_expr_path_mut(self, path);
    }
}

/// Whether a method is called of something that the user has not written: the list of mutants, or the types of operands.
fn is_generated(receiver: &Expr) -> bool {
    match receiver {
        Expr::Paren(e) => is_generated(&e.expr),
        Expr::Reference(e) => is_generated(&e.expr),
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            name.starts_with("__SMALLSCOPE_MUTANTS_") || name == "__types"
        }),
        _ => false,
    }
}
