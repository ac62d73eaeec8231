//! The scope of the copy: declarations that make names mean their mirrors.
//!
//! Types, paths and patterns of the copy need no rewriting, because it sits in a block of its own, where
//! `use NodeMirror as Node` wins over the names of the module. There are two blocks, one in the other: the
//! outer one still sees the real types, and turns them into their mirrors by way of the trait `Mirrored`,
//! which works for imported types and aliases, and fails with a message of ours. Nothing is named through
//! `self::`, so all this works inside function bodies too.

use super::args::{self, Args};
use super::mentions::{Mention, Mentions, Parameter};
use super::names;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::{BTreeMap, HashSet};
use syn::{Lifetime, Path};

/// What the names of an item mean in its copy.
pub(super) struct Scope {
    /// Structures that are not listed in the attribute: not helper types, so not to be built.
    pub(super) structures: HashSet<String>,
    /// Types that are the same in the copy: parameters, local types, opaque ones.
    pub(super) plain: HashSet<String>,
    /// Types listed in the attribute.
    listed: HashSet<String>,
    /// Whether `Weak` is the one of `Arc`.
    pub(super) weak_of_arc: bool,
    /// Real types that the copy still needs, with the names that the outer block gives them.
    pub(super) real: BTreeMap<String, (Ident, Ident)>,
    outer: TokenStream,
    inner: TokenStream,
}

/// What the scope is made for.
pub(super) struct Subject<'a> {
    pub(super) args: &'a Args,
    pub(super) mentions: &'a Mentions,
    /// The type that an impl block is about, which is never std's.
    pub(super) own: Option<String>,
    /// Whether the item has type parameters.
    pub(super) generic: bool,
}

impl Scope {
    pub(super) fn new(subject: &Subject<'_>) -> Scope {
        let Subject { args, mentions, own, generic } = subject;
        let mentioned = |name: &str| mentions.types.contains_key(name);
        let mut scope = Scope {
            structures: HashSet::new(),
            plain: mentions.local.union(&args.opaque).cloned().collect(),
            listed: args.types.iter().map(|p| args::last(p).to_string()).collect(),
            weak_of_arc: mentioned("Arc") && !mentioned("Rc"),
            real: BTreeMap::new(),
            outer: TokenStream::new(),
            inner: TokenStream::new(),
        };
        for path in &args.types {
            scope.import(path, names::mirror_type);
        }
        for path in &args.functions {
            scope.import(path, names::mirror_fn);
        }
        for path in &args.variants {
            let path = renamed(path, names::mirror_type);
            scope.inner.extend(quote!(use #path::*;));
        }
        for (name, mention) in &mentions.types {
            let is_own = own.as_ref() == Some(name);
            if name == "Self" || args.lists(name) || scope.plain.contains(name) {
                continue;
            }
            if !is_own && names::is_pointer(name) {
                scope.pointer(mention);
            } else if is_own || !names::is_std(name) {
                scope.structures.insert(name.clone());
                if !mentions.imported.contains(name) {
                    scope.structure(mention, *generic);
                }
            }
        }
        scope
    }

    /// `use path::NodeMirror as Node`
    fn import(&mut self, path: &Path, mirror: fn(&Ident) -> Ident) {
        let name = args::last(path);
        let path = renamed(path, mirror);
        self.inner.extend(quote_spanned!(name.span()=> use #path as #name;));
    }

    /// A smart pointer. One that is only ever made here, as in `Cell::new(0)`, is a local helper value and
    /// stays std's.
    fn pointer(&mut self, mention: &Mention) {
        let name = &mention.ident;
        if mention.made && !mention.as_type {
            self.plain.insert(name.to_string());
            return;
        }
        let mirror = names::pointer_mirror(name, self.weak_of_arc);
        let cfg = mention.cfg();
        self.inner.extend(quote!(#cfg use __p::mirror::#mirror as #name;));
    }

    fn structure(&mut self, mention: &Mention, generic: bool) {
        let name = &mention.ident;
        let (span, cfg) = (name.span(), mention.cfg());
        // Without a look at its generic arguments, a type of a generic item is better taken by name.
        if mention.needs_item || !mention.as_type && mention.elided && generic {
            let mirror = names::mirror_type(name);
            self.inner.extend(quote_spanned!(span=> #cfg use #mirror as #name;));
            return;
        }
        let parameters: Vec<TokenStream> = mention
            .parameters
            .iter()
            .enumerate()
            .map(|(i, p)| match p {
                Parameter::Lifetime => Lifetime::new(&format!("'t{i}"), span).to_token_stream(),
                Parameter::Type => format_ident!("T{i}", span = span).to_token_stream(),
            })
            .collect();
        let alias = format_ident!("__MirrorOf{name}", span = span);
        self.outer.extend(quote_spanned! {span=>
            #cfg type #alias<#(#parameters),*> = <#name<#(#parameters),*> as __p::Mirrored>::Mirror;
        });
        self.inner.extend(quote_spanned!(span=> #cfg use #alias as #name;));
    }

    /// A name under which the copy still finds a real type.
    pub(super) fn real_name(&mut self, name: &Ident) -> Ident {
        let real = format_ident!("__RealOf{name}", span = name.span());
        self.real.insert(name.to_string(), (name.clone(), real.clone()));
        real
    }

    /// The declarations of the outer block.
    pub(super) fn outer(&self, krate: &Path) -> TokenStream {
        let (declarations, real) =
            (&self.outer, self.real.values().map(|(name, real)| quote!(use #name as #real;)));
        quote!(use #krate::__private as __p; #(#real)* #declarations)
    }

    /// The declarations of the inner block.
    pub(super) fn inner(&self) -> TokenStream {
        let declarations = &self.inner;
        quote!(#declarations use __p::{Plain as _, PlainIndex as _, PlainLate as _, PlainLateIndex as _, mirror::{PlainRest as _, PlainSlice as _, RefFns as _}};)
    }

    /// Whether the fields of a pattern with this path are cells. An unknown name counts as a structure: it
    /// may be a variant imported by a `use`, and `__bind` does nothing on what is not a cell.
    pub(super) fn has_cells(&self, path: &Path) -> bool {
        let name = path.segments[0].ident.to_string();
        if name == "Self" || self.structures.contains(&name) || self.listed.contains(&name) {
            return true;
        }
        let is_std =
            if path.segments.len() == 1 { names::is_std_variant(&name) } else { names::is_std(&name) };
        !is_std && !self.plain.contains(&name)
    }
}

fn renamed(path: &Path, mirror: fn(&Ident) -> Ident) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = mirror(&last.ident);
    }
    path
}
