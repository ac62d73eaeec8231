//! Methods that the copy calls and that may not be part of it.
//!
//! The macro sees one impl block. A method of another block is in the copy only if that block is marked `#[mirror]`, and
//! whether it is, only the compiler knows. So each method that the copy calls without containing it gets a namesake in a
//! trait that all structures in the copy implement. The namesake takes `&mut self`, which the compiler considers after all
//! methods that take `self` or `&self`, and has a bound that no type satisfies, with our message.
//!
//! Functions that are called by way of their type, `Self::height(..)`, have namesakes, too. There the compiler knows no
//! order among traits, so that the namesake must not be applicable: the trait has the bound, and the message is that of
//! the bound because no other function fits.

use super::scope::Scope;
use super::{Kind, names, std_macros};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, Names, is_one_of, quote, quote_spanned};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, ImplItem, Item, ItemFn, Macro};

/// Methods of `Option`s, iterators and vectors that no structure has, to keep expansions short.
const OF_STD: &[&str] = &[
    "all",
    "any",
    "as_deref",
    "as_ref",
    "cloned",
    "collect",
    "copied",
    "enumerate",
    "expect",
    "is_none",
    "is_none_or",
    "is_some",
    "is_some_and",
    "is_sorted",
    "map",
    "map_or",
    "map_or_else",
    "push",
    "rev",
    "skip",
    "unwrap",
    "unwrap_or",
    "windows",
    "zip",
];

/// The methods that an item calls.
#[derive(Default)]
pub(super) struct Calls {
    /// By name: where it is first called, and with how many arguments.
    called: NameMap<(Ident, usize)>,
    /// By name: functions that are called by way of a type, where, and the name of the type.
    by_path: NameMap<(Ident, String)>,
    /// Functions of the item itself.
    pub(super) own: Names,
    /// The last names of paths that are not called: variables, and functions that are passed on.
    pub(super) passed: Names,
    /// Whether the next path is called.
    is_called: bool,
}

impl Calls {
    pub(super) fn of(item: &Item) -> Calls {
        let mut calls = Calls::default();
        calls.visit_item_mut(&mut item.clone());
        calls
    }

    /// The trait with the namesakes.
    pub(super) fn outside(&self, kind: Kind, scope: &Scope, own: Option<&String>) -> TokenStream {
        let (mut bounds, mut methods) = (self.functions(kind, scope, own), TokenStream::new());
        for (ident, arguments) in self.called.values() {
            let (name, span) = (ident.to_string(), ident.span());
            if self.own.contains(&name) || is_one_of(ident, OF_STD) {
                continue;
            }
            let bound = format_ident!("{}_in_the_invariant", name.trim_start_matches("r#"), span = span);
            let message = message(kind, &name, "{Self}");
            let declared = quote_spanned! {span=>
                #[diagnostic::on_unimplemented(message = #message, label = "not part of the invariant")]
                trait #bound {}
                #[diagnostic::do_not_recommend]
                impl<T: __p::NoType> #bound for T {}
            };
            declared.to_tokens(&mut bounds);
            let mut types = vec![];
            for i in 0..*arguments {
                types.push(format_ident!("A{i}", span = span));
            }
            let method = quote::quote_spanned! {span=>
                fn #ident<R, #(#types),*>(&mut self, #(_: #types),*) -> R where Self::Original: #bound { ::core::unreachable!() }
            };
            method.to_tokens(&mut methods);
        }
        if methods.is_empty() {
            return bounds;
        }
        quote! {
            #bounds
            trait __Outside: __p::InCopy { #methods }
            impl<T: __p::InCopy> __Outside for T {}
        }
    }

    /// The traits with the namesakes of functions that are called by way of a type.
    fn functions(&self, kind: Kind, scope: &Scope, own: Option<&String>) -> TokenStream {
        let mut traits = TokenStream::new();
        for (ident, of) in self.by_path.values() {
            let (name, span) = (ident.to_string(), ident.span());
            let of = if of == "Self" { own.unwrap_or(of) } else { of };
            let is_own = Some(of) == own;
            if is_own && self.own.contains(&name) || !is_own && !scope.structures.contains(of) {
                continue;
            }
            let plain = name.trim_start_matches("r#");
            // Where the compiler infers parameters of the type, it prints this name in place of the message.
            let bound = format_ident!("{plain}_must_be_in_an_impl_block_marked_mirror", span = span);
            let namesake = format_ident!("__Outside_{plain}", span = span);
            let message = message(kind, &name, of);
            let declared = quote_spanned! {span=>
                #[diagnostic::on_unimplemented(message = #message, label = "not part of the invariant")]
                trait #bound {}
                trait #namesake { fn #ident() {} }
                impl<T: #bound> #namesake for T {}
            };
            declared.to_tokens(&mut traits);
        }
        traits
    }
}

fn message(kind: Kind, name: &str, of: &str) -> String {
    let place = match kind {
        Kind::Mirror => "here".to_owned(),
        _ => format!("into this `#[{}]` block", kind.attribute()),
    };
    format!(
        "the invariant cannot call `{name}` of `{of}`: write `#[mirror]` above the impl block that has it, or above \
            `fn {name}` if that block has `#[rep_ok]`, or move it {place}"
    )
}

impl VisitMut for Calls {
    fn visit_expr_method_call_mut(&mut self, c: &mut ExprMethodCall) {
        // With a turbofish, the namesake would need as many parameters.
        if c.turbofish.is_none() {
            self.called.get_or_insert(&c.method.to_string(), (c.method.clone(), c.args.len()));
        }
        visit_mut::visit_expr_method_call_mut(self, c);
    }

    fn visit_expr_call_mut(&mut self, c: &mut ExprCall) {
        self.is_called = matches!(&*c.func, Expr::Path(_));
        visit_mut::visit_expr_call_mut(self, c);
    }

    fn visit_expr_path_mut(&mut self, e: &mut ExprPath) {
        let segments = &e.path.segments;
        if !std::mem::take(&mut self.is_called) {
            self.passed.insert(segments[segments.len() - 1].ident.to_string());
        }
        if e.qself.is_none() && segments.len() == 2 && names::is_capital(&segments[0].ident) {
            let (of, function) = (&segments[0].ident, &segments[1].ident);
            if !names::is_capital(function) {
                self.by_path.get_or_insert(&function.to_string(), (function.clone(), of.to_string()));
            }
        }
        visit_mut::visit_expr_path_mut(self, e);
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        if let ImplItem::Fn(f) = item {
            self.own.insert(f.sig.ident.to_string());
        }
        visit_mut::visit_impl_item_mut(self, item);
    }

    fn visit_item_fn_mut(&mut self, f: &mut ItemFn) {
        self.own.insert(f.sig.ident.to_string());
        visit_mut::visit_item_fn_mut(self, f);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e));
    }
}
