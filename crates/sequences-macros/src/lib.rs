//! The macros of `smallscope-sequences`: which methods of a type are called, how its values are compared, and tests of
//! sequences of calls.

mod api;
mod linearize;
mod test_attr;

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
/// A generic method is called at the types that `#[api(T = u8)]` on it says, once for each such attribute. Under a condition,
/// write `#[cfg_attr(test, api(skip))]` on methods, as on the block.
///
/// Of several blocks of a type, all but one have a name, `#[api(name = Queries)]`, and so have blocks of traits; they are
/// added with `Builder::api_block::<Type, Queries>()`.
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
/// `#[linearize(unsafe(raw_pointers))]` on the type vouches for its raw pointers, which have to be null or lead to live objects.
/// `#[linearize(crate = path)]` on the type says where `smallscope-sequences` is, if not at `::smallscope::sequences`.
#[proc_macro_derive(Linearize, attributes(linearize))]
pub fn derive_linearize(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    linearize::expand(&item).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The same for a type that stands elsewhere: what `#[bounded(linearize)]` expands to.
#[doc(hidden)]
#[proc_macro]
pub fn linearize_item(item: TokenStream) -> TokenStream {
    derive_linearize(item)
}

/// On a function that returns a `Context` or the `Builder` of one: runs sequences of its calls, as a plain `#[test]`.
///
/// By default only those that lead to a new state, up to a length: `#[smallscope::sequences(length = 5)]`. Panics,
/// broken invariants and differences to a reference implementation (`Builder::gold`) are failures; a failing sequence is
/// made small and printed as Rust. Arguments, in any order:
///
/// * `length = 5`: at most so many calls; with another strategy than `states`, exactly so many;
/// * `strategy = "states"`, `"be"` (all of the length), `"bobw"` (all, in random order), `"random"`, `"random-paths"`;
/// * `tests = 1000`: how many tests at most; `seed = 7`: which ones;
/// * for `states`: `abstraction = "complete"`, `"shape"` (with `fields = ["red"]`), `"classical"` or a function
///   `fn(&Store, &mut Sink)`; `order = "bfs"`, `"dfs"` or `"random"`; `exact`; `max_states = 100_000`;
/// * `budget = "10s"`, `threads = 2`; `clusters`: go on after failures, and group them;
/// * `crate = path`: where the `smallscope` crate is.
#[proc_macro_attribute]
pub fn sequences(arguments: TokenStream, item: TokenStream) -> TokenStream {
    test_attr::expand(arguments.into(), item.into()).into()
}
