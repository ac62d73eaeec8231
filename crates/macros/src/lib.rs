//! The procedural macros of smallscope.
//!
//! This file has the entries; each module has the macros of one purpose. Users find everything re-exported and
//! documented by `smallscope`, `smallscope-cover` and `smallscope-sequences`. Generated code names only the hidden
//! `__private` modules of these crates, `core` and `std`.

mod bounded;
mod code;
#[cfg(feature = "cover")]
mod cover;
mod mutate;
mod plain_test;
#[cfg(feature = "sequences")]
mod sequences;
mod settings;
mod syntax;
mod test_attr;

use proc_macro::TokenStream;

/// Describes the shape of a type and defines its mirror: a type of the same shape whose fields are tracked cells.
///
/// `#[bounded(..)]` on a field takes
///
/// * `range = 0..=9`, `set = [1, 3]`, `len = 0..=4`, `alphabet = "ab"`, `variants(Red, Black)`, `non_null`: bounds,
///   which may depend on `scope`;
/// * `values = [..]`: exactly these values; `derived = Self::method`: computed and not searched;
/// * `index = "field"`, `by_reference`: an index into the vector in another field;
/// * `pool = "name"`, `part = "name"`: where objects come from, and which disjoint part the field belongs to;
/// * `unchecked`: the invariants of the values in the field need not hold. Without it they do: a value whose type has
///   an invariant satisfies it wherever it occurs, except for values of a type inside that type itself.
///
/// On the type it takes `objects = n`, `no_invariant`, `derive(..)`, `unsafe(raw_pointers)`, `unsafe(parts)`, `frozen`,
/// `linearize` and `crate = path`.
#[proc_macro_derive(Bounded, attributes(bounded, linearize))]
pub fn derive_bounded(input: TokenStream) -> TokenStream {
    bounded::derive(input.into()).into()
}

/// On an impl block with `fn rep_ok(&self) -> bool`: the invariant.
///
/// The block stays as it is; a copy of the invariant, and of the functions in the block that it calls, is
/// compiled against the mirrors. Arguments, all optional and in any order:
///
/// * `name = check`: the invariant is `fn check(&self) -> bool`;
/// * `path::Type`: a structure, or a helper type marked [`macro@mirror`], that the macro does not find by
///   itself: one from another module, or one that only the invariant builds;
/// * `fn path::helper`: a free function marked [`macro@mirror`];
/// * `opaque(Type)`: a type that contains no structures;
/// * `variants(Enum)`: the variants of this structure are used without its name;
/// * `statements`: statements of the invariant that may end in `return false` are conjuncts;
/// * `crate = path`: the path of the `smallscope` crate.
///
/// A function of the block that the invariant does not call, but a `derived` field or a helper elsewhere needs,
/// is copied if it is marked `#[mirror]` itself.
#[proc_macro_attribute]
pub fn rep_ok(args: TokenStream, item: TokenStream) -> TokenStream {
    code::attribute(code::Kind::RepOk, args.into(), item.into()).into()
}

/// On an impl block with `fn eq_class(&self) -> T`, where `T` is any `Hash + Eq + Debug` type: the class of a valid
/// value.
///
/// Goes beside `#[rep_ok]`, on a block of its own with the same generics. The function is copied and its reads are
/// observed like those of the invariant; it runs only on valid values. Takes the arguments of [`macro@rep_ok`].
#[proc_macro_attribute]
pub fn eq_class(args: TokenStream, item: TokenStream) -> TokenStream {
    code::attribute(code::Kind::EqClass, args.into(), item.into()).into()
}

/// On code that an invariant uses outside of its own block: impl blocks (also of traits), free functions, type
/// aliases, and helper types such as iterators.
///
/// Takes the arguments of [`macro@rep_ok`] except `name`, and `helper` on an impl block of a helper type
/// whose methods take `&mut self` or `self`.
#[proc_macro_attribute]
pub fn mirror(args: TokenStream, item: TokenStream) -> TokenStream {
    code::attribute(code::Kind::Mirror, args.into(), item.into()).into()
}

/// On a test function: runs it on every valid value within bounds.
///
/// An argument `tree: Tree` gives the value to the test. With `tree: &Tree` the test only reads the value, and the
/// next value is made by changing it where possible.
#[proc_macro_attribute]
pub fn test(args: TokenStream, item: TokenStream) -> TokenStream {
    test_attr::expand(args.into(), item.into()).into()
}

/// On an impl block or a function: probes that record which of its blocks run.
///
/// On an impl block without a trait, the type implements `Covered`, and `Coverage::of::<Type>(..)` reads what its
/// probes have recorded. Arguments, all optional and in any order:
///
/// * `static NAME`, with an optional visibility: defines a `Region` of this name instead. Needed on functions, on
///   impl blocks of traits, and on all but one of the blocks of a type;
/// * `also(path::NAME, ..)`: further regions that belong to the type;
/// * `predicates(condition, ..)`: conditions. All their combinations are distinguished at each block where their
///   variables are in scope;
/// * `crate = path`: the path of the `smallscope-cover` crate, if it is not where the attribute is from.
///
/// On a function inside of such a block, `#[cover(skip)]` leaves it out, and `#[cover(predicates(..))]` gives it its
/// own conditions in place of those of the block.
#[cfg(feature = "cover")]
#[proc_macro_attribute]
pub fn cover(args: TokenStream, item: TokenStream) -> TokenStream {
    cover::attribute(args.into(), item.into(), syn::parse_quote!(::smallscope::cover)).into()
}

/// [`macro@cover`] for crates that depend on `smallscope-cover` and not on `smallscope`.
#[cfg(feature = "cover")]
#[proc_macro_attribute]
pub fn cover_alone(args: TokenStream, item: TokenStream) -> TokenStream {
    cover::attribute(args.into(), item.into(), syn::parse_quote!(::smallscope_cover)).into()
}

/// On an impl block or a function of the code under test: compiles its mutants, small changes one of which can be made
/// active at run time.
///
/// `cargo smallscope mutate TEST` says which of them a test tells from the original. Without the feature `mutate`, which
/// that command turns on, the code stays as it is. Arguments, all optional and in any order:
///
/// * `equivalent("id", "reason")`: this mutant does the same as the original. It is listed with the reason, and not run;
/// * `crate = path`: the path of the `smallscope` crate.
///
/// On a function inside of such a block, `#[mutate(skip)]` leaves it out.
#[proc_macro_attribute]
pub fn mutate(args: TokenStream, item: TokenStream) -> TokenStream {
    mutate::attribute(args.into(), item.into()).into()
}

/// On an impl block: makes its public methods and constructors callable, by implementing `Api` for its type.
///
/// The block stays as it is. Receivers are `self`, `&self` or `&mut self`; arguments are passed as clones, or by reference
/// where the method takes a reference. A result goes into the pool of its type if there is one, and is compared
/// otherwise; references in results are cloned. On a method, `#[api(skip)]` leaves it out, `#[api(seen)]` compares its
/// result without storing it, `#[api(nothing)]` drops it, and `#[api(moves)]` moves arguments out of their pools
/// instead of cloning them.
///
/// A generic method is called with the types that `#[api(T = u8)]` on it gives, once for each such attribute. Under a
/// condition, write `#[cfg_attr(test, api(skip))]` on methods, as on the block.
///
/// If a type has several blocks, all but one need a name, `#[api(name = Queries)]`, and so do blocks of traits; add them
/// with `Builder::api_block::<Type, Queries>()`.
///
/// `#[api(crate = path)]` gives the path of `smallscope-sequences`, if it is not `::smallscope::sequences`.
#[cfg(feature = "sequences")]
#[proc_macro_attribute]
pub fn api(args: TokenStream, item: TokenStream) -> TokenStream {
    sequences::api(args.into(), item.into()).into()
}

/// Implements `Linearize`: the fields in their order, the variant of an enum before them.
///
/// `#[linearize(skip)]` leaves a field out, and an exploration that compares states by the rest is lossy.
/// `#[linearize(skip, vouched)]` leaves out a field that nothing depends on: a cache, or a pointer whose target is known
/// from elsewhere.
/// `#[linearize(unsafe(raw_pointers))]` on the type vouches for its raw pointers: each is null or leads to a live object.
/// `#[linearize(crate = path)]` on the type gives the path of `smallscope-sequences`, if it is not
/// `::smallscope::sequences`.
#[cfg(feature = "sequences")]
#[proc_macro_derive(Linearize, attributes(linearize))]
pub fn derive_linearize(item: TokenStream) -> TokenStream {
    sequences::linearize(item.into()).into()
}

/// `derive(Linearize)` for a type that is defined elsewhere: `#[bounded(linearize)]` expands to it.
#[cfg(feature = "sequences")]
#[doc(hidden)]
#[proc_macro]
pub fn linearize_item(item: TokenStream) -> TokenStream {
    derive_linearize(item)
}

/// On a function that returns a `Context` or the `Builder` of one: runs sequences of its calls, as a plain `#[test]`.
///
/// By default it runs only sequences that lead to a new state, up to a length: `#[smallscope::sequences(length = 5)]`.
/// Panics, broken invariants and differences to a reference implementation (`Builder::gold`) are failures. A failing
/// sequence is reduced and printed as Rust. Arguments, in any order:
///
/// * `length = 5`: the largest number of calls; with another strategy than `states`, the exact number;
/// * `strategy = "states"`, `"be"` (all of the length), `"bobw"` (all, in random order), `"random"`, `"random-paths"`;
/// * `tests = 1000`: the largest number of tests; `seed = 7`: which ones are drawn;
/// * for `states`: `abstraction = "complete"`, `"shape"` (with `fields = ["red"]`), `"classical"` or a function
///   `fn(&Values, &mut Sink)`; `order = "bfs"`, `"dfs"` or `"random"`; `exact`; `max_states = 100_000`;
/// * `budget = "10s"`, `threads = 2`; `clusters`: continues after failures, and groups them;
/// * `crate = path`: the path of the `smallscope` crate.
#[cfg(feature = "sequences")]
#[proc_macro_attribute]
pub fn sequences(args: TokenStream, item: TokenStream) -> TokenStream {
    sequences::test(args.into(), item.into()).into()
}

/// On a function that returns a `Context` or the `Builder` of one: compares an invariant with the methods of its type, as a
/// plain `#[test]`.
///
/// Every state that calls reach must satisfy the invariant, and every value within the bounds that the invariant accepts
/// should be reached by calls. Arguments, in any order:
///
/// * `of = Tree`: the type, which is `Bounded`, `Linearize` and `Debug`, and has a pool in the context;
/// * `scope = 3` or `bounds = Bounds::scope(3)..`: the bounds of the values;
/// * `length = 6`: the largest number of calls. Without it, states are explored until no call leads to a new one;
/// * `allow_unreached`: values that are not reached are printed, and are no failure;
/// * `crate = path`: the path of the `smallscope` crate.
#[cfg(feature = "sequences")]
#[proc_macro_attribute]
pub fn agree(args: TokenStream, item: TokenStream) -> TokenStream {
    sequences::agree(args.into(), item.into()).into()
}
