//! Looking at tokens.

use proc_macro2::{Ident, TokenStream, TokenTree};

/// Whether a token passes a test, also inside of groups.
pub(crate) fn any_token(tokens: TokenStream, test: &dyn Fn(&TokenTree) -> bool) -> bool {
    for token in tokens {
        let is_inside = match &token {
            TokenTree::Group(group) => any_token(group.stream(), test),
            _ => false,
        };
        if is_inside || test(&token) {
            return true;
        }
    }
    false
}

/// Whether a name occurs in tokens.
pub(crate) fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    any_ident(tokens, &|ident| ident == name)
}

/// Whether an identifier in tokens passes a test.
pub(crate) fn any_ident(tokens: TokenStream, test: &dyn Fn(&Ident) -> bool) -> bool {
    any_token(tokens, &|token| matches!(token, TokenTree::Ident(ident) if test(ident)))
}
