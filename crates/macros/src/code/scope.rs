//! The scope of the copy: declarations that make names mean their mirrors.
//!
//! Types, paths and patterns of the copy need no rewriting, because it sits in a block of its own, where
//! `use NodeMirror as Node` wins over the names of the module. There are two blocks, one in the other: the
//! outer one still sees the real types, and turns them into their mirrors by way of the trait `Mirrored`,
//! which works for imported types and aliases, and fails with a message of ours.
//!
//! A type that is named without its generic arguments, as in `Slot::Empty`, may have parameters: see [`Scope::around`]. Nothing
//! else is named through `self::`, so all this works inside function bodies too.

use super::args::{self, Args};
use super::mentions::{Mention, Mentions, Parameter};
use super::names;
use crate::syntax::{NameMap, Names, quote, quote_spanned};
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{Lifetime, Path};

/// What the names of an item mean in its copy.
pub(super) struct Scope {
    /// Structures that are not listed in the attribute: not helper types, so not to be built.
    pub(super) structures: Names,
    /// Types that are the same in the copy: parameters, local types, opaque ones.
    pub(super) plain: Names,
    /// Structures of which the item makes values.
    pub(super) made: Names,
    /// Types listed in the attribute.
    listed: Names,
    /// Whether `Weak` is the one of `Arc`.
    pub(super) weak_of_arc: bool,
    /// Real types that the copy still needs, with the names that the outer block gives them.
    real: NameMap<(Ident, Ident)>,
    /// Types without parameters: the compiler finds out which of them have mirrors.
    found: NameMap<Found>,
    outer: TokenStream,
    inner: TokenStream,
}

/// A type that stands for its mirror in the copy if it has one, and for itself otherwise.
struct Found {
    name: Ident,
    /// Its name, or another one if it may have parameters.
    real: Ident,
    alias: Ident,
    cfg: Option<TokenStream>,
    /// Where the item makes a value of it, and what is said about that if it is a structure.
    made: Option<(Span, String)>,
}

impl Found {
    /// The alias. A constant cannot depend on type parameters, so this is for types without parameters.
    fn declaration(&self) -> TokenStream {
        let Found { name, real, alias, cfg, made } = self;
        let span = name.span();
        let is_mirrored = quote_spanned!(span=> __p::IsMirrored::<#real>::YES);
        let Some((at, message)) = made else {
            return quote_spanned! {span=>
                #cfg type #alias = <__p::If<{ #is_mirrored }> as __p::Choose<#real>>::Mirror;
            };
        };
        // If it is a structure, the constant cannot be evaluated, and all that depends on it counts as reported.
        let allowed = format_ident!("{name}_made_by_the_invariant", span = *at);
        let made_name = Ident::new(&real.to_string(), *at);
        let is_structure = quote_spanned!(span=> #is_mirrored && !__p::IsMirrored::<#real>::ITSELF);
        let made = quote_spanned!(*at=> <#made_name as #allowed<{ #is_structure }>>::IS_MIRRORED);
        quote_spanned! {span=>
            #[diagnostic::on_unimplemented(message = #message, label = "made here")]
            #cfg trait #allowed<const IS_STRUCTURE: bool> { const IS_MIRRORED: bool = false; }
            #cfg impl #allowed<false> for #real {}
            #cfg type #alias = <__p::If<{ #made }> as __p::Choose<#real>>::Mirror;
        }
    }

    /// Whether the item never says what parameters it has.
    fn is_elided(&self) -> bool {
        self.real != self.name
    }
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
        let mentioned = mentions.types.names();
        let mut scope = Scope {
            structures: Names::default(),
            plain: mentions.local.clone(),
            made: Names::default(),
            listed: Names::default(),
            weak_of_arc: mentioned.contains("Arc") && !mentioned.contains("Rc"),
            real: NameMap::default(),
            found: NameMap::default(),
            outer: TokenStream::new(),
            inner: TokenStream::new(),
        };
        scope.plain.insert_all(args.opaque.as_slice());
        for path in &args.types {
            scope.listed.insert(args::last(path).to_string());
            scope.import(path, names::listed_import);
        }
        for path in &args.functions {
            scope.import(path, names::mirror_fn);
        }
        for path in &args.variants {
            let path = renamed(path, names::listed_import);
            quote!(use #path::*;).to_tokens(&mut scope.inner);
        }
        for mention in mentions.types.values() {
            let name = mention.ident.to_string();
            let is_own = own.as_ref() == Some(&name);
            if name == "Self" || args.lists(&name) || scope.plain.contains(&name) {
                continue;
            }
            if !is_own && names::is_pointer(&name) {
                scope.pointer(mention);
            } else if is_own || !names::is_std(&name) || mentions.own_names.contains(&name) {
                if !mentions.imported.contains(&name) {
                    scope.structure(mention, is_own, *generic);
                }
                scope.structures.insert(name);
            }
        }
        scope
    }

    /// `use path::NodeMirror as Node`
    fn import(&mut self, path: &Path, mirror: fn(&Ident) -> Ident) {
        let name = args::last(path);
        let path = renamed(path, mirror);
        quote_spanned!(name.span()=> use #path as #name;).to_tokens(&mut self.inner);
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
        quote!(#cfg use __p::mirror::#mirror as #name;).to_tokens(&mut self.inner);
    }

    fn structure(&mut self, mention: &Mention, is_own: bool, generic: bool) {
        let name = &mention.ident;
        let (span, cfg) = (name.span(), mention.cfg());
        // Without a look at its generic arguments, a type of a generic item is better taken by name.
        if mention.needs_item || !mention.as_type && mention.elided && generic {
            let mirror = names::structure_import(name);
            if is_own {
                // The outer block needs it, too. If the derive is missing, that is one error.
                quote_spanned!(span=> use #mirror as __OwnMirror;).to_tokens(&mut self.outer);
                quote_spanned!(span=> #cfg use __OwnMirror as #name;).to_tokens(&mut self.inner);
            } else {
                quote_spanned!(span=> #cfg use #mirror as #name;).to_tokens(&mut self.inner);
            }
            return;
        }
        let mut parameters = vec![];
        for (i, parameter) in mention.parameters.iter().enumerate() {
            parameters.push(match parameter {
                Parameter::Lifetime => Lifetime::new(&format!("'t{i}"), span).to_token_stream(),
                Parameter::Type => format_ident!("T{i}", span = span).to_token_stream(),
            });
        }
        let alias = format_ident!("__MirrorOf{name}", span = span);
        quote_spanned!(span=> #cfg use #alias as #name;).to_tokens(&mut self.inner);
        if parameters.is_empty() {
            let real = if mention.as_type { name.clone() } else { names::without_arguments(name) };
            let found = Found { name: name.clone(), real, alias, cfg, made: None };
            self.found.get_or_insert(&name.to_string(), found);
            return;
        }
        let parameters = quote_spanned!(span=> <#(#parameters),*>);
        let alias = quote_spanned! {span=>
            #cfg type #alias #parameters = <#name #parameters as __p::Mirrored>::Mirror;
        };
        alias.to_tokens(&mut self.outer);
    }

    /// Whether the compiler finds out if a type is a structure.
    pub(super) fn finds(&self, name: &str) -> bool {
        self.found.names().contains(name)
    }

    /// Notes that the item makes values of a type, which is an error if it is a structure.
    pub(super) fn note_made(&mut self, name: &Ident, message: String) {
        if let Some(found) = self.found.get_mut(&name.to_string()) {
            found.made.get_or_insert((name.span(), message));
            // The error is about the alias.
            found.real = found.name.clone();
        }
    }

    /// A name under which the copy still finds a real type.
    pub(super) fn real_name(&mut self, name: &Ident) -> Ident {
        let real = format_ident!("__RealOf{name}", span = name.span());
        self.real.insert(&name.to_string(), (name.clone(), real.clone()));
        real
    }

    /// The declarations of the outer block.
    pub(super) fn outer(&self, krate: &Path) -> TokenStream {
        let mut outer = quote!(use #krate::__private as __p; use __p::NotMirrored as _;);
        for (name, real) in self.real.values() {
            quote!(use #name as #real;).to_tokens(&mut outer);
        }
        self.outer.to_tokens(&mut outer);
        for found in self.found.values() {
            if !found.is_elided() {
                found.declaration().to_tokens(&mut outer);
            }
        }
        outer
    }

    /// Puts the outer block into further ones, in which types are found that are named without generic arguments.
    ///
    /// Such a type may have parameters, and then it cannot be given to a trait. So the copy names its mirror by the name that
    /// the derive gives it. A block whose names all come from `use self::*` finds that in the module; what it does not
    /// find there, the block around it has: the alias that goes through the trait. In the same way the alias does not name a type
    /// with parameters of this module: the derive of such a type defines the other name as something else.
    pub(super) fn around(&self, krate: &Path, content: TokenStream, is_body: bool) -> TokenStream {
        let (mut names, mut aliases) = (TokenStream::new(), TokenStream::new());
        for found in self.found.values() {
            if found.is_elided() {
                let Found { name, real, alias, cfg, .. } = found;
                let (span, mirror) = (name.span(), names::structure_import(name));
                quote_spanned!(span=> #cfg use #name as #real;).to_tokens(&mut names);
                found.declaration().to_tokens(&mut aliases);
                quote_spanned!(span=> #cfg use #alias as #mirror;).to_tokens(&mut aliases);
            }
        }
        if names.is_empty() {
            return content;
        }
        let block = |content: TokenStream| match is_body {
            true => quote!({ #content }),
            false => quote!(const _: () = { #content };),
        };
        let content = block(content);
        let content = block(quote!(use self::*; #content));
        let content = block(quote! {
            use self::*;
            use #krate::__private as __p;
            use __p::NotMirrored as _;
            #aliases
            #content
        });
        quote!(#names #content)
    }

    /// The copy, in which types that are named without generic arguments have the names that [`Scope::around`] declares.
    pub(super) fn renamed(&self, copy: TokenStream) -> TokenStream {
        match self.found.values().iter().any(Found::is_elided) {
            true => self.with_names(copy),
            false => copy,
        }
    }

    fn with_names(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut renamed = TokenStream::new();
        let mut is_first = true;
        while let Some(token) = tokens.next() {
            let is_colon = matches!(&token, TokenTree::Punct(p) if p.as_char() == ':');
            renamed.extend([match token {
                TokenTree::Group(group) => {
                    let mut inside = Group::new(group.delimiter(), self.with_names(group.stream()));
                    inside.set_span(group.span());
                    TokenTree::Group(inside)
                }
                TokenTree::Ident(name) if is_first && is_path(tokens.peek()) => {
                    let is_elided = self.found.get(&name.to_string()).is_some_and(Found::is_elided);
                    TokenTree::Ident(if is_elided { names::structure_import(&name) } else { name })
                }
                other => other,
            }]);
            is_first = !is_colon;
        }
        renamed
    }

    /// The declarations of the inner block.
    pub(super) fn inner(&self) -> TokenStream {
        let declarations = &self.inner;
        let made = (!self.made.as_slice().is_empty()).then(|| {
            quote!(
                use __p::made::{
                    BoundMirror as _, BoundPlain as _, NewPlainBox as _, TakenMirror as _, TakenPlain as _,
                };
            )
        });
        quote!(#declarations #made use __p::{CellLoop as _, HandedCell as _, HandedValue as _, Plain as _, PlainIndex as _, PlainLate as _, PlainLateIndex as _, PlainLoop as _, mirror::{AsSlice as _, CopiedMap as _, CopiedTuple as _, PlainCell as _, PlainRest as _, PlainSlice as _, RefFns as _, nested::methods::*}};)
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

/// Whether a name before this token begins a path to a variant or a function, or names a struct with its fields.
fn is_path(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Punct(p)) => p.as_char() == ':' && p.spacing() == Spacing::Joint,
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

fn renamed(path: &Path, mirror: fn(&Ident) -> Ident) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = mirror(&last.ident);
    }
    path
}
