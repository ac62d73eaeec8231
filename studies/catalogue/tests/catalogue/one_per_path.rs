//! One value of each path: the first of those that one run of the invariant stands for, also when the search is split.

use smallscope::search::{AnySearch, Found, Options, Position};
use smallscope::{Bounds, Limit, Outcome, Stop};
use smallscope_catalogue::{STRUCTURES, Structure, counts};
use std::ops::ControlFlow;

const END: Stop = Stop::LimitReached(Limit::OnePerPath);

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

/// Every structure with its largest bounds of at most this many candidates.
fn cases(most: u64) -> Vec<(&'static Structure, Bounds)> {
    let case = |structure: &'static Structure| {
        // Another invariant for the same values has no counts of its own.
        let counted = structure.name.trim_end_matches("-guided");
        let rows = counts().into_iter().filter(|row| row.structure == counted && row.explored <= most);
        let row = rows.max_by_key(|row| row.explored)?;
        Some((structure, (structure.bounds)(&row.args)))
    };
    let cases: Vec<_> = STRUCTURES.iter().filter_map(case).collect();
    assert!(cases.len() >= 10, "the table is there");
    cases
}

fn open((structure, bounds): &(&Structure, Bounds)) -> AnySearch {
    let options = Options { recheck_every: 0, ..Options::default() };
    (structure.open)(bounds, options).unwrap_or_else(|e| panic!("{}: {e}", structure.name))
}

fn one_per_path(case: &(&Structure, Bounds)) -> AnySearch {
    let mut search = open(case);
    search.one_per_path();
    search
}

/// The paths of the values found, and the number of runs.
fn rest(search: &mut AnySearch) -> (Vec<Vec<u32>>, u64) {
    let mut paths = vec![];
    while search.find_next(&mut go_on).unwrap() == Found::Valid {
        paths.push(search.path());
    }
    (paths, search.outcome().explored)
}

/// The values before which the invariant was run.
fn firsts(case: &(&Structure, Bounds)) -> (Vec<Vec<u32>>, u64) {
    let (mut search, mut paths, mut explored) = (open(case), vec![], 0);
    while search.find_next(&mut go_on).unwrap() == Found::Valid {
        if search.outcome().explored > explored {
            paths.push(search.path());
        }
        explored = search.outcome().explored;
    }
    (paths, search.outcome().explored)
}

#[test]
fn the_first_value_of_each_path_is_found_and_it_is_not_called_everything() {
    let mut fewer = 0;
    for case in cases(6_000) {
        let expected = firsts(&case);
        let mut search = one_per_path(&case);
        assert!(rest(&mut search) == expected, "{}", case.0.name);
        let outcome = search.outcome();
        assert_eq!((outcome.stop, outcome.is_exhaustive()), (END, false), "{}", case.0.name);
        assert_eq!(search.position(), None, "{}", case.0.name);
        assert_eq!(search.find_next(&mut go_on), Ok(Found::End), "the end stays the end");
        let all = (case.0.count)(&case.1, Options::default()).unwrap().valid;
        fewer += u32::from(outcome.valid < all);
    }
    assert!(fewer >= 10, "in most structures a path has several values");
}

#[test]
fn it_goes_on_from_where_it_stopped() {
    for case in cases(if cfg!(debug_assertions) { 300 } else { 1_000 }) {
        let (all, explored) = rest(&mut one_per_path(&case));
        for stop in 0..all.len() {
            let mut first = one_per_path(&case);
            (0..=stop).for_each(|_| assert_eq!(first.find_next(&mut go_on), Ok(Found::Valid)));
            let before = first.outcome().explored;
            // A question does not change the search.
            let position = first.position();
            let (fraction, again) = (first.fraction(), first.position());
            assert!(fraction < 1.0 && again == position && first.path() == all[stop], "{}", case.0.name);
            let expected = (all[stop + 1..].to_vec(), explored - before);
            let mut after = one_per_path(&case);
            after.start_after(&all[stop]).unwrap();
            assert!(rest(&mut after) == expected, "{} after {stop}", case.0.name);
            match position {
                Some(position) => {
                    let mut at = one_per_path(&case);
                    at.start_at(&position).unwrap();
                    assert!(rest(&mut at) == expected, "{} at {position}", case.0.name);
                }
                None => assert!(expected.0.is_empty()),
            }
            let (found, together) = rest(&mut first);
            assert!(found == expected.0 && together == explored, "{} went on", case.0.name);
        }
    }
}

/// Stops at each value and after each pause between two values, and splits off the rest.
fn in_pieces(case: &(&Structure, Bounds), search: &mut AnySearch) -> (Vec<Vec<u32>>, u64) {
    let (mut paths, mut cut) = (vec![], None);
    while search.find_next(&mut go_on).unwrap() == Found::Valid {
        paths.push(search.path());
        cut = cut.or_else(|| search.split());
    }
    let mut explored = search.outcome().explored;
    if let Some(cut) = cut {
        assert_eq!(search.outcome().stop, Stop::LimitReached(Limit::Position));
        let mut second = one_per_path(case);
        second.start_at(&cut).unwrap();
        let (found, more) = in_pieces(case, &mut second);
        paths.extend(found);
        explored += more;
    }
    (paths, explored)
}

#[test]
fn pieces_are_the_whole_and_no_path_is_split() {
    for case in cases(2_000) {
        let whole = rest(&mut one_per_path(&case));
        assert!(in_pieces(&case, &mut one_per_path(&case)) == whole, "{}", case.0.name);
    }
}

#[test]
fn a_pause_changes_nothing() {
    for case in cases(if cfg!(debug_assertions) { 3_000 } else { 6_000 }) {
        let whole = rest(&mut one_per_path(&case));
        let (mut search, mut paths, mut pauses) = (one_per_path(&case), vec![], 0);
        loop {
            let mut paused = false;
            let found = search.find_next(&mut |_| {
                paused = true;
                ControlFlow::Break(Stop::Interrupted)
            });
            if found == Ok(Found::Valid) {
                paths.push(search.path());
            } else if !paused {
                break;
            } else {
                // It restores the state of a complete value.
                let _ = (search.fraction(), search.position());
                pauses += 1;
            }
        }
        assert!((paths, search.outcome().explored) == whole, "{} with {pauses} pauses", case.0.name);
    }
}

#[test]
fn a_range_that_begins_inside_of_a_path_has_one_value_of_it() {
    let structure = smallscope_catalogue::structure("sorted-list").unwrap();
    let case = (structure, (structure.bounds)(&[3, 3, 4, 3]));
    let (all, _) = rest(&mut open(&case));
    let (paths, _) = rest(&mut one_per_path(&case));
    let inside = all.iter().position(|path| path == paths.last().unwrap()).unwrap() + 1;
    let mut search = one_per_path(&case);
    search.start_at(&Position(all[inside].clone())).unwrap();
    assert_eq!(rest(&mut search).0, all[inside..=inside]);
}
