//! Hand-written structures, each compared with the reference at small bounds: every kind of field alone and
//! combined, without and with invariants.

mod arenas;
mod combinations;
mod containers;
mod data;
mod invariants;
mod places;
mod pointers;
mod questions;
mod values;

use smallscope::{Bounded, Bounds};
use smallscope_reference::{Comparison, Settings, compare};

/// Compares within some bounds; the number of valid values if both engines agree with the reference.
pub fn agreed<T: Bounded>(bounds: &Bounds) -> usize {
    checked::<T>(bounds, &Settings::default()).valid
}

/// The same for several scopes: the numbers of valid values.
pub fn by_scope<T: Bounded>(scopes: std::ops::RangeInclusive<u32>) -> Vec<usize> {
    scopes.map(|n| agreed::<T>(&Bounds::scope(n))).collect()
}

/// Compares with other settings.
pub fn checked<T: Bounded>(bounds: &Bounds, settings: &Settings) -> Comparison {
    match compare::<T>(bounds, settings) {
        Ok(comparison) => comparison,
        Err(e) => panic!("{} within {bounds:?}\n{e}", std::any::type_name::<T>()),
    }
}
