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

use crate::syntax::{located, retain_attributes};
use attrs::TypeAttrs;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Result, parse_quote};

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    expand(input).unwrap_or_else(|e| e.to_compile_error())
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
