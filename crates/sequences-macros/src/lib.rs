//! The macros of `smallscope-sequences`: which methods of a type are called, and how its values are compared.

mod api;
mod linearize;

use proc_macro::TokenStream;
use syn::parse_macro_input;

/// Makes the public methods and constructors of an impl block callable: implements `Api` for its type.
///
/// The block stays as it is. Receivers are `self`, `&self` or `&mut self`; arguments are passed as clones, or by reference
/// where the method takes a reference. A result goes into the pool of its type if there is one, and is compared
/// otherwise; references in results are cloned. On a method, `#[api(skip)]` leaves it out, `#[api(seen)]` compares its
/// result without storing it, `#[api(nothing)]` drops it, and `#[api(moves)]` moves arguments out of their pools rather
/// than clone them.
///
/// `#[api(crate = path)]` says where `smallscope-sequences` is, if not at `::smallscope::sequences`.
#[proc_macro_attribute]
pub fn api(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as api::Arguments);
    let block = parse_macro_input!(item as syn::ItemImpl);
    api::expand(&arguments, block).into()
}

/// Implements `Linearize`: the fields in their order, the variant of an enum before them.
///
/// `#[linearize(skip)]` leaves a field out: a cache, or a pointer whose target is known from elsewhere.
/// `#[linearize(crate = path)]` on the type says where `smallscope-sequences` is, if not at `::smallscope::sequences`.
#[proc_macro_derive(Linearize, attributes(linearize))]
pub fn derive_linearize(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    linearize::expand(&item).unwrap_or_else(|error| error.to_compile_error()).into()
}
