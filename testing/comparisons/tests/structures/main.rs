//! Hand-written structures, each compared with the reference at small bounds: every kind of field alone and
//! combined, without and with invariants.

mod arenas;
mod combinations;
mod containers;
mod data;
mod invariants;
mod made;
mod places;
mod pointers;
mod questions;
mod summarised;
mod values;

use smallscope::{Bounded, Bounds};
use smallscope_reference::{Comparison, Settings, compare};

/// Compares within some bounds; the number of valid values if both engines agree with the reference.
pub fn agreed<T: Bounded>(bounds: &Bounds) -> usize {
    checked::<T>(bounds, &Settings::default()).valid
}

/// The same for several scopes: the numbers of valid values. Sizes are compared, too.
pub fn by_scope<T: Bounded>(scopes: std::ops::RangeInclusive<u32>) -> Vec<usize> {
    let mut valid = vec![];
    for n in scopes {
        valid.push(agreed::<T>(&Bounds::scope(n)));
        // In sizes that are too small for any value, there is nothing to compare.
        if compare::<T>(&Bounds::size(n), &Settings { engines: vec![], ..Settings::default() }).is_ok() {
            agreed::<T>(&Bounds::size(n));
        }
    }
    valid
}

/// Compares with other settings.
pub fn checked<T: Bounded>(bounds: &Bounds, settings: &Settings) -> Comparison {
    match compare::<T>(bounds, settings) {
        Ok(comparison) => comparison,
        Err(e) => panic!("{} within {bounds:?}\n{e}", std::any::type_name::<T>()),
    }
}
