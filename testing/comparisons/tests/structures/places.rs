//! Positions of the lazy engine: between the values of one path, and at answers.

use crate::agreed;
use smallscope::search::{Found, Options, Position, Search};
use smallscope::{Bounded, Bounds, Limit, Outcome, Stop, rep_ok};
use std::collections::HashMap;
use std::ops::ControlFlow;

fn search<T: Bounded>(bounds: &Bounds) -> Search<T> {
    Search::new(bounds, Options { recheck_every: 0, ..Options::default() }).expect("the bounds are right")
}

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

fn rest<T: Bounded>(search: &mut Search<T>) -> Vec<Vec<u32>> {
    let mut paths = vec![];
    while search.find_next(&mut go_on) == Ok(Found::Valid) {
        paths.push(search.path());
    }
    paths
}

/// The rest behind each value, from its position, and split off there.
fn has_places_everywhere<T: Bounded>(bounds: &Bounds) {
    let all = rest(&mut search::<T>(bounds));
    for stop in 0..all.len() {
        let mut first = search::<T>(bounds);
        (0..=stop).for_each(|_| assert_eq!(first.find_next(&mut go_on), Ok(Found::Valid)));
        let at = |position: Position| {
            let mut second = search::<T>(bounds);
            second.start_at(&position).expect("there is such a place");
            rest(&mut second)
        };
        assert_eq!(first.position().map(at).unwrap_or_default(), all[stop + 1..], "after {stop}");
        let cut = first.split();
        let mut together = rest(&mut first);
        together.extend(cut.map(at).unwrap_or_default());
        assert_eq!(together, all[stop + 1..], "split after {stop}");
    }
}

#[derive(Bounded)]
struct Rising {
    a: u8,
    b: u8,
    c: u8,
}

#[rep_ok]
impl Rising {
    fn rep_ok(&self) -> bool {
        self.a <= self.b && self.b <= self.c
    }
}

/// Each number is bounded by the one before it.
#[derive(Bounded)]
struct Falling {
    a: u8,
    b: u8,
    c: u8,
}

#[rep_ok]
impl Falling {
    fn rep_ok(&self) -> bool {
        self.a >= self.b && self.b >= self.c
    }
}

#[test]
fn between_the_values_of_one_path() {
    let bounds = Bounds::scope(4);
    // Three of four numbers, with repetition.
    assert_eq!((agreed::<Rising>(&bounds), agreed::<Falling>(&bounds)), (20, 20));
    has_places_everywhere::<Rising>(&bounds);
    has_places_everywhere::<Falling>(&bounds);
}

#[derive(Bounded)]
struct Different {
    a: u8,
    b: u8,
}

#[rep_ok]
impl Different {
    fn rep_ok(&self) -> bool {
        self.a != self.b
    }
}

/// There are two paths with three values each: less and greater.
#[test]
fn one_value_of_each_path() {
    let bounds = Bounds::scope(3);
    let one_per_path = || {
        let mut search = search::<Different>(&bounds);
        search.one_per_path();
        search
    };
    let all = rest(&mut search::<Different>(&bounds));
    let [less, greater] = [all[0].clone(), all[3].clone()];
    let mut whole = one_per_path();
    assert_eq!(rest(&mut whole), [less.clone(), greater.clone()]);
    assert_eq!(whole.outcome().stop, Stop::LimitReached(Limit::OnePerPath));
    let mut first = one_per_path();
    assert_eq!(first.find_next(&mut go_on), Ok(Found::Valid));
    let position = first.position().expect("the second path is left");
    let mut second = one_per_path();
    second.start_at(&position).expect("there is such a place");
    assert_eq!(second.find_next(&mut go_on), Ok(Found::Valid));
    assert_eq!((second.path(), second.position(), second.split()), (greater.clone(), None, None));
    assert_eq!(rest(&mut second), [[0; 0]; 0]);
    let mut second = one_per_path();
    second.start_after(&less).expect("it was delivered");
    assert_eq!(rest(&mut second), [greater]);
    // The first search goes on to where it was split.
    assert_eq!(first.split(), Some(position));
    assert_eq!(rest(&mut first), [[0; 0]; 0]);
}

/// A search that has ended stays at its end.
#[test]
fn the_end_stays_the_end() {
    let mut search = search::<Rising>(&Bounds::scope(2));
    assert_eq!(rest(&mut search).len(), 4);
    assert_eq!((search.position(), search.split()), (None, None));
    assert_eq!(search.find_next(&mut go_on), Ok(Found::End));
}

#[derive(Bounded)]
struct Either {
    a: u8,
    b: u8,
    is_less: bool,
}

#[rep_ok]
impl Either {
    fn rep_ok(&self) -> bool {
        let is_less = self.a < self.b;
        is_less == self.is_less
    }
}

/// Less and greater are two paths, equal is none; less and not less have no third.
#[test]
fn answers_that_cannot_be_are_no_places() {
    let bounds = Bounds::scope(3);
    assert_eq!((agreed::<Different>(&bounds), agreed::<Either>(&bounds)), (6, 9));
    let begins = |choice| {
        let position = Position(vec![choice]);
        let different = search::<Different>(&bounds).start_at(&position).is_ok();
        (different, search::<Either>(&bounds).start_at(&position).is_ok())
    };
    assert_eq!([0, 1, 2, 3].map(begins), [(true, true), (false, true), (true, false), (false, false)]);
    assert_eq!([8, 33, u32::MAX].map(begins), [(false, false); 3]);
}

#[derive(Bounded)]
struct Table {
    rows: HashMap<u8, Vec<bool>>,
}

#[rep_ok]
impl Table {
    fn rep_ok(&self) -> bool {
        self.rows.values().all(|row| row.len() < 2)
    }
}

/// A hash table has another order in each search, and a position is a path: the rows are read in the order of their keys.
#[test]
fn a_position_means_the_same_to_another_search() {
    let bounds = Bounds::scope(3);
    let all = || {
        let mut search = search::<Table>(&bounds);
        let mut values = vec![];
        while search.find_next(&mut go_on) == Ok(Found::Valid) {
            values.push((search.path(), search.candidate()));
        }
        values
    };
    let first = all();
    // Up to three of three rows, each empty or of one flag.
    assert_eq!(first.len(), 1 + 3 * 3 + 3 * 9 + 27);
    (0..8).for_each(|_| assert_eq!(all(), first));
}
