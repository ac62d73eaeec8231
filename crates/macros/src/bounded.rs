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
mod types;
pub(crate) mod values;

use crate::code::names;
use crate::syntax::{located, retain_attributes};
use attrs::TypeAttrs;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Data, DeriveInput, Error, Fields, Result, parse_quote};

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    expand(input.clone()).unwrap_or_else(|e| refused(input, &e))
}

/// Our error, and a mirror whose fields have a type that depends on a constant which cannot be evaluated: the compiler takes
/// all that mentions such a field for reported.
fn refused(input: TokenStream, error: &Error) -> TokenStream {
    let Ok(mut item) = syn::parse2::<DeriveInput>(input) else { return error.to_compile_error() };
    // The fields would not use the parameters.
    if !item.generics.params.is_empty() {
        return error.to_compile_error();
    }
    let attrs = TypeAttrs::parse(&item.attrs).unwrap_or_default();
    let mut errors = error.clone().into_iter();
    let Some(first) = errors.next() else { return TokenStream::new() };
    let krate = attrs.krate.unwrap_or_else(|| parse_quote!(::smallscope));
    let (name, mirror, text) = (item.ident.clone(), names::mirror_type(&item.ident), first.to_string());
    let unknown = format_ident!("{mirror}Refused", span = name.span());
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
    let imports = names::imports(&name, &mirror, &item.vis, &[]);
    let vis = &item.vis;
    let mut refused = quote! {
        #[doc(hidden)] #[allow(unreachable_pub)]
        #vis type #unknown = <#krate::__private::If<{ #message }> as #krate::__private::Itself<()>>::Type;
        #[doc(hidden)] #[allow(unreachable_pub, dead_code)]
        #item
        #imports
        const _: () = {
            use #krate::__private as p;
            impl p::Mirrored for #name {
                type Mirror = #mirror;
                type Cell = #unknown;
                type Seq = #unknown;
                type InMap = #unknown;
            }
            impl p::RepOk for #name {
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
