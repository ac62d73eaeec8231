//! Edge values: what a type has at its ends and where code breaks, for fields whose values only the scope bounds.
//!
//! A layout with edge values is that of a small scope whose tables have more values. Those that the scope of the test
//! allows, too, have its bit in their masks, so that a search delivers only values that have an edge value somewhere.

use super::{Bounds, IntSet};
use crate::site::FieldSite;

/// From this scope on, edge values are few, since they multiply.
const FEW_FROM: u32 = 2;

/// The largest table of contents (strings, sets, maps, tuples) with edge values. Larger ones take long to make.
pub(crate) const MAX_DOMAIN_OF_EDGES: u64 = 1 << 15;

/// Other characters than those of ASCII: first and last of two, three and four bytes, neighbours of the surrogates, a
/// combining character, letters that change their length with their case, white space, marks.
const NOT_ASCII: &str = "\u{80}\u{a0}é\u{ff}ıſß\u{301}\u{7ff}\u{800}İ\u{200b}\u{2028}\u{d7ff}\u{e000}ﬁ\u{feff}\u{fffd}\u{ffff}\u{10000}😀\u{10ffff}";

/// The few characters.
const FEW_CHARACTERS: &str = "\0\n \"\\0-é\u{301}\u{d7ff}\u{e000}\u{10ffff}";

/// Strings that are longer than the scope allows.
const STRINGS: [&str; 3] = [
    "18446744073709551616",
    "-9223372036854775809",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Whether edge values are few.
pub(super) fn are_few(bounds: &Bounds) -> bool {
    bounds.scope.is_some_and(|scope| scope >= FEW_FROM)
}

/// The edge values of integers between two ends, few or many. Counters in structures have none: invariants compare them
/// with what they count, and run long loops if they are large.
pub(super) fn ints(site: &FieldSite, is_counter: bool, (min, max): (i128, i128), few: bool) -> Vec<i128> {
    if is_counter && !site.is_input() {
        return vec![];
    }
    let mut edges = vec![0, 1, -1];
    let is_byte = max.checked_sub(min).is_some_and(|span| span <= 255);
    let powers: &[u32] = match (is_byte, few || is_counter) {
        (true, true) => &[7],
        (true, false) => {
            edges.extend_from_slice(&IntSet::Range(min, max).to_vec());
            &[]
        }
        // A counter of some gigabytes would be allocated.
        (false, true) => &[8],
        (false, false) => &[7, 8, 15, 16, 31, 32, 63, 64],
    };
    for power in powers {
        let n = 1_i128 << power;
        edges.extend_from_slice(&[n - 1, n]);
        if !few {
            edges.extend_from_slice(&[-n, -n - 1]);
        }
    }
    edges.extend_from_slice(&[max, max.saturating_sub(1), min, min.saturating_add(1)]);
    let mut within = vec![];
    for edge in edges {
        if (min..=max).contains(&edge) {
            within.push(edge);
        }
    }
    within
}

/// The edge values of characters, few or many.
#[inline]
pub(super) fn characters(few: bool) -> Vec<char> {
    match few {
        true => FEW_CHARACTERS.chars().collect(),
        false => (0..128_u8).map(char::from).chain(NOT_ASCII.chars()).collect(),
    }
}

/// Strings besides those of its characters and lengths, for a field that only the scope bounds.
#[inline]
pub(crate) fn strings(bounds: &Bounds, site: &FieldSite) -> &'static [&'static str] {
    let is_bounded = site.attrs.len.is_some()
        || site.attrs.alphabet.is_some()
        || bounds.given.iter().any(|given| !given.bound.is_edge() && site.answers_to(&given.name));
    if bounds.has_edges() && !is_bounded { &STRINGS } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::FieldAttrs;

    const FIELD: FieldSite = FieldSite { owner: "A", module: "m", field: "f", attrs: FieldAttrs::NONE };
    const INPUT: FieldSite = FieldSite { owner: "", module: "", field: "x", attrs: FieldAttrs::NONE };

    fn ints(scope: u32, site: &FieldSite, is_counter: bool, min: i128, max: i128) -> Vec<i128> {
        let few = are_few(&Bounds::scope(4).edges_at(scope));
        let mut ints = super::ints(site, is_counter, (min, max), few);
        ints.sort_unstable();
        ints.dedup();
        ints
    }

    #[test]
    fn integers_have_the_ends_of_their_type() {
        assert_eq!(ints(2, &FIELD, false, 0, 255), [0, 1, 127, 128, 254, 255]);
        assert_eq!(ints(1, &FIELD, false, -128, 127).len(), 256);
        let few = ints(2, &FIELD, false, i64::MIN.into(), i64::MAX.into());
        let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, 255, 256, i64::MAX - 1, i64::MAX];
        assert_eq!(few, ends.map(i128::from));
        let many = ints(1, &FIELD, false, 0, u32::MAX.into());
        let expected = [
            0,
            1,
            127,
            128,
            255,
            256,
            32767,
            32768,
            65535,
            65536,
            (1 << 31) - 1,
            1 << 31,
            (1 << 32) - 2,
            (1 << 32) - 1,
        ];
        assert_eq!(many, expected);
    }

    #[test]
    fn counters_have_none_unless_they_are_inputs() {
        let max = u64::MAX.into();
        assert!(ints(1, &FIELD, true, 0, max).is_empty());
        assert_eq!(ints(1, &INPUT, true, 0, max), [0, 1, 255, 256, max - 1, max]);
    }

    #[test]
    fn characters_are_different() {
        let many = characters(false);
        assert!(characters(true).iter().all(|edge| many.contains(edge)));
        for few in [false, true] {
            let mut edges = characters(few);
            let count = edges.len();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len(), count);
            assert!(edges.contains(&'\u{d7ff}') && edges.contains(&'"'));
        }
    }
}
