//! Lengths behind a gap: too long for a search, so that elements are filled.

use super::{Bound, Bounds, IntSet, MAX_DOMAIN};
use crate::site::FieldSite;

/// So many rules come before the random choices.
#[cfg(feature = "filled")]
pub const RULES: u64 = 5;

/// What a rule does with elements, in words.
#[cfg(feature = "filled")]
pub fn rule_text(rule: u64) -> String {
    match rule {
        0 => "each with its first value".to_owned(),
        1 => "each with its last value".to_owned(),
        2 => "ascending, as far as there are values".to_owned(),
        3 => "descending, as far as there are values".to_owned(),
        4 => "all values in turn".to_owned(),
        _ => format!("at random (seed {})", rule - RULES),
    }
}

/// Adds long lengths to those that a field has.
pub(super) fn add(bounds: Bounds, field: &str, more: IntSet) -> Bounds {
    let given = bounds.given.iter().find(|g| g.name == field && matches!(g.bound, Bound::Long(_)));
    let mut all = match given.map(|g| &g.bound) {
        Some(Bound::Long(set)) => set.to_vec(),
        _ => vec![],
    };
    // A range of too many is an error when it is laid out.
    match more.len() <= u128::from(MAX_DOMAIN) {
        true => all.extend(more.to_vec()),
        false => all.push(i128::MAX),
    }
    all.sort_unstable();
    all.dedup();
    bounds.give(field, Bound::Long(IntSet::List(all)))
}

/// The long lengths of a field.
pub(crate) fn of(bounds: &Bounds, site: &FieldSite) -> Vec<i128> {
    if let Some(Bound::Long(set)) = bounds.find_for(site, |b| matches!(b, Bound::Long(_))) {
        return set.to_vec();
    }
    let mut all = vec![];
    if let Some(ranges) = site.attrs.filled {
        for range in ranges(i128::from(bounds.scope.unwrap_or(0))) {
            all.extend(range.take(MAX_DOMAIN as usize + 1));
        }
    }
    all
}

/// The long lengths of all fields that a counter can count.
pub(super) fn up_to(bounds: &Bounds, max: i128) -> Vec<i128> {
    let mut all = bounds.long.clone();
    all.retain(|length| *length <= max);
    all
}

/// The same bounds, as the layout of all that the long lengths depend on needs them.
#[cfg(feature = "filled")]
pub(crate) fn without_rule(bounds: &Bounds) -> Bounds {
    Bounds { fill: None, ..bounds.clone() }
}

/// The same bounds, in which counters can count these lengths.
#[cfg(feature = "filled")]
pub(crate) fn with_all(bounds: &Bounds, long: Vec<i128>) -> Bounds {
    Bounds { long, ..bounds.clone() }
}
