//! Quoting what the functions of a mirror do with each field.

use super::checks;
use super::model::{Field, Model, Source, Variant};
use super::sites::field_site;
use crate::syntax::{located, quote, quote_spanned};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

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

pub(super) fn link(m: &Model, v: &Variant, f: &Field, place: &TokenStream) -> TokenStream {
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

pub(super) fn walk(f: &Field, place: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::walk(#place, w);),
        Source::Listed => quote_spanned!(at=> (#place).walk(w);),
        Source::Derived => quote!(),
    }
}

pub(super) fn build(f: &Field, place: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::build(#place, b)),
        Source::Listed => quote_spanned!(at=> (#place).build()),
        Source::Derived => quote_spanned!(at=> ::core::clone::Clone::clone((#place).__read())),
    }
}

pub(super) fn update(f: &Field, place: &TokenStream, real: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::update(#place, #real, b);),
        Source::Listed => quote_spanned!(at=> (#place).update(#real);),
        Source::Derived => quote_spanned!(at=> *(#real) = ::core::clone::Clone::clone((#place).__read());),
    }
}

pub(super) fn absorb(f: &Field, place: &TokenStream, real: &TokenStream, s: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, s);
    match f.source {
        Source::Domain => quote_spanned!(at=> #s::Part::absorb(#place, #real, a);),
        Source::Listed => quote_spanned!(at=> (#place).absorb(#real, a);),
        Source::Derived => quote!(),
    }
}

/// Code for each field, one after the other.
pub(super) fn for_fields(v: &Variant, code: &dyn Fn(&Field) -> TokenStream) -> TokenStream {
    let mut all = TokenStream::new();
    for f in &v.fields {
        code(f).to_tokens(&mut all);
    }
    all
}

/// A blank struct or variant.
pub(super) fn blank_value(path: &TokenStream, v: &Variant, s: &TokenStream) -> TokenStream {
    let (mut members, mut blanks) = (vec![], vec![]);
    for f in &v.fields {
        members.push(&f.member);
        blanks.push(blank(f, s));
    }
    quote::quote!(#path { #(#members: #blanks),* })
}

/// Builds the fields, and the struct or variant from them.
pub(super) fn build_value(
    path: &TokenStream,
    v: &Variant,
    code: &dyn Fn(&Field) -> TokenStream,
) -> TokenStream {
    let manually_drop = quote!(::core::mem::ManuallyDrop);
    let (mut lets, mut members, mut vars) = (TokenStream::new(), vec![], vec![]);
    for f in &v.fields {
        let (var, build) = (&f.var, code(f));
        quote!(let #var = #manually_drop::new(#build);).to_tokens(&mut lets);
        members.push(&f.member);
        vars.push(var);
    }
    quote::quote!(#lets #path { #(#members: #manually_drop::into_inner(#vars)),* })
}

/// A local variable for the field of the real value.
pub(super) fn real_var(f: &Field) -> Ident {
    quote::format_ident!("{}_real", f.var)
}
