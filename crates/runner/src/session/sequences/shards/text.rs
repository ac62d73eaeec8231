//! Results of shards of call sequences as text, and their places in a plan.

use crate::session::shard::Place;
use crate::session::wire::{Fields, Wire};
use smallscope_core::Position;
use smallscope_sequences::{BigUint, Counts, Part, TestsPart};

/// Returns the place of a position in a list of tests. `width` is the number of digits of the last one: places are compared
/// digit by digit.
pub(super) fn place_of_test(position: &BigUint, width: usize) -> Place {
    let mut digits = position.to_u32_digits();
    digits.resize(width, 0);
    digits.reverse();
    Place { pass: 0, position: Position(digits) }
}

/// Returns the position in a list of tests.
pub(super) fn test_at(place: &Place) -> BigUint {
    BigUint::new(place.position.0.iter().rev().copied().collect())
}

/// Returns the place of a state of a level.
pub(super) fn place_of_state(level: usize, state: u32) -> Place {
    match (level, state) {
        (0, 0) => Place::START,
        _ => Place { pass: level as u32, position: Position(vec![state]) },
    }
}

/// Returns the number of a state.
pub(super) fn state_at(place: &Place) -> u32 {
    place.position.0.first().copied().unwrap_or(0)
}

fn counts_to_text(counts: Counts) -> String {
    let Counts { calls, skipped, errors, panics, stored } = counts;
    format!("{calls} {skipped} {errors} {panics} {stored}")
}

fn counts_from_text(text: &str) -> Option<Counts> {
    let mut numbers = text.split(' ').map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    let (calls, skipped, errors) = (next()?, next()?, next()?);
    Some(Counts { calls, skipped, errors, panics: next()?, stored: next()? })
}

fn pairs<A: std::str::FromStr, B: std::str::FromStr>(text: &str) -> Option<Vec<(A, B)>> {
    let pair = |text: &str| {
        let (a, b) = text.split_once(' ')?;
        Some((a.parse().ok()?, b.parse().ok()?))
    };
    text.split_terminator(';').map(pair).collect()
}

/// Writes the result of a range of a list.
pub(super) fn tests_to_text(part: &TestsPart) -> String {
    let mut fields = Fields::default();
    fields.put("counts", counts_to_text(part.counts));
    fields.put("tests", part.tests);
    fields.put("failing", part.failing);
    let failures = part.failures.iter().map(|(failing, position)| format!("{failing} {position};"));
    fields.put("failures", failures.collect::<String>());
    fields.to_line()
}

/// Reads the result of a range of a list.
pub(super) fn tests_from_text(text: &str) -> Option<TestsPart> {
    let fields = Fields::from_line(text);
    Some(TestsPart {
        tests: u64::get("tests", &fields).ok()?,
        failing: u64::get("failing", &fields).ok()?,
        counts: counts_from_text(fields.get("counts")?)?,
        failures: pairs(fields.get("failures")?)?,
    })
}

/// Writes the result of a part of a level, without the states that it found.
pub(super) fn part_to_text(part: &Part) -> String {
    let mut fields = Fields::default();
    fields.put("counts", counts_to_text(part.counts));
    fields.put("transitions", part.transitions);
    let failing = part.failing.iter().map(|(state, call)| format!("{state} {call};"));
    fields.put("failing", failing.collect::<String>());
    let left_out = part.left_out.iter().map(|(name, is_vouched)| format!("{is_vouched} {name};"));
    fields.put("left_out", left_out.collect::<String>());
    fields.to_line()
}

/// Reads the result of a part of a level.
pub(super) fn part_from_text(text: &str) -> Option<Part> {
    let fields = Fields::from_line(text);
    let left_out: Vec<(bool, String)> = pairs(fields.get("left_out")?)?;
    Some(Part {
        counts: counts_from_text(fields.get("counts")?)?,
        transitions: u64::get("transitions", &fields).ok()?,
        failing: pairs(fields.get("failing")?)?,
        left_out: left_out.into_iter().map(|(is_vouched, name)| (name, is_vouched)).collect(),
        ..Part::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_survive_as_text() {
        let counts = Counts { calls: 9, skipped: 1, errors: 2, panics: 3, stored: 4 };
        let failures = vec![(1, BigUint::from(7u8)), (3, BigUint::from(u128::MAX))];
        let tests = TestsPart { tests: 8, failing: 4, counts, failures };
        assert_eq!(tests_from_text(&tests_to_text(&tests)), Some(tests));
        let left_out = vec![("Tree.cache".to_owned(), true), ("Map<u8, u8>.hits".to_owned(), false)];
        let part =
            Part { counts, transitions: 5, failing: vec![(3, 1), (4, 0)], left_out, ..Part::default() };
        let back = part_from_text(&part_to_text(&part)).unwrap();
        assert_eq!((back.counts, back.transitions), (part.counts, part.transitions));
        assert_eq!((back.failing, back.left_out), (part.failing, part.left_out));
        assert!(tests_from_text("tests=1").is_none() && part_from_text("").is_none());
    }

    #[test]
    fn places_are_in_the_order_of_positions() {
        let positions = [1u128, 2, u32::MAX as u128, 1 << 32, 1 << 40, u128::MAX];
        let places = positions.map(|position| place_of_test(&position.into(), 4));
        assert!(places.is_sorted() && Place::START < places[0]);
        assert_eq!(places.each_ref().map(test_at), positions.map(BigUint::from));
        assert_eq!(test_at(&Place::START), BigUint::ZERO);
        assert!(place_of_state(0, 0) < place_of_state(1, 1) && place_of_state(1, 9) < place_of_state(2, 5));
    }
}
