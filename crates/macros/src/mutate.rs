//! `#[mutate]`: compiles a function a second time, with small changes that can be made active one at a time.

#[cfg(feature = "mutate")]
mod args;
#[cfg(feature = "mutate")]
mod expand;
#[cfg(feature = "mutate")]
mod facts;
#[cfg(feature = "mutate")]
mod operators;
#[cfg(feature = "mutate")]
mod pairs;
#[cfg(feature = "mutate")]
mod rewrite;
#[cfg(feature = "mutate")]
mod statements;

#[cfg(feature = "mutate")]
pub(crate) use expand::attribute;

use crate::syntax::{quote, take_marks};
use proc_macro2::TokenStream;
use syn::{ImplItem, Item};

/// The attribute without the feature.
#[cfg(not(feature = "mutate"))]
pub(crate) fn attribute(_: TokenStream, item: TokenStream) -> TokenStream {
    without_marks(item)
}

/// The item without what only this attribute understands.
fn without_marks(item: TokenStream) -> TokenStream {
    let Ok(Item::Impl(mut block)) = syn::parse2(item.clone()) else { return item };
    for member in &mut block.items {
        if let ImplItem::Fn(function) = member {
            take_marks(&mut function.attrs, "mutate");
        }
    }
    quote!(#block)
}
