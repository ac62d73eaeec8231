//! How the tool finds tests.

use proc_macro2::TokenStream;
use quote::quote;

/// A text in the binary by which `cargo smallscope` finds a test without running anything: which kind of test it is, the
/// function, the types of its arguments, and what the attribute says.
pub(crate) fn test_mark(kind: &str, function: &str, types: &str, args: &str) -> TokenStream {
    let begin = format!("\u{1e}{kind}\u{1f}");
    quote! {
        ::core::concat!(
            #begin, ::core::module_path!(), "\u{1f}", #function, "\u{1f}", ::core::file!(),
            "\u{1f}", ::core::line!(), "\u{1f}", #types, "\u{1f}", #args, "\u{1e}"
        )
    }
}
