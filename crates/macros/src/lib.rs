//! The attributes of smallscope. `#[rep_ok]`, `#[eq_class]` and `#[mirror]` make the copy of an invariant, of a
//! criterion and of their helpers that
//! runs on the mirrors that `derive(Bounded)` makes;
//! `#[smallscope::test]` runs a test on every valid value. Everything is re-exported and documented by the
//! `smallscope` crate; generated code names only `smallscope::__private`.

use proc_macro::TokenStream;

mod code;
mod test_attr;

/// On an impl block with `fn rep_ok(&self) -> bool`: the invariant.
///
/// The block stays as it is; a copy of the invariant, and of the functions in the block that it calls, is
/// compiled against the mirrors. Arguments, all optional and in any order:
///
/// * `name = check`: the invariant is `fn check(&self) -> bool`;
/// * `path::Type`: a structure, or a helper type marked [`macro@mirror`], that the macro does not find by
///   itself: one that comes from another module, or that the invariant builds;
/// * `fn path::helper`: a free function marked [`macro@mirror`];
/// * `opaque(Type)`: a type that has nothing to do with structures;
/// * `variants(Enum)`: the variants of this structure are used without its name;
/// * `crate = path`: where the `smallscope` crate is.
///
/// A function of the block that the invariant does not call, but a `derived` field or a helper elsewhere needs,
/// goes into the copy if it is marked `#[mirror]` itself.
#[proc_macro_attribute]
pub fn rep_ok(args: TokenStream, item: TokenStream) -> TokenStream {
    code::attribute(code::Kind::RepOk, args.into(), item.into()).into()
}

/// On an impl block with `fn eq_class(&self) -> T`, where `T` is any `Hash + Eq + Debug` type: the class that a valid value
/// is in.
///
/// Goes beside `#[rep_ok]`, on a block of its own with the same generics. The function is copied and its reads are
/// observed as those of the invariant; it is only run on valid values. Takes the arguments of [`macro@rep_ok`].
#[proc_macro_attribute]
pub fn eq_class(args: TokenStream, item: TokenStream) -> TokenStream {
    code::attribute(code::Kind::EqClass, args.into(), item.into()).into()
}

/// On what an invariant uses outside of its own block: impl blocks (also of traits), free functions, type
/// aliases, and helper types such as iterators.
///
/// Takes the arguments of [`macro@rep_ok`] except `name`, and `helper` on an impl block of a helper type
/// whose methods take `&mut self` or `self`.
#[proc_macro_attribute]
pub fn mirror(args: TokenStream, item: TokenStream) -> TokenStream {
    code::attribute(code::Kind::Mirror, args.into(), item.into()).into()
}

/// On a test function: runs it on every valid value within bounds. An argument `tree: Tree` is the test's own; with
/// `tree: &Tree` it only looks at the value, and the next one is made of that where possible.
#[proc_macro_attribute]
pub fn test(args: TokenStream, item: TokenStream) -> TokenStream {
    test_attr::expand(args.into(), item.into()).into()
}
