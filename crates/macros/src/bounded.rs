//! `derive(Bounded)`: the mirror of a type, and how candidates become values of it.
//!
//! attributes ([`attrs`]) → our view of the item ([`model`]) → field types ([`types`]) → quoting ([`expand`]).

mod attrs;
mod expand;
mod model;
mod types;

use proc_macro2::TokenStream;

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let parsed = syn::parse2(input).and_then(model::Model::new);
    match parsed {
        Ok(model) => expand::expand(&model),
        Err(e) => e.to_compile_error(),
    }
}
