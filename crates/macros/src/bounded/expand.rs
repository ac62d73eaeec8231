//! Quoting. Generated code names nothing but `smallscope::__private` and `core`/`std`.
//!
//! Mirrors implement unsafe traits, and a crate with `#![forbid(unsafe_code)]` can still derive them: the compiler does not
//! apply this lint to tokens that an external macro makes. So `unsafe` must never get the span of a user's token.

use super::attrs::TypeAttrs;
use super::checks;
use super::debug;
use super::fields::{
    absorb, blank_value, build, build_value, for_fields, link, place_of, real_var, update, walk,
};
use super::model::{Field, Kind, Model, Style, Variant};
use super::{types, values};
use crate::code::names;
use crate::syntax::{parse_quote, quote, quote_spanned};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::Generics;
use syn::spanned::Spanned;

pub(crate) fn expand(m: &Model) -> TokenStream {
    match &m.kind {
        Kind::PlainEnum(variants) => plain_enum(m, variants),
        Kind::Struct(body) => structure(m, body),
        Kind::Enum(variants) => enumeration(m, variants),
    }
}

/// The generics of the impls that require parameters to be data.
fn bounded_generics(m: &Model) -> Generics {
    let s = &m.support;
    let mut g = m.generics.clone();
    for p in g.type_params_mut() {
        if m.data_params.contains(&p.ident) {
            p.bounds.push(parse_quote!(#s::Param));
        } else {
            p.bounds.push(parse_quote!('static));
        }
    }
    g
}

/// `impl Mirrored` with the types that stand for the type in fields, vectors and maps.
fn mirrored(m: &Model, cell: &TokenStream, seq: &TokenStream) -> TokenStream {
    let Model { name, mirror, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    quote! {
        impl #ig #s::Mirrored for #name #tg #wc {
            type Mirror = #mirror #tg;
            type Cell = #cell;
            type Seq = #s::mirror::#seq<#mirror #tg>;
            type InMap = #cell;
        }
    }
}

fn structure(m: &Model, body: &Variant) -> TokenStream {
    let Model { name, mirror, vis, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    let fields = declare(body, true);
    let definition = match body.style {
        Style::Named => quote!(#vis struct #mirror #generics #wc #fields),
        _ => quote!(#vis struct #mirror #generics #fields #wc;),
    };
    let g = bounded_generics(m);
    let (big, _, bwc) = g.split_for_impl();
    let class = class_site(m);
    let place = |f: &Field, of: &str| {
        let (at, x) = (place_of(f, s).0, &f.member);
        // With the hygiene of this span, the name means the function's own `self` or `real`.
        let of = Ident::new(of, at);
        quote_spanned!(at=> &#of.#x)
    };
    let blank = blank_value(&mirror.to_token_stream(), body, s);
    let links = for_fields(body, &|f| link(m, body, f, &place(f, "self")));
    let walks = for_fields(body, &|f| walk(f, &place(f, "self"), s));
    let built = build_value(&name.to_token_stream(), body, &|f| build(f, &place(f, "self"), s));
    let updates = for_fields(body, &|f| {
        let (at, x) = (place_of(f, s).0, &f.member);
        let real = Ident::new("real", at);
        update(f, &place(f, "self"), &quote_spanned!(at=> &mut #real.#x), s)
    });
    let absorbs = for_fields(body, &|f| absorb(f, &place(f, "self"), &place(f, "real"), s));
    let (common, destructor) = (common(m), destructor(m));
    let mirrored = mirrored(m, &quote!(#mirror #tg), &quote!(Items));
    let checks::Hooks { imports, link: link_hook, walk: walk_hook, absorb: absorb_hook } =
        checks::structure(m);
    quote! {
        #common
        #[doc(hidden)] #[allow(non_camel_case_types)]
        #definition
        #[allow(unused_variables, unused_mut, clippy::all)]
        const _: () = {
            #mirrored
            impl #ig #s::Pointee for #mirror #tg #wc {
                type Object = Self;
                type RefObject = #s::mirror::RefCell<Self>;
                const SITE: &'static #s::TypeSite = &#class;
                fn target(object: &Self) -> &Self { object }
                fn ref_target(object: &Self::RefObject) -> &#s::mirror::RefCell<Self> { object }
            }
            impl #ig #s::Struct for #mirror #tg #wc {}
            #imports
            // SAFETY: moves what the fields' `build` returns into the value, keeping it in `ManuallyDrop` until
            // nothing can unwind any more; updates each field once.
            unsafe impl #big #s::Part for #mirror #tg #bwc {
                type Real = #name #tg;
                fn blank() -> Self { #blank }
                fn link(&'static self, b: &mut #s::Builder, at: #s::At) { #destructor #link_hook #links }
                fn walk(&'static self, w: &mut #s::Walk) { #walk_hook #walks }
                fn build(&'static self, b: &mut #s::Build) -> Self::Real { #built }
                fn update(&'static self, real: &mut Self::Real, b: &mut #s::Build) { #updates }
                fn absorb(&'static self, real: &Self::Real, a: &mut #s::Absorb) { #absorb_hook #absorbs }
            }
            impl #big #s::Body for #mirror #tg #bwc {}
        };
    }
}

/// The code of an enum with payload that has an arm for each variant.
#[derive(Default)]
struct Arms {
    declared: Vec<TokenStream>,
    blanks: Vec<TokenStream>,
    links: TokenStream,
    walks: TokenStream,
    builds: TokenStream,
    updates: TokenStream,
    absorbs: TokenStream,
    labels: Vec<TokenStream>,
    choices: Vec<TokenStream>,
}

impl Arms {
    fn add(&mut self, m: &Model, v: &Variant) {
        let Model { name, mirror, support: s, .. } = m;
        let (n, text, bound) = (&v.name, v.label(), v.bound());
        let (path, real_path) = (quote!(#mirror::#n), quote!(#name::#n));
        let pattern = quote!(#path { #bound });
        let (mut members, mut reals) = (vec![], vec![]);
        for f in &v.fields {
            members.push(&f.member);
            reals.push(real_var(f));
        }
        let both = quote::quote!((#pattern, #real_path { #(#members: #reals),* }));
        let declared = declare(v, false);
        self.declared.push(quote!(#n #declared));
        self.blanks.push(blank_value(&path, v, s));
        let link = for_fields(v, &|f| link(m, v, f, &f.var.to_token_stream()));
        quote!(#pattern => { #link }).to_tokens(&mut self.links);
        let walk = for_fields(v, &|f| walk(f, &f.var.to_token_stream(), s));
        quote!(#pattern => { #walk }).to_tokens(&mut self.walks);
        let build = build_value(&real_path, v, &|f| build(f, &f.var.to_token_stream(), s));
        quote!(#pattern => { #build }).to_tokens(&mut self.builds);
        let update =
            for_fields(v, &|f| update(f, &f.var.to_token_stream(), &real_var(f).to_token_stream(), s));
        quote!(#both => { #update }).to_tokens(&mut self.updates);
        let absorb =
            for_fields(v, &|f| absorb(f, &f.var.to_token_stream(), &real_var(f).to_token_stream(), s));
        quote!(#both => { #absorb }).to_tokens(&mut self.absorbs);
        let i = self.choices.len() as u32;
        self.labels.push(quote!(#path { .. } => #text));
        self.choices.push(quote!(#real_path { .. } => #i));
    }
}

fn enumeration(m: &Model, variants: &[Variant]) -> TokenStream {
    let Model { name, mirror, vis, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    let g = bounded_generics(m);
    let (big, _, bwc) = g.split_for_impl();
    let class = class_site(m);
    let count = variants.len();
    let mut arms = Arms::default();
    for v in variants {
        arms.add(m, v);
    }
    let Arms { declared, blanks, links, walks, builds, updates, absorbs, labels, choices } = arms;
    let fieldless = fieldless(variants);
    let (common, destructor) = (common(m), destructor(m));
    let mirrored = mirrored(m, &quote!(#s::Tracked<#mirror #tg>), &quote!(EnumItems));
    let ref_cell = quote!(#s::mirror::RefCell<Self>);
    let checks::Hooks { imports, link: link_hook, walk: walk_hook, absorb: absorb_hook } =
        checks::enumeration(m);
    quote! {
        #common
        #[doc(hidden)] #[allow(non_camel_case_types)]
        #vis enum #mirror #generics #wc { #(#declared),* }
        #[allow(unused_variables, unused_mut, unused_qualifications, unreachable_patterns, clippy::all)]
        const _: () = {
            #mirrored
            impl #ig #s::Pointee for #mirror #tg #wc {
                // A variant may have the name of an associated type, so `Self::Object` and the like are not written.
                type Object = #s::Tracked<Self>;
                type RefObject = #s::Tracked<#ref_cell>;
                const SITE: &'static #s::TypeSite = &#class;
                fn target(object: &#s::Tracked<Self>) -> &Self { object.__read() }
                fn ref_target(object: &#s::Tracked<#ref_cell>) -> &#ref_cell { object.__read() }
            }
            #imports
            // SAFETY: moves what the fields' `build` returns into the value, keeping it in `ManuallyDrop` until
            // nothing can unwind any more; updates each field once; one choice per variant.
            unsafe impl #big #s::Value for #mirror #tg #bwc {
                type Real = #name #tg;
                const SHARED: bool = false;
                #fieldless
                fn domain(b: &mut #s::Builder, at: #s::At) -> #s::Domain<Self> {
                    let _: [(); #count];
                    #destructor
                    #s::Domain::plain(::std::vec![#(#blanks),*])
                }
                fn link_inside(&'static self, b: &mut #s::Builder, at: #s::At) { #link_hook match self { #links } }
                fn walk(&'static self, w: &mut #s::Walk) { #walk_hook match self { #walks } }
                fn build(&'static self, b: &mut #s::Build) -> #name #tg { match self { #builds } }
                fn update(&'static self, real: &mut #name #tg, b: &mut #s::Build) {
                    match (self, &mut *real) { #updates (this, _) => *real = #s::Value::build(this, b) }
                }
                fn label(&self) -> ::std::string::String {
                    ::std::string::String::from(match self { #(#labels),* })
                }
                fn choice_of(_: #s::Table<'_, Self>, real: &#name #tg, _: &mut #s::Absorb) -> ::core::option::Option<u32> {
                    ::core::option::Option::Some(match real { #(#choices),* })
                }
                fn absorb_inside(&'static self, real: &#name #tg, a: &mut #s::Absorb) {
                    #absorb_hook
                    match (self, real) { #absorbs _ => {} }
                }
            }
        };
    }
}

/// Says which variants have no fields, if some have none and others some: boxes hold these without an object.
fn fieldless(variants: &[Variant]) -> Option<TokenStream> {
    let mut is_fieldless = vec![];
    for v in variants {
        is_fieldless.push(v.fields.is_empty());
    }
    let is_mixed = is_fieldless.contains(&true) && is_fieldless.contains(&false);
    is_mixed.then(|| quote!(const FIELDLESS: &'static [bool] = &[#(#is_fieldless),*];))
}

fn plain_enum(m: &Model, variants: &[Ident]) -> TokenStream {
    let Model { name, mirror, vis, generics, support: s, .. } = m;
    let (mut names, mut choices, mut labels) = (vec![], TokenStream::new(), vec![]);
    for (i, variant) in variants.iter().enumerate() {
        let (i, text) = (i as u32, variant.to_string());
        quote!(#i => #name::#variant,).to_tokens(&mut choices);
        labels.push(quote!(#name::#variant => #text));
        names.push(text);
    }
    let (text, destructor) = (name.to_string(), destructor(m));
    // If the enum cannot be copied or compared, that is one error, at its name.
    let needed = quote_spanned!(Span::call_site().located_at(name.span())=> #s::PlainEnum);
    let imports = names::imports(name, mirror, generics, vis, &[]);
    quote! {
        #[doc(hidden)] #[allow(unused_imports, non_camel_case_types)]
        #vis use #name as #mirror;
        #imports
        #[allow(unused_variables, unused_qualifications, clippy::all)]
        const _: () = {
            impl #s::Leaf for #name where for<'trivial> #name: ::core::clone::Clone + ::core::cmp::PartialEq {
                fn leaves(b: &mut #s::Builder, at: #s::At) -> #s::Leaves<Self> {
                    #destructor
                    let mut chosen = ::std::vec::Vec::new();
                    for i in b.variants(at, &[#(#names),*]) {
                        chosen.push(match i { #choices _ => ::core::unreachable!() });
                    }
                    #s::Leaves::fixed(chosen)
                }
                fn show(&self) -> ::std::string::String {
                    ::std::string::String::from(match self { #(#labels),* })
                }
            }
            impl #s::Identity for #name {
                fn identity(&self) -> *const () { ::core::ptr::from_ref(self).cast() }
            }
            #s::leaf!({} #name, #text, #needed);
        };
    }
}

/// The impls that structs and enums with payload share.
fn common(m: &Model) -> TokenStream {
    let Model { name, mirror, vis, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    let TypeAttrs { derives, .. } = &m.attrs;
    let imports = names::imports(name, mirror, generics, vis, &[]);
    // `Debug` and `Clone` are there in any case; `Debug` prints the name of the type itself.
    let mut derived = vec![];
    for path in derives {
        if !path.is_ident("Debug") && !path.is_ident("Clone") {
            derived.push(path);
        }
    }
    let debug = debug::implement(m);
    let (rep_ok, values) = (rep_ok(m), values::implement(m));
    let is_constant = |v: &Variant| v.name.as_ref().is_some_and(names::is_constant);
    let constants = match &m.kind {
        Kind::Enum(variants) if variants.iter().any(is_constant) => mirror,
        _ => name,
    };
    let identity = quote! {
        #[inline(always)]
        fn identity(&self) -> *const () { ::core::ptr::from_ref(self).cast() }
    };
    // The attributes at the end belong to the mirror's definition, which follows.
    let derive = if derived.is_empty() { quote!() } else { quote!(#[derive(#(#derived),*)]) };
    quote! {
        #imports
        const _: () = {
            #debug
            #rep_ok
            #values
            impl #ig #s::Identity for #name #tg #wc { #identity }
            impl #ig #s::Identity for #mirror #tg #wc { #identity }
            impl #ig #s::InCopy for #mirror #tg #wc {
                type Original = #name #tg;
                type Constants = #constants #tg;
            }
            impl #ig #s::OfStructure for #name #tg #wc {}
            impl #ig #s::OfStructure for #mirror #tg #wc {}
        };
        #[allow(dead_code, missing_docs, private_interfaces, clippy::all)]
        #derive
    }
}

/// `RepOk` for both types, by way of the one invariant that the type may have.
fn rep_ok(m: &Model) -> TokenStream {
    let Model { name, mirror, generics, support: s, .. } = m;
    // The copies of functions say the same about their parameters.
    let mut owned = generics.clone();
    crate::code::own(&mut owned);
    let (ig, tg, wc) = owned.split_for_impl();
    let conditions = wc.map(|wc| &wc.predicates);
    let always = m.attrs.no_invariant.as_ref().map(|_| quote!(always));
    quote!(#s::rep_ok!(#always {#ig} {#name #tg} {#mirror #tg} {#conditions});)
}

/// Tells the layout whether the type has a destructor of its own.
fn destructor(m: &Model) -> TokenStream {
    let Model { name, generics, support: s, .. } = m;
    let (_, tg, _) = generics.split_for_impl();
    quote! {
        {
            #[allow(unused_imports)]
            use #s::NoDrop as _;
            b.note_destructor(#s::DropProbe::<#name #tg>::new().has_drop());
        }
    }
}

fn class_site(m: &Model) -> TokenStream {
    let s = &m.support;
    let name = m.name.to_string();
    let objects = match &m.attrs.objects {
        Some(e) => {
            let scope = Ident::new("scope", e.span());
            quote!(::core::option::Option::Some(|#scope: i128| -> i128 { let _ = #scope; #e }))
        }
        None => quote!(::core::option::Option::None),
    };
    quote!(#s::TypeSite { name: #name, module: ::core::module_path!(), objects: #objects })
}

/// `{ a: A, b: B }` or `(A, B)`, for a definition.
///
/// Cells that only the trait knows come first where that is possible: if the trait is not implemented, each mention of
/// a struct that ends in such a field is a further error.
fn declare(v: &Variant, with_vis: bool) -> TokenStream {
    let (mut fields, mut others) = (vec![], vec![]);
    for f in &v.fields {
        let cell = &f.cell;
        let vis = if with_vis { Some(&f.vis) } else { None };
        match &f.name {
            Some(name) if types::is_projection(&f.ty) => fields.push(quote!(#vis #name: #cell)),
            Some(name) => others.push(quote!(#vis #name: #cell)),
            None => fields.push(quote!(#vis #cell)),
        }
    }
    fields.append(&mut others);
    match v.style {
        Style::Named => quote!({ #(#fields),* }),
        Style::Tuple => quote!((#(#fields),*)),
        Style::Unit => quote!(),
    }
}
