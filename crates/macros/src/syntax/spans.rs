//! Where the compiler reports errors.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The same code, with errors about it reported at this place.
pub(crate) fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let token = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), located(group.stream(), at)));
        }
        token.set_span(token.span().located_at(at));
        token
    };
    tokens.into_iter().map(token).collect()
}
