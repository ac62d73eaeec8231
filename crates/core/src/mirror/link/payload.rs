//! The payload of a structure: fields that its invariant does not look at.

use crate::bounds::FIRST_PAYLOAD;
use crate::layout::Kind;

/// Marks the values of a table with which a candidate can have the first payload. `is_first` says of a field of the payload
/// whether it has its first value only. Returns how many values the table keeps.
pub(super) fn mark(is_first: Option<bool>, len: usize, kind: &mut Kind, masks: &mut Vec<u64>) -> usize {
    for mask in &mut *masks {
        *mask |= 1 << FIRST_PAYLOAD;
    }
    let Some(is_first) = is_first else { return len };
    let Kind::Values { count, .. } = kind else { return len };
    masks.resize(len, u64::MAX);
    if is_first {
        *count = (*count).min(1);
        masks.truncate(1);
        return 1;
    }
    for mask in masks.iter_mut().skip(1) {
        *mask &= !(1 << FIRST_PAYLOAD);
    }
    len
}
