//! What becomes of the result of a call.

use std::any::{TypeId, type_name};
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

use super::values::{Place, Reply, Values};

/// What becomes of a result `R`: created by [`nothing`], [`seen`], [`into`], [`found`], [`optional`] and [`fallible`].
pub trait Keep<R>: 'static {
    /// The type of the pool that the result goes into, and how it is unpacked.
    fn kept() -> Kept;
    #[doc(hidden)]
    fn keep(result: R, values: &mut Values, place: Option<Place>) -> Reply;
}

/// A result that can be compared and shown. Implemented for all types that are `Hash` and `Debug`.
#[diagnostic::on_unimplemented(
    message = "a result of type `{Self}` cannot be compared",
    label = "needs `Hash` and `Debug`",
    note = "drop it: `nothing()` in a builder, `#[api(nothing)]` on a method"
)]
pub trait Comparable: Hash + Debug + 'static {}

impl<T: Hash + Debug + 'static> Comparable for T {}

/// Where a result goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The pool, if it goes into one.
    pub(crate) pool: Option<(TypeId, &'static str)>,
    /// Whether it is only compared and shown if there is no such pool.
    pub(crate) is_optional: bool,
    /// How many layers of `Option` and `Result` are removed.
    pub(crate) unpacked: usize,
}

/// See [`nothing`].
pub struct Nothing;
/// See [`seen`].
pub struct Seen;
/// See [`into`].
pub struct Into<T>(PhantomData<fn(T)>);
/// See [`found`].
pub struct Found<T>(PhantomData<fn(T)>);
/// See [`optional`].
pub struct Optional<K>(K);
/// See [`fallible`].
pub struct Fallible<K>(K);

/// The result is ignored.
pub fn nothing() -> Nothing {
    Nothing
}

/// The result is compared with that of the reference implementation, if there is one, and shown.
pub fn seen() -> Seen {
    Seen
}

/// The result goes into the pool of its type.
pub fn into<T: 'static>() -> Into<T> {
    Into(PhantomData)
}

/// The result goes into the pool of its type if there is one, and is compared and shown otherwise.
pub fn found<T: Comparable>() -> Found<T> {
    Found(PhantomData)
}

/// The result is an `Option`, whose content is kept as `inner` says.
pub fn optional<K>(inner: K) -> Optional<K> {
    Optional(inner)
}

/// The result is a `Result`: an `Err` is recorded, and the content of an `Ok` is kept as `inner` says.
pub fn fallible<K>(inner: K) -> Fallible<K> {
    Fallible(inner)
}

impl<R> Keep<R> for Nothing {
    fn kept() -> Kept {
        Kept { pool: None, is_optional: false, unpacked: 0 }
    }
    #[inline(always)]
    fn keep(_: R, _: &mut Values, _: Option<Place>) -> Reply {
        Reply::Returned
    }
}

impl<R: Comparable> Keep<R> for Seen {
    fn kept() -> Kept {
        Kept { pool: None, is_optional: false, unpacked: 0 }
    }
    #[inline(always)]
    fn keep(result: R, values: &mut Values, _: Option<Place>) -> Reply {
        if values.attention.results {
            values.result.opaque(&result);
        }
        if values.attention.texts {
            values.text = format!("{result:?}");
        }
        Reply::Returned
    }
}

impl<T: 'static> Keep<T> for Into<T> {
    fn kept() -> Kept {
        Kept { pool: Some((TypeId::of::<T>(), type_name::<T>())), is_optional: false, unpacked: 0 }
    }
    #[inline(always)]
    fn keep(result: T, values: &mut Values, place: Option<Place>) -> Reply {
        let place = place.expect("smallscope internal error: a result goes into a pool");
        values.slots_mut(place.pool).put(place.slot as usize, Some(result));
        if values.attention.results && !values.incomparable.contains(&place.pool) {
            let mut sink = std::mem::take(&mut values.result);
            values.pool(place.pool).linearize(place.slot as usize, &mut sink);
            values.result = sink;
        }
        if values.attention.texts {
            values.text = values.show(place).unwrap_or_default();
        }
        Reply::Stored
    }
}

impl<T: Comparable> Keep<T> for Found<T> {
    fn kept() -> Kept {
        Kept { is_optional: true, ..<Into<T> as Keep<T>>::kept() }
    }
    #[inline(always)]
    fn keep(result: T, values: &mut Values, place: Option<Place>) -> Reply {
        match place {
            Some(_) => <Into<T> as Keep<T>>::keep(result, values, place),
            None => <Seen as Keep<T>>::keep(result, values, place),
        }
    }
}

impl<T, K: Keep<T>> Keep<Option<T>> for Optional<K> {
    fn kept() -> Kept {
        Kept { unpacked: K::kept().unpacked + 1, ..K::kept() }
    }
    #[inline(always)]
    fn keep(result: Option<T>, values: &mut Values, place: Option<Place>) -> Reply {
        if values.attention.results {
            values.result.number(u64::from(result.is_some()));
        }
        match result {
            Some(result) => K::keep(result, values, place),
            None => {
                if values.attention.texts {
                    values.text = "None".to_owned();
                }
                Reply::Returned
            }
        }
    }
}

impl<T, E: Debug, K: Keep<T>> Keep<Result<T, E>> for Fallible<K> {
    fn kept() -> Kept {
        Kept { unpacked: K::kept().unpacked + 1, ..K::kept() }
    }
    #[inline(always)]
    fn keep(result: Result<T, E>, values: &mut Values, place: Option<Place>) -> Reply {
        match result {
            Ok(result) => K::keep(result, values, place),
            Err(error) => {
                if values.attention.texts {
                    values.text = format!("{error:?}");
                }
                Reply::Failed
            }
        }
    }
}
