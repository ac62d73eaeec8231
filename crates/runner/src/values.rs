//! Values and their number, without a test.

use crate::check::quietly;
use smallscope_core::room::{self, RoomGuard};
use smallscope_core::{Bounded, Bounds, Error, Failure, Options, Outcome, Search};
use smallscope_support::memory;

/// Returns every valid value within the bounds, in the order of the search.
///
/// # Panics
///
/// If the bounds are invalid, or the invariant misbehaves; see [`try_all`].
///
/// ```
/// let all: Vec<Vec<u8>> = smallscope::all(2).collect();
/// assert_eq!(all.len(), 1 + 2 + 4);
/// ```
#[track_caller]
pub fn all<T: Bounded>(bounds: impl Into<Bounds>) -> impl Iterator<Item = T> {
    let values = try_all(bounds).unwrap_or_else(|e| panic!("no values of `{}`: {e}", type_name::<T>()));
    values.map(|value| value.unwrap_or_else(|f| panic!("no more values of `{}`: {f}", type_name::<T>())))
}

/// Returns every valid value within the bounds, or the failure that ends the search.
pub fn try_all<T: Bounded>(
    bounds: impl Into<Bounds>,
) -> Result<impl Iterator<Item = Result<T, Failure>>, Error> {
    let _guard = guard_layouts();
    let mut search = Some(Search::<T>::new(&bounds.into(), Options::default())?);
    Ok(std::iter::from_fn(move || {
        let next = quietly(|| search.as_mut()?.next_value());
        if !matches!(next, Some(Ok(_))) {
            search = None;
        }
        next
    }))
}

/// Counts the valid values within the bounds, without building them.
///
/// # Panics
///
/// If the bounds are invalid, or the invariant misbehaves; [`Search::count`] returns an error instead.
///
/// ```
/// assert_eq!(smallscope::count::<[bool; 3]>(0).valid, 8);
/// ```
#[track_caller]
pub fn count<T: Bounded>(bounds: impl Into<Bounds>) -> Outcome {
    let guard = guard_layouts();
    let search = Search::<T>::new(&bounds.into(), Options::default());
    drop(guard);
    let search = search.unwrap_or_else(|e| panic!("no values of `{}`: {e}", type_name::<T>()));
    let counted = quietly(|| search.count());
    counted.unwrap_or_else(|f| panic!("the values of `{}` cannot be counted: {f}", type_name::<T>()))
}

/// Lets layouts of this thread respect the default limit on memory, as long as the guard lives.
pub(crate) fn guard_layouts() -> RoomGuard {
    room::limit(|bytes| memory::Limit::Share.has_room(bytes))
}

fn type_name<T>() -> String {
    crate::show::type_text(std::any::type_name::<T>())
}
