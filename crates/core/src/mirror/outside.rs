//! What is not a mirror, and what the compiler says about it.
//!
//! The copy of an invariant runs on mirrors. Where a user's type has none, or a function knows only the real type, the
//! compiler would report mismatches between types that the user never wrote. The traits here take these places, and each has
//! a message in the user's words.
//!
//! A type that has no mirror would make every mention of its fields an error. So the types of fields depend on a
//! constant, [`Enumerable::IS_ENUMERABLE`]: if it cannot be evaluated, the compiler says so once, and treats what depends on
//! it as already reported.

use crate::cell::Tracked;
use crate::shape::{Bounded, Leaf, Mirrored};
use std::marker::PhantomData;

/// Types that a field of a structure can have.
///
/// Integers, `bool`, `char`, `String`, std's containers and pointers are enumerable, and what derives `Bounded`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bounded domain: add `#[derive(Bounded)]` to it, or list the values to try with `#[bounded(values = [..])]` on the field",
    label = "smallscope cannot enumerate this type"
)]
pub trait Enumerable {
    #[doc(hidden)]
    const IS_ENUMERABLE: bool;
}

#[diagnostic::do_not_recommend]
impl<T: Mirrored + ?Sized> Enumerable for T {
    const IS_ENUMERABLE: bool = T::IS_ENUMERABLE;
}

/// Types that an argument of a test can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a test: write `#[derive(Bounded)]` on it, and `#[rep_ok]` on an impl block with its invariant or `#[bounded(no_invariant)]` on the type",
    label = "smallscope cannot make values of this type; tests in `tests/*.rs` see no derive under `cfg_attr(test, ..)`",
    note = "tests in `tests/*.rs` see the library as its users do: put the derive under a feature, `#[cfg_attr(any(test, feature = \"smallscope\"), ..)]`, or move the test into the library",
    note = "a type of another crate goes into a struct of yours, as a field with `#[bounded(values = [..])]`"
)]
pub trait Testable {
    #[doc(hidden)]
    const IS_TESTABLE: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Bounded> Testable for T {}

/// Keys of maps, and elements of sets.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key of a map or an element of a set: use plain data, such as an integer, a `String`, or an enum without payload with `#[derive(Bounded, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]`",
    label = "not plain data",
    note = "plain data is integers, `bool`, `char`, `String`, `smallscope::Key`, tuples of these, and enums without payload; for other keys, list whole maps with `#[bounded(values = [..])]` on the field"
)]
pub trait PlainKey {
    #[doc(hidden)]
    const IS_PLAIN: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Leaf> PlainKey for T {}

/// An enum without payload that has what smallscope needs of it.
#[diagnostic::on_unimplemented(
    message = "an enum without payload is compared and copied: write `#[derive(Bounded, Clone, PartialEq)]` on `{Self}`",
    label = "`Clone` or `PartialEq` is missing"
)]
pub trait PlainEnum {
    #[doc(hidden)]
    const IS_PLAIN: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Clone + PartialEq> PlainEnum for T {}

/// Stands for a constant at the level of types.
pub struct If<const CONDITION: bool>;

/// A type, unless a constant could not be evaluated.
pub trait Itself<T> {
    /// The type.
    type Type;
}

impl<T> Itself<T> for If<true> {
    type Type = T;
}

/// The mirror of a type, if a constant says that there is one, or the type itself.
pub trait Choose<T: ?Sized> {
    /// See [`Mirrored::Mirror`].
    type Mirror: ?Sized;
    /// See [`Mirrored::Cell`].
    type Cell;
    /// See [`Mirrored::Seq`].
    type Seq;
    /// See [`Mirrored::InMap`].
    type InMap;
}

impl<T: Mirrored> Choose<T> for If<true> {
    type Mirror = T::Mirror;
    type Cell = T::Cell;
    type Seq = T::Seq;
    type InMap = T::InMap;
}

impl<T> Choose<T> for If<false> {
    type Mirror = T;
    type Cell = T;
    type Seq = Vec<T>;
    type InMap = Tracked<T>;
}

/// `IsMirrored::<T>::YES` is whether a type has a mirror; [`NotMirrored`] has to be in scope.
pub struct IsMirrored<T: ?Sized>(PhantomData<T>);

impl<T: Mirrored + ?Sized> IsMirrored<T> {
    /// The type has a mirror.
    pub const YES: bool = true;
}

impl<T: Leaf> IsMirrored<T> {
    /// The type is its own mirror.
    pub const ITSELF: bool = true;
}

/// What [`IsMirrored`] says about other types.
pub trait NotMirrored {
    /// The type has no mirror.
    const YES: bool = false;
    /// The type is not its own mirror.
    const ITSELF: bool = false;
}

impl<T: ?Sized> NotMirrored for IsMirrored<T> {}

/// A mirror that stands for a user's type in the copy of an invariant.
pub trait InCopy {
    /// The user's type.
    type Original;
    /// The type that has the constants: the user's, or the mirror if names of variants look like constants.
    type Constants;
}

/// No type implements this.
pub trait NoType {}
