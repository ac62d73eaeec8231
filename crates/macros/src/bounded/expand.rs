//! Quoting. Generated code names nothing but `smallscope::__private` and `core`/`std`.
//!
//! Mirrors implement unsafe traits, and a crate with `#![forbid(unsafe_code)]` can still derive them: the compiler does not
//! apply this lint to tokens that an external macro makes. So `unsafe` must never get the span of a user's token.

use super::attrs::TypeAttrs;
use super::checks;
use super::debug;
use super::model::{Field, Kind, Model, Source, Style, Variant};
use super::sites::field_site;
use super::types;
use crate::code::names;
use crate::syntax::located;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, parse_quote};

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
    let members: Vec<_> = body.fields.iter().map(|f| &f.member).collect();
    let blanks = body.fields.iter().map(|f| blank(f, s));
    let place = |f: &Field, of: &str| {
        let (at, x) = (place_of(f, s).0, &f.member);
        // With the hygiene of this span, the name means the function's own `self` or `real`.
        let of = Ident::new(of, at);
        quote_spanned!(at=> &#of.#x)
    };
    let links = body.fields.iter().map(|f| link(m, body, f, &place(f, "self")));
    let walks = body.fields.iter().map(|f| walk(f, &place(f, "self"), s));
    let builds = body.fields.iter().map(|f| build(f, &place(f, "self"), s));
    let vars: Vec<_> = body.fields.iter().map(|f| &f.var).collect();
    let updates = body.fields.iter().map(|f| {
        let (at, x) = (place_of(f, s).0, &f.member);
        let real = Ident::new("real", at);
        update(f, &place(f, "self"), &quote_spanned!(at=> &mut #real.#x), s)
    });
    let absorbs = body.fields.iter().map(|f| absorb(f, &place(f, "self"), &place(f, "real"), s));
    let (common, destructor) = (common(m), destructor(m));
    let checks::Hooks { imports, link: link_hook, walk: walk_hook, absorb: absorb_hook } =
        checks::structure(m);
    quote! {
        #common
        #[doc(hidden)]
        #definition
        #[allow(unused_variables, unused_mut, clippy::all)]
        const _: () = {
            impl #ig #s::Mirrored for #name #tg #wc {
                type Mirror = #mirror #tg;
                type Cell = #mirror #tg;
                type Seq = #s::mirror::Items<#mirror #tg>;
                type InMap = #mirror #tg;
            }
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
                fn blank() -> Self { #mirror { #(#members: #blanks),* } }
                fn link(&'static self, b: &mut #s::Builder, at: #s::At) { #destructor #link_hook #(#links)* }
                fn walk(&'static self, w: &mut #s::Walk) { #walk_hook #(#walks)* }
                fn build(&'static self, b: &mut #s::Build) -> Self::Real {
                    #(let #vars = ::core::mem::ManuallyDrop::new(#builds);)*
                    #name { #(#members: ::core::mem::ManuallyDrop::into_inner(#vars)),* }
                }
                fn update(&'static self, real: &mut Self::Real, b: &mut #s::Build) { #(#updates)* }
                fn absorb(&'static self, real: &Self::Real, a: &mut #s::Absorb) { #absorb_hook #(#absorbs)* }
            }
            impl #big #s::Body for #mirror #tg #bwc {}
        };
    }
}

fn enumeration(m: &Model, variants: &[Variant]) -> TokenStream {
    let Model { name, mirror, vis, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    let declared = variants.iter().map(|v| {
        let (n, d) = (&v.name, declare(v, false));
        quote!(#n #d)
    });
    let g = bounded_generics(m);
    let (big, _, bwc) = g.split_for_impl();
    let class = class_site(m);
    let count = variants.len();
    let (mut blanks, mut links, mut walks, mut builds, mut updates, mut labels, mut choices, mut absorbs) =
        (vec![], vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
    for (i, v) in variants.iter().enumerate() {
        let (n, i) = (&v.name, i as u32);
        let members: Vec<_> = v.fields.iter().map(|f| &f.member).collect();
        let vars: Vec<_> = v.fields.iter().map(|f| &f.var).collect();
        let reals: Vec<_> = vars.iter().map(|v| quote::format_ident!("{v}_real")).collect();
        let blank = v.fields.iter().map(|f| blank(f, s));
        blanks.push(quote!(#mirror::#n { #(#members: #blank),* }));
        let link = v.fields.iter().map(|f| {
            let x = &f.var;
            link(m, v, f, &quote!(#x))
        });
        links.push(quote!(#mirror::#n { #(#members: #vars),* } => { #(#link)* }));
        let walk = v.fields.iter().map(|f| {
            let x = &f.var;
            walk(f, &quote!(#x), s)
        });
        walks.push(quote!(#mirror::#n { #(#members: #vars),* } => { #(#walk)* }));
        let build = v.fields.iter().map(|f| {
            let x = &f.var;
            build(f, &quote!(#x), s)
        });
        builds.push(quote!(#mirror::#n { #(#members: #vars),* } => {
            #(let #vars = ::core::mem::ManuallyDrop::new(#build);)*
            #name::#n { #(#members: ::core::mem::ManuallyDrop::into_inner(#vars)),* }
        }));
        let update = v.fields.iter().zip(&reals).map(|(f, r)| {
            let x = &f.var;
            update(f, &quote!(#x), &quote!(#r), s)
        });
        updates.push(quote!((#mirror::#n { #(#members: #vars),* }, #name::#n { #(#members: #reals),* }) => { #(#update)* }));
        let text = n.as_ref().map(Ident::to_string).unwrap_or_default();
        labels.push(quote!(#mirror::#n { .. } => #text));
        choices.push(quote!(#name::#n { .. } => #i));
        let absorb = v.fields.iter().zip(&reals).map(|(f, r)| {
            let x = &f.var;
            absorb(f, &quote!(#x), &quote!(#r), s)
        });
        absorbs.push(quote!((#mirror::#n { #(#members: #vars),* }, #name::#n { #(#members: #reals),* }) => { #(#absorb)* }));
    }
    let (common, destructor) = (common(m), destructor(m));
    let checks::Hooks { imports, link: link_hook, walk: walk_hook, absorb: absorb_hook } =
        checks::enumeration(m);
    quote! {
        #common
        #[doc(hidden)]
        #vis enum #mirror #generics #wc { #(#declared),* }
        #[allow(unused_variables, unused_mut, unreachable_patterns, clippy::all)]
        const _: () = {
            impl #ig #s::Mirrored for #name #tg #wc {
                type Mirror = #mirror #tg;
                type Cell = #s::Tracked<#mirror #tg>;
                type Seq = #s::mirror::EnumItems<#mirror #tg>;
                type InMap = #s::Tracked<#mirror #tg>;
            }
            impl #ig #s::Pointee for #mirror #tg #wc {
                // A variant may have the name of an associated type, so `Self::Object` and the like are not written.
                type Object = #s::Tracked<Self>;
                type RefObject = #s::Tracked<#s::mirror::RefCell<Self>>;
                const SITE: &'static #s::TypeSite = &#class;
                fn target(object: &#s::Tracked<Self>) -> &Self { object.__read() }
                fn ref_target(object: &#s::Tracked<#s::mirror::RefCell<Self>>) -> &#s::mirror::RefCell<Self> { object.__read() }
            }
            #imports
            // SAFETY: moves what the fields' `build` returns into the value, keeping it in `ManuallyDrop` until
            // nothing can unwind any more; updates each field once; one choice per variant.
            unsafe impl #big #s::Value for #mirror #tg #bwc {
                type Real = #name #tg;
                const SHARED: bool = false;
                fn domain(b: &mut #s::Builder, at: #s::At) -> #s::Domain<Self> {
                    let _: [(); #count];
                    #destructor
                    #s::Domain::plain(::std::vec![#(#blanks),*])
                }
                fn link_inside(&'static self, b: &mut #s::Builder, at: #s::At) { #link_hook match self { #(#links)* } }
                fn walk(&'static self, w: &mut #s::Walk) { #walk_hook match self { #(#walks)* } }
                fn build(&'static self, b: &mut #s::Build) -> #name #tg { match self { #(#builds)* } }
                fn update(&'static self, real: &mut #name #tg, b: &mut #s::Build) {
                    match (self, &mut *real) { #(#updates)* (this, _) => *real = #s::Value::build(this, b) }
                }
                fn label(&self) -> ::std::string::String {
                    ::std::string::String::from(match self { #(#labels),* })
                }
                fn choice_of(_: #s::Table<'_, Self>, real: &#name #tg, _: &mut #s::Absorb) -> ::core::option::Option<u32> {
                    ::core::option::Option::Some(match real { #(#choices),* })
                }
                fn absorb_inside(&'static self, real: &#name #tg, a: &mut #s::Absorb) {
                    #absorb_hook
                    match (self, real) { #(#absorbs)* _ => {} }
                }
            }
        };
    }
}

fn plain_enum(m: &Model, variants: &[Ident]) -> TokenStream {
    let Model { name, mirror, vis, support: s, .. } = m;
    let names = variants.iter().map(Ident::to_string);
    let labels = variants.iter().map(Ident::to_string);
    let numbers = 0u32..;
    let (text, destructor) = (name.to_string(), destructor(m));
    // If the enum cannot be copied or compared, that is one error, at its name.
    let needed = quote_spanned!(Span::call_site().located_at(name.span())=> #s::PlainEnum);
    let imports = names::imports(name, mirror, vis, &[]);
    quote! {
        #[doc(hidden)] #[allow(unused_imports)]
        #vis use #name as #mirror;
        #imports
        #[allow(unused_variables, clippy::all)]
        const _: () = {
            impl #s::Leaf for #name where for<'trivial> #name: ::core::clone::Clone + ::core::cmp::PartialEq {
                fn leaves(b: &mut #s::Builder, at: #s::At) -> #s::Leaves<Self> {
                    #destructor
                    let chosen = b.variants(at, &[#(#names),*]);
                    #s::Leaves::fixed(::core::iter::Iterator::collect(::core::iter::Iterator::map(
                        ::core::iter::IntoIterator::into_iter(chosen),
                        |i| match i { #(#numbers => #name::#variants,)* _ => ::core::unreachable!() },
                    )))
                }
                fn show(&self) -> ::std::string::String {
                    ::std::string::String::from(match self { #(#name::#variants => #labels),* })
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
    let TypeAttrs { derives, no_invariant, .. } = &m.attrs;
    let imports = names::imports(name, mirror, vis, &[]);
    // `Debug` is there in any case, and prints the name of the type itself.
    let derives: Vec<_> = derives.iter().filter(|path| !path.is_ident("Debug")).collect();
    let debug = debug::implement(m);
    let rep_ok = no_invariant.map(|_| {
        quote! {
            impl #ig #s::RepOk for #name #tg #wc {
                const INVARIANT: ::core::option::Option<&'static str> = ::core::option::Option::None;
                fn rep_ok(&self) -> bool { true }
            }
            impl #ig #s::RepOk for #mirror #tg #wc {
                const INVARIANT: ::core::option::Option<&'static str> = ::core::option::Option::None;
                fn rep_ok(&self) -> bool { true }
                fn classifier() -> ::core::option::Option<#s::Classifier<Self>> {
                    #[allow(unused_imports)]
                    use #s::NoClasses as _;
                    #s::ClassProbe::<Self>::new().classifier()
                }
            }
        }
    });
    // The attributes at the end belong to the mirror's definition, which follows.
    let derive = (!derives.is_empty()).then(|| quote!(#[derive(#(#derives),*)]));
    quote! {
        #imports
        const _: () = {
            #debug
            #rep_ok
            impl #ig #s::Identity for #name #tg #wc {
                #[inline(always)]
                fn identity(&self) -> *const () { ::core::ptr::from_ref(self).cast() }
            }
            impl #ig #s::Identity for #mirror #tg #wc {
                #[inline(always)]
                fn identity(&self) -> *const () { ::core::ptr::from_ref(self).cast() }
            }
            impl #ig #s::InCopy for #mirror #tg #wc {
                type Original = #name #tg;
            }
        };
        #[allow(dead_code, missing_docs, private_interfaces, clippy::all)]
        #derive
    }
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
    let mut fields: Vec<&Field> = v.fields.iter().collect();
    if v.style == Style::Named {
        fields.sort_by_key(|f| !types::is_projection(&f.ty));
    }
    let fields = fields.into_iter().map(|f| {
        let (name, cell) = (&f.name, &f.cell);
        let vis = with_vis.then_some(&f.vis);
        match name {
            Some(name) => quote!(#vis #name: #cell),
            None => quote!(#vis #cell),
        }
    });
    match v.style {
        Style::Named => quote!({ #(#fields),* }),
        Style::Tuple => quote!((#(#fields),*)),
        Style::Unit => quote!(),
    }
}

/// Code for a field has the span of the field's type, so that errors point there.
pub(super) fn place_of(f: &Field, s: &TokenStream) -> (Span, TokenStream) {
    let place = f.ty.span();
    (Span::call_site().located_at(place), located(s.clone(), place))
}

fn blank(f: &Field, s: &TokenStream) -> TokenStream {
    let cell = &f.cell;
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> <#cell as #s::Part>::blank()),
        Source::Listed | Source::Derived => quote_spanned!(at=> <#cell>::blank()),
    }
}

fn link(m: &Model, v: &Variant, f: &Field, place: &TokenStream) -> TokenStream {
    if let Some(path) = &f.attrs.derived {
        return link_derived(m, &path.segments[1].ident, place);
    }
    let site = field_site(m, v, f);
    let (at, s) = place_of(f, &m.support);
    let link = match (f.source, &f.attrs.values) {
        (Source::Listed, Some(values)) => {
            let ty = &f.ty;
            let given = quote_spanned! {Span::call_site().located_at(values.span())=>
                let values: ::std::vec::Vec<#ty> = ::core::iter::Iterator::collect(::core::iter::Iterator::map(
                    ::core::iter::IntoIterator::into_iter(#values), ::core::convert::Into::into));
            };
            quote_spanned!(at=> #given (#place).link(b, at, values);)
        }
        _ => quote_spanned!(at=> #s::Part::link(#place, b, at);),
    };
    let s = &m.support;
    let checks = checks::note(m, f, place);
    quote!({
        static SITE: #s::FieldSite = #site;
        let at = b.enter(at, &SITE);
        #checks
        #link
    })
}

/// Links a derived field. If the mirror has no such method, the compiler finds the trait's, whose bound has the message
/// about that.
fn link_derived(m: &Model, method: &Ident, place: &TokenStream) -> TokenStream {
    let Model { name, mirror, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    let s = located(s.clone(), method.span());
    let bound = quote::format_ident!("{method}_in_the_invariant");
    let message = format!(
        "the search computes `{method}` of `{{Self}}` too: move it into the `#[rep_ok]` block of the type, or write \
            `#[mirror]` above the impl block that has it"
    );
    quote_spanned!(Span::call_site().located_at(method.span())=> {
        let this: &'static Self = self;
        #[diagnostic::on_unimplemented(message = #message, label = "not part of the invariant")]
        #[allow(nonstandard_style)]
        trait #bound {}
        #[diagnostic::do_not_recommend]
        impl<T: #s::NoType> #bound for T {}
        trait Otherwise: #s::InCopy {
            #[allow(dead_code)]
            fn #method<R>(&self) -> R
            where
                Self::Original: #bound,
            {
                ::core::unreachable!()
            }
        }
        impl #ig Otherwise for #mirror #tg #wc {}
        // Mentions the method of the real type, so that the compiler does not report it as unused.
        let _ = <#name #tg>::#method;
        (#place).link(move || Self::#method(this));
    })
}

fn walk(f: &Field, place: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::walk(#place, w);),
        Source::Listed => quote_spanned!(at=> (#place).walk(w);),
        Source::Derived => quote!(),
    }
}

fn build(f: &Field, place: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::build(#place, b)),
        Source::Listed => quote_spanned!(at=> (#place).build()),
        Source::Derived => quote_spanned!(at=> ::core::clone::Clone::clone((#place).__read())),
    }
}

fn update(f: &Field, place: &TokenStream, real: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::update(#place, #real, b);),
        Source::Listed => quote_spanned!(at=> (#place).update(#real);),
        Source::Derived => quote_spanned!(at=> *(#real) = ::core::clone::Clone::clone((#place).__read());),
    }
}

fn absorb(f: &Field, place: &TokenStream, real: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::absorb(#place, #real, a);),
        Source::Listed => quote_spanned!(at=> (#place).absorb(#real, a);),
        Source::Derived => quote!(),
    }
}
