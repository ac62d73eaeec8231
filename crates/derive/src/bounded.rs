//! `derive(Bounded)`: the mirror of a type, and how candidates become values of it.
//!
//! attributes ([`attrs`]) → our view of the item ([`model`]) → field types ([`types`]) → quoting ([`expand`]).

mod attrs;
mod expand;
mod model;
mod types;

use proc_macro2::{Group, Span, TokenStream, TokenTree};

pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let parsed = syn::parse2(input).and_then(model::Model::new);
    match parsed {
        Ok(model) => expand::expand(&model),
        Err(e) => e.to_compile_error(),
    }
}

/// The same code, but the compiler speaks about it at this place.
fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let token = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), located(group.stream(), at)));
        }
        token.set_span(token.span().located_at(at));
        token
    };
    tokens.into_iter().map(token).collect()
}
