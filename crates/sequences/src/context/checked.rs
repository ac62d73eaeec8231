//! Types that `#[api]` writes in place of a user's type, so that a missing trait is one error.
//!
//! They depend on a constant of that trait. If the trait is not implemented, the constant cannot be evaluated, which the
//! compiler reports once; what depends on it counts as reported.

use std::fmt::Debug;
use std::hash::Hash;

/// [`super::Copied`], without the traits that it needs, which would be reported in its place.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed by value and kept in its pool: write `#[derive(Clone)]` on it, or `#[api(moves)]` above the method",
    label = "needs `Clone`"
)]
pub trait Copied {
    /// True.
    const IS_COPIED: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Clone + 'static> Copied for T {}

/// [`super::Comparable`] in the same way.
#[diagnostic::on_unimplemented(
    message = "a result of type `{Self}` cannot be compared: write `#[derive(Hash, Debug)]` on it, or `#[api(nothing)]` above the method to ignore it",
    label = "needs `Hash` and `Debug`"
)]
pub trait Comparable {
    /// True.
    const IS_COMPARABLE: bool = true;
}

#[diagnostic::do_not_recommend]
impl<T: Hash + Debug + 'static> Comparable for T {}

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
