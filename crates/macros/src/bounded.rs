//! `derive(Bounded)`: the mirror of a type, and how candidates become values of it.
//!
//! attributes ([`attrs`]) → our view of the item ([`model`]) → field types ([`types`]) → quoting ([`expand`], [`checks`], [`sites`]).

mod attrs;
mod checks;
mod debug;
mod expand;
mod literals;
mod model;
mod sites;
mod types;

use crate::syntax::located;
use attrs::TypeAttrs;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let parsed = syn::parse2(input).and_then(|item: DeriveInput| {
        let model = model::Model::new(item.clone())?;
        Ok((linearized(item, &model.attrs), model))
    });
    match parsed {
        Ok((linearized, model)) => {
            let mut expanded = expand::expand(&model);
            expanded.extend(linearized);
            expanded
        }
        Err(e) => e.to_compile_error(),
    }
}

/// With `#[bounded(linearize)]`, hands the item to the macro for call sequences, too, which few users of bounds need.
fn linearized(mut item: DeriveInput, attrs: &TypeAttrs) -> Option<TokenStream> {
    let at = attrs.linearize?;
    let krate = attrs.krate.clone().unwrap_or_else(|| parse_quote!(::smallscope));
    let sequences = located(quote!(#krate::sequences), at);
    item.attrs.retain(|attribute| attribute.path().is_ident("linearize"));
    item.attrs.push(parse_quote!(#[linearize(crate = #sequences)]));
    Some(quote!(#sequences::linearize_item! { #item }))
}
