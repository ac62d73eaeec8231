//! The cost of delivering values to a test, in nanoseconds per value: the search alone, an owned value, a lent value, and
//! the share of the real invariant in both; beside generators written by hand that make the same values.
//!
//! Every step is timed by itself, several times; the best times are summed up. `delivery NAME` does one structure only.

#[path = "delivery/by_hand.rs"]
mod by_hand;

use smallscope::search::{Found, Hold, Kept, Options, Search};
use smallscope::{Bounded, Bounds};
use smallscope_catalogue::heap_array::HeapArray;
use smallscope_catalogue::search_tree::SearchTree;
use smallscope_catalogue::sorted_list::SortedList;
use smallscope_catalogue::structure;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

const RUNS: usize = 7;

fn main() {
    let only = std::env::args().nth(1);
    println!(
        "{:<13}{:<11}{:>8}{:>8}{:>11}{:>8}{:>8}{:>8}{:>8}{:>9}",
        "structure",
        "arguments",
        "values",
        "search",
        "invariant",
        "owned",
        "build",
        "lent",
        "change",
        "by hand"
    );
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if is_wanted("search-tree") {
        row::<SearchTree<u8>>("search-tree", &[8, 0, 8, 0, 7], &|| by_hand::search_trees(8, 8));
    }
    if is_wanted("sorted-list") {
        row::<SortedList>("sorted-list", &[9, 9, 10, 9], &|| by_hand::sorted_lists(9, 9));
    }
    if is_wanted("heap-array") {
        row::<HeapArray<u8>>("heap-array", &[7, 7, 7], &|| by_hand::heap_arrays(7, 7));
    }
}

fn row<T: Bounded>(name: &str, args: &[i64], by_hand: &dyn Fn() -> u64) {
    let bounds = (structure(name).expect("the catalogue has it").bounds)(args);
    let search = best(|| each::<T>(&bounds, |_, _| {}));
    let owned = best_each::<T>(&bounds, |search, clock| clock.time(|| drop(black_box(value(search)))));
    let invariant = best_each::<T>(&bounds, |search, clock| {
        let value = value(search);
        clock.time(|| assert!(black_box(&value).rep_ok()));
    });
    let mut place = Kept::<T>::default();
    let lent = best_each::<T>(&bounds, |search, clock| {
        clock.time(|| {
            search.hand(&mut place).unwrap_or_else(|e| panic!("{e}"));
            black_box(place.get());
            place.done();
        });
    });
    let values = each::<T>(&bounds, |_, _| {});
    assert_eq!(by_hand(), values, "{name}: the generators make other values");
    let hand = best(by_hand);
    let args = args.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    println!(
        "{name:<13}{args:<11}{values:>8}{search:>8.0}{invariant:>11.0}{owned:>8.0}{:>8.0}{lent:>8.0}{:>8.0}{hand:>9.0}",
        owned - invariant,
        lent - invariant
    );
}

/// Does something at each valid candidate. Returns how many there were.
fn each<T: Bounded>(bounds: &Bounds, mut at: impl FnMut(&mut Search<T>, usize)) -> u64 {
    let mut search = Search::<T>::new(bounds, Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut values = 0;
    let tick = &mut |_: &_| ControlFlow::Continue(());
    while search.find_next(tick).unwrap_or_else(|e| panic!("{e}")) == Found::Valid {
        at(&mut search, values);
        values += 1;
    }
    values as u64
}

fn value<T: Bounded>(search: &mut Search<T>) -> T {
    search.value().unwrap_or_else(|e| panic!("{e}"))
}

/// Nanoseconds per value.
fn best(run: impl Fn() -> u64) -> f64 {
    let once = || {
        let start = Instant::now();
        let values = run();
        start.elapsed().as_nanos() as f64 / values as f64
    };
    (0..RUNS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds per value, timed at each value.
fn best_each<T: Bounded>(bounds: &Bounds, mut at: impl FnMut(&mut Search<T>, &mut Clock)) -> f64 {
    let mut clock = Clock { best: vec![], at: 0, idle: 0 };
    clock.idle = (0..1000).map(|_| nanoseconds(|| {})).min().unwrap_or(0);
    for _ in 0..RUNS {
        each::<T>(bounds, |search, i| {
            clock.at = i;
            at(search, &mut clock);
        });
    }
    clock.best.iter().sum::<u64>() as f64 / clock.best.len() as f64
}

/// The best time of each value.
struct Clock {
    best: Vec<u64>,
    at: usize,
    /// The time that reading the clock takes.
    idle: u64,
}

impl Clock {
    fn time(&mut self, f: impl FnOnce()) {
        let time = nanoseconds(f).saturating_sub(self.idle);
        match self.best.get_mut(self.at) {
            Some(best) => *best = time.min(*best),
            None => self.best.push(time),
        }
    }
}

fn nanoseconds(f: impl FnOnce()) -> u64 {
    let start = Instant::now();
    f();
    start.elapsed().as_nanos() as u64
}
