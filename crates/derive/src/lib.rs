//! `derive(Bounded)`, which makes the *mirror* of a type: a type of the same shape whose fields are tracked cells.
//! Re-exported and documented by the `smallscope` crate; generated code names only `smallscope::__private`. A crate of
//! its own so that it compiles beside the other macros.

use proc_macro::TokenStream;

mod bounded;

/// Describes the shape of a type and makes its mirror.
#[proc_macro_derive(Bounded, attributes(bounded, linearize))]
pub fn derive_bounded(input: TokenStream) -> TokenStream {
    bounded::derive(input.into()).into()
}
