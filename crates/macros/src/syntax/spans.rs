//! Where the compiler reports errors.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Where tokens begin.
pub(crate) fn first_span(tokens: &TokenStream) -> Span {
    match tokens.clone().into_iter().next() {
        Some(token) => token.span(),
        None => Span::call_site(),
    }
}

/// The same code, with errors about it reported at this place.
pub(crate) fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let mut out = TokenStream::new();
    for mut token in tokens {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), located(group.stream(), at)));
        }
        token.set_span(token.span().located_at(at));
        token.to_tokens(&mut out);
    }
    out
}
