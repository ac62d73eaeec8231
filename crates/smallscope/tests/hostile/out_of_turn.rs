//! Conjuncts that rely on those before them. The search tries other orders; what a conjunct does out of turn may be
//! wrong, endless or impossible, and is never noticed.

use crate::run;
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    static PANICS: Cell<u32> = const { Cell::new(0) };
    static ROUNDS: Cell<u64> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

/// Stands for a panic of the user's code.
fn checked(i: usize, len: usize) -> usize {
    if i >= len {
        PANICS.set(PANICS.get() + 1);
        panic!("index {i} of {len}");
    }
    i
}

fn in_source_order() -> Options {
    let mut options = Options::default();
    options.lazy.order = false;
    options
}

/// The panics of a plan and of the search behind it, and the number of values.
fn panics<T: Bounded>(scope: u32) -> (u32, u32, u64) {
    let mut search = Search::<T>::new(&Bounds::scope(scope), Options::default()).unwrap();
    PANICS.set(0);
    search.plan(&mut |_| ControlFlow::Continue(())).unwrap();
    let planned = PANICS.replace(0);
    let valid = search.count().unwrap().valid;
    (planned, PANICS.get(), valid)
}

#[derive(Bounded)]
struct Forest {
    #[bounded(range = 0..=scope)]
    parent: Vec<usize>,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        self.parent.iter().all(|p| *p < self.parent.len())
            && (0..self.parent.len()).all(|i| {
                let parent = self.parent[i];
                self.parent[checked(parent, self.parent.len())] == parent
            })
    }
}

#[test]
fn a_conjunct_that_panics_out_of_turn_does_so_once() {
    let (planned, searched, valid) = panics::<Forest>(4);
    assert!(planned <= 1, "{planned} panics");
    assert_eq!(searched, 0);
    assert_eq!(valid, run::<Forest>(&Bounds::scope(4), in_source_order()).unwrap());
}

/// Three conjuncts: the cheapest order is the reverse, in which the second one precedes the first.
#[derive(Bounded)]
struct Reversed {
    #[bounded(range = 0..=scope)]
    items: Vec<u8>,
    #[bounded(range = 0..=scope)]
    divisor: u8,
    is_wrong: bool,
}

#[rep_ok]
impl Reversed {
    fn rep_ok(&self) -> bool {
        self.is_small() && 60 / (5 - self.divisor) > 12 && !self.is_wrong
    }
    fn is_small(&self) -> bool {
        self.items.iter().map(|item| u32::from(*item)).sum::<u32>() < 9 && self.divisor < 5
    }
}

#[test]
fn what_panics_out_of_turn_in_a_larger_scope_only_is_no_failure() {
    for scope in [3, 5] {
        let valid = run::<Reversed>(&Bounds::scope(scope), in_source_order()).unwrap();
        assert_eq!(run::<Reversed>(&Bounds::scope(scope), Options::default()).unwrap(), valid);
    }
}

/// A list that may be a ring, which the second conjunct never leaves.
#[derive(Bounded)]
struct Links {
    #[bounded(range = 0..=scope)]
    next: Vec<usize>,
}

#[rep_ok]
impl Links {
    fn rep_ok(&self) -> bool {
        self.next.iter().enumerate().all(|(i, next)| *next > i) && self.ends()
    }
    fn ends(&self) -> bool {
        let mut at = 0;
        while at < self.next.len() {
            ROUNDS.set(ROUNDS.get() + 1);
            at = self.next[at];
        }
        true
    }
}

#[test]
fn a_loop_that_does_not_end_out_of_turn_is_not_begun_again() {
    ROUNDS.set(0);
    let valid = run::<Links>(&Bounds::scope(3), Options::default()).unwrap();
    // One loop without an end, within a part of the budget of a run.
    assert!(ROUNDS.get() < 5_000_000, "{} rounds", ROUNDS.get());
    assert_eq!(valid, run::<Links>(&Bounds::scope(3), in_source_order()).unwrap());
}

/// Stands for an allocation.
fn allocated(n: usize) -> usize {
    LARGEST.set(LARGEST.get().max(n));
    n
}

#[derive(Bounded)]
struct Sized {
    #[bounded(range = 0..=scope)]
    items: Vec<u8>,
    #[bounded(set = [0, 1, 2, 1 << 40])]
    n: usize,
}

#[rep_ok]
impl Sized {
    fn rep_ok(&self) -> bool {
        self.items.iter().all(|item| usize::from(*item) <= self.n) && self.n < 100 && self.fits()
    }
    fn fits(&self) -> bool {
        allocated(self.n) != 1
    }
}

#[test]
fn nothing_runs_out_of_turn_where_a_number_is_too_large_to_allocate() {
    LARGEST.set(0);
    let valid = run::<Sized>(&Bounds::scope(3), Options::default()).unwrap();
    assert_eq!(LARGEST.get(), 2);
    assert_eq!(valid, run::<Sized>(&Bounds::scope(3), in_source_order()).unwrap());
}

/// The same as [`Forest`], but the first conjunct does not rule out all that the second one cannot stand.
#[derive(Bounded)]
struct Broken {
    #[bounded(range = 0..=scope)]
    parent: Vec<usize>,
}

#[rep_ok]
impl Broken {
    fn rep_ok(&self) -> bool {
        self.parent.iter().all(|p| *p <= self.parent.len())
            && (0..self.parent.len()).all(|i| self.parent[checked(self.parent[i], self.parent.len())] == i)
    }
}

#[test]
fn a_panic_in_turn_is_a_failure() {
    let failure = crate::quietly(|| crate::failure::<Broken>(&Bounds::scope(3), Options::default()));
    assert!(failure.to_string().contains("index"), "{failure}");
}
