//! Positions: a search can be stopped anywhere, split into ranges and put together again, and no value is lost or
//! duplicated.

use smallscope::search::{AnySearch, Found, Options, Position};
use smallscope::{Bounds, Engine, Limit, Outcome, Stop};
use smallscope_catalogue::{STRUCTURES, Structure, counts};
use std::ops::ControlFlow;

/// Structures of which the lazy engine finds most values without running the invariant again, so that most
/// positions lie inside of a leaf, the values that one run stands for.
const LEAVES: &[(&str, &[i64])] = &[("sorted-list", &[4, 4, 5, 4]), ("heap-array", &[3, 3, 3])];

/// Candidates of large cases.
const LARGE: u64 = if cfg!(debug_assertions) { 1_000 } else { 3_000 };

/// Every structure with its largest bounds of at most this many candidates, for all engines. Invariants that rely on
/// ownership do not terminate where boxes may alias.
fn cases(most: u64) -> Vec<(&'static Structure, Bounds, Options)> {
    let mut cases = vec![];
    for structure in STRUCTURES {
        // Another invariant for the same values has no counts of its own.
        let counted = structure.name.trim_end_matches("-guided");
        let rows = counts().into_iter().filter(|row| row.structure == counted && row.explored <= most);
        let Some(row) = rows.max_by_key(|row| row.explored) else { continue };
        let is_for_all = counted == structure.name;
        let engines = [Engine::Lazy, Engine::Owned, Engine::Korat];
        for engine in engines.into_iter().filter(|&engine| is_for_all || engine != Engine::Korat) {
            let options = Options { engine, ..Options::korat() };
            cases.push((structure, (structure.bounds)(&row.args), options));
        }
    }
    assert!(cases.len() >= 30, "the table is there");
    cases.extend(LEAVES.iter().map(|&(name, args)| {
        let structure = smallscope_catalogue::structure(name).expect("the catalogue has it");
        (structure, (structure.bounds)(args), Options { recheck_every: 0, ..Options::default() })
    }));
    cases
}

fn open((structure, bounds, options): &(&Structure, Bounds, Options)) -> AnySearch {
    (structure.open)(bounds, *options).unwrap_or_else(|e| panic!("{}: {e}", structure.name))
}

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

/// The paths of the valid candidates to the end, and how many candidates there were.
fn rest(search: &mut AnySearch) -> (Vec<Vec<u32>>, u64) {
    let mut paths = vec![];
    while search.find_next(&mut go_on).unwrap() == Found::Valid {
        paths.push(search.path());
    }
    (paths, search.outcome().explored)
}

#[test]
fn a_search_goes_on_from_where_another_one_stopped() {
    for case in cases(250) {
        let (all, explored) = rest(&mut open(&case));
        for stop in 0..all.len() {
            let mut first = open(&case);
            (0..=stop).for_each(|_| assert_eq!(first.find_next(&mut go_on), Ok(Found::Valid)));
            assert_eq!(first.path(), all[stop]);
            let position = first.position();
            // A question does not change the search.
            assert_eq!((first.path(), first.position()), (all[stop].clone(), position.clone()));
            let before = first.outcome().explored;
            for second in [Some(first), position.map(|position| at(&case, &position))].into_iter().flatten() {
                let mut second = second;
                let base = second.outcome().explored;
                let (found, after) = rest(&mut second);
                assert_eq!(found, all[stop + 1..], "{} after {stop}", case.0.name);
                assert_eq!(before + after - base, explored, "{} after {stop}", case.0.name);
            }
            let mut third = open(&case);
            third.start_after(&all[stop]).unwrap();
            let (found, after) = rest(&mut third);
            assert_eq!((found, before + after), (all[stop + 1..].to_vec(), explored), "{}", case.0.name);
        }
    }
}

fn at(case: &(&Structure, Bounds, Options), position: &Position) -> AnySearch {
    let mut search = open(case);
    search.start_at(position).unwrap_or_else(|e| panic!("{} at {position}: {e}", case.0.name));
    search
}

/// Searches a range, splitting it after every few values; ranges are returned in order.
fn split_up(
    case: &(&Structure, Bounds, Options),
    search: &mut AnySearch,
    every: usize,
) -> (Vec<Vec<u32>>, u64) {
    let mut paths = vec![];
    let mut later = None;
    while search.find_next(&mut go_on).unwrap() == Found::Valid {
        paths.push(search.path());
        if later.is_none() && paths.len() == every {
            later = search.split();
        }
    }
    let mut explored = search.outcome().explored;
    if let Some(position) = later {
        assert_eq!(search.outcome().stop, Stop::LimitReached(Limit::Position));
        // The first candidate behind the cut has more slots, with their first choices.
        let position_of_end = search.position().expect("the rest begins here");
        assert_eq!(at(case, &position_of_end).position(), at(case, &position).position());
        assert_eq!(search.find_next(&mut go_on), Ok(Found::End), "the end stays the end");
        let (found, more) = split_up(case, &mut at(case, &position), every);
        paths.extend(found);
        explored += more;
    }
    (paths, explored)
}

/// Together with the other tests, this shows that searches stop, split and begin inside of leaves, too.
#[test]
fn most_places_of_some_searches_lie_inside_of_a_leaf() {
    let cases = cases(250);
    for case in &cases[cases.len() - LEAVES.len()..] {
        let (paths, explored) = rest(&mut open(case));
        assert!(paths.len() as u64 > 4 * explored, "{}: {explored} runs", case.0.name);
        let mut search = open(case);
        let mut inside = 0;
        while search.find_next(&mut go_on).unwrap() == Found::Valid {
            let Some(cut) = search.split() else { continue };
            search.until(&Position::START);
            let mut second = at(case, &cut);
            assert_eq!(second.find_next(&mut go_on), Ok(Found::Valid));
            // A run of the invariant would have been counted.
            inside += u32::from(second.outcome().explored == 0);
        }
        assert!(inside > 0, "{}: no cut lies inside of a leaf", case.0.name);
    }
}

#[test]
fn ranges_put_together_are_the_whole() {
    for case in cases(LARGE) {
        let whole = rest(&mut open(&case));
        for every in [1, 5] {
            assert!(split_up(&case, &mut open(&case), every) == whole, "{} {every}", case.0.name);
        }
    }
}

#[test]
fn ranges_between_any_two_candidates() {
    for case in cases(250) {
        let mut search = open(&case);
        let (all, explored) = rest(&mut search);
        for (i, to) in all.iter().enumerate() {
            let to = Position(to.clone());
            let mut before = open(&case);
            before.until(&to);
            let (first, explored_before) = rest(&mut before);
            assert_eq!(first, all[..i], "{} to {to}", case.0.name);
            let (second, explored_after) = rest(&mut at(&case, &to));
            assert_eq!(second, all[i..], "{} from {to}", case.0.name);
            assert_eq!(explored_before + explored_after, explored, "{} at {to}", case.0.name);
        }
    }
}

#[test]
fn changes_are_enough_to_restore_every_candidate() {
    for case in cases(LARGE) {
        let mut search = open(&case);
        let mut other = open(&case);
        let (mut new, mut path) = (vec![], Vec::<u32>::new());
        while search.find_next(&mut go_on).unwrap() == Found::Valid {
            let kept = search.changes(&mut new);
            path.truncate(kept);
            path.extend(&new);
            assert_eq!(path, search.path());
            other.restore(kept, &new).unwrap();
            assert_eq!((other.candidate(), other.reads()), (search.candidate(), search.reads()));
        }
    }
}

#[test]
fn the_fraction_grows_from_none_to_everything() {
    for case in cases(LARGE) {
        let mut search = open(&case);
        let mut last = 0.0;
        while search.find_next(&mut go_on).unwrap() == Found::Valid {
            let path = search.path();
            let fraction = search.fraction();
            assert!(last <= fraction + 1e-9 && fraction < 1.0, "{} {last} {fraction}", case.0.name);
            assert_eq!(search.path(), path);
            last = fraction;
        }
    }
}

#[test]
fn questions_at_the_end_do_not_lead_back() {
    for case in cases(250) {
        let mut search = open(&case);
        let (_, explored) = rest(&mut search);
        let _ = search.fraction();
        assert_eq!((search.position(), search.split()), (None, None), "{}", case.0.name);
        assert_eq!(search.find_next(&mut go_on), Ok(Found::End), "{}", case.0.name);
        assert_eq!(search.outcome().explored, explored, "{}", case.0.name);
    }
}

#[test]
fn what_is_no_position_is_said() {
    let structure = smallscope_catalogue::structure("search-tree").unwrap();
    let mut search = (structure.open)(&(structure.bounds)(&[2, 0, 2, 0, 1]), Options::korat()).unwrap();
    for (position, why) in [
        ("9", "choice 9 is not allowed at `SearchTree.root`"),
        ("2", "choice 2 is not allowed at `SearchTree.root`"),
        ("0.0.0", "it has 3 choices, but only 2 are made"),
        ("1.0.0.7", "choice 7 is not allowed at `SearchTree.size`"),
    ] {
        let error = search.start_at(&position.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(why), "{position}: {error}");
    }
    assert!(search.start_after(&[1, 0, 0, 0]).unwrap_err().to_string().contains("does not accept"));
    assert!(search.start_after(&[1, 0, 0, 1]).unwrap_err().to_string().contains("reads more"));
    search.start_at(&Position::START).unwrap();
    assert_eq!(rest(&mut search).0.len(), 1 + 2 + 2);
}
