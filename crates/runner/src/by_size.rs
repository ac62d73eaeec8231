//! The number of values within each size, or within each scope, up to a bound.

use crate::check::quietly;
use crate::values::guard_layouts;
use smallscope_core::{Bounded, Bounds, Options, Search};

/// Counts the valid values within each size up to that of the bounds, or within each scope: the number at index `n` is that
/// of all values within `n`. Sizes that are too small for any value have none.
///
/// # Panics
///
/// If the bounds have no number, or are invalid, or if the invariant misbehaves.
///
/// ```
/// use smallscope::Bounds;
/// // The texts of up to two letters, of which sizes 0 and 1 have one.
/// assert_eq!(smallscope::count_by_size::<String>(Bounds::size(2)), [1, 2, 1 + 2 + 4]);
/// assert_eq!(smallscope::count_by_size::<u8>(3), [1, 1, 2, 3]);
/// ```
#[track_caller]
pub fn count_by_size<T: Bounded>(bounds: impl Into<Bounds>) -> Vec<u64> {
    let bounds = bounds.into();
    let name = std::any::type_name::<T>();
    let Some(last) = bounds.scope_number() else {
        panic!(
            "the values of `{name}` cannot be counted by size: the bounds have no scope number and no size"
        );
    };
    let count = |n: u32| {
        let guard = guard_layouts();
        let search = Search::<T>::new(&bounds.with_scope(n), Options::default());
        drop(guard);
        match search {
            Ok(search) => match quietly(|| search.count()) {
                Ok(outcome) => outcome.valid,
                Err(failure) => panic!("the values of `{name}` cannot be counted: {failure}"),
            },
            Err(error) if n == last => panic!("no values of `{name}`: {error}"),
            Err(_) => 0,
        }
    };
    (0..=last).map(count).collect()
}
