//! `derive(Bounded)`: the mirror of a type, and how candidates become values of it.
//!
//! attributes ([`attrs`]) → our view of the item ([`model`]) → field types ([`types`]) → quoting ([`expand`], [`fields`], [`checks`], [`sites`]).

mod attrs;
mod checks;
mod debug;
mod expand;
mod fields;
mod literals;
mod model;
mod sites;
pub(crate) mod types;
pub(crate) mod values;

use crate::code::names;
use crate::syntax::{located, parse_quote, quote, quote_spanned, retain_attributes};
use attrs::TypeAttrs;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::{Data, DeriveInput, Error, Fields, GenericParam, Result};

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    expand(input.clone()).unwrap_or_else(|e| refused(input, &e))
}

/// Our error, and a mirror whose fields have a type that depends on a constant which cannot be evaluated: the compiler takes
/// all that mentions such a field for reported.
fn refused(input: TokenStream, error: &Error) -> TokenStream {
    let Ok(mut item) = syn::parse2::<DeriveInput>(input) else { return error.to_compile_error() };
    let attrs = TypeAttrs::parse(&item.attrs).unwrap_or_default();
    let mut errors = error.clone().into_iter();
    let Some(first) = errors.next() else { return TokenStream::new() };
    let krate = attrs.krate.unwrap_or_else(|| parse_quote!(::smallscope));
    let (name, mirror, text) = (item.ident.clone(), names::mirror_type(&item.ident), first.to_string());
    let refused = format_ident!("{mirror}_refused", span = name.span());
    // The fields have to use the parameters.
    let mut parameters = TokenStream::new();
    for parameter in &item.generics.params {
        match parameter {
            GenericParam::Lifetime(l) => {
                let lifetime = &l.lifetime;
                quote!(&#lifetime (),).to_tokens(&mut parameters);
            }
            GenericParam::Type(t) => {
                let name = &t.ident;
                quote!(#name,).to_tokens(&mut parameters);
            }
            GenericParam::Const(_) => {}
        }
    }
    let unknown =
        quote!(<#krate::__private::If<{ #refused }> as #krate::__private::Itself<(#parameters)>>::Type);
    item.ident = mirror.clone();
    item.attrs.clear();
    let forget = |fields: &mut Fields| {
        for field in fields.iter_mut() {
            field.attrs.clear();
            field.ty = parse_quote!(#unknown);
        }
    };
    match &mut item.data {
        Data::Struct(s) => forget(&mut s.fields),
        Data::Enum(e) => {
            for variant in &mut e.variants {
                variant.attrs.clear();
                forget(&mut variant.fields);
            }
        }
        Data::Union(_) => return error.to_compile_error(),
    }
    let message = quote_spanned!(first.span()=> ::core::compile_error!(#text));
    let imports = names::imports(&name, &mirror, &item.generics, &item.vis, &[]);
    let (ig, tg, wc) = item.generics.split_for_impl();
    let mut refused = quote! {
        #[allow(non_upper_case_globals)]
        const #refused: bool = #message;
        #[doc(hidden)] #[allow(unreachable_pub, dead_code, non_camel_case_types)]
        #item
        #imports
        const _: () = {
            use #krate::__private as p;
            impl #ig p::Mirrored for #name #tg #wc {
                type Mirror = #mirror #tg;
                type Cell = #unknown;
                type Seq = #unknown;
                type InMap = #unknown;
            }
            impl #ig p::RepOk for #name #tg #wc {
                fn rep_ok(&self) -> bool { false }
            }
        };
    };
    for error in errors {
        error.to_compile_error().to_tokens(&mut refused);
    }
    refused
}

fn expand(input: TokenStream) -> Result<TokenStream> {
    let item: DeriveInput = syn::parse2(input)?;
    let model = model::Model::new(item.clone())?;
    let mut expanded = expand::expand(&model);
    linearized(item, &model.attrs).to_tokens(&mut expanded);
    Ok(expanded)
}

/// With `#[bounded(linearize)]`, hands the item to the macro for call sequences, too, which few users of bounds need.
fn linearized(mut item: DeriveInput, attrs: &TypeAttrs) -> Option<TokenStream> {
    let at = attrs.linearize?;
    let krate = attrs.krate.clone().unwrap_or_else(|| parse_quote!(::smallscope));
    let sequences = located(quote!(#krate::sequences), at);
    retain_attributes(&mut item.attrs, &|attribute| attribute.path().is_ident("linearize"));
    item.attrs.push(parse_quote!(#[linearize(crate = #sequences)]));
    Some(quote!(#sequences::linearize_item! { #item }))
}
