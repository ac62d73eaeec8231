//! `Drop`, `Clone`, `Ord`, `Hash` and `PartialEq` of the user's that panic or lie.

use crate::{quietly, run};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Check, rep_ok};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static MISCHIEF: Cell<bool> = const { Cell::new(false) };
}

/// From now on user code misbehaves.
fn with_mischief<R>(f: impl FnOnce() -> R) -> std::thread::Result<R> {
    MISCHIEF.set(true);
    let result = quietly(|| catch_unwind(AssertUnwindSafe(f)));
    MISCHIEF.set(false);
    result
}

#[derive(Bounded, Debug)]
struct Fragile {
    key: u8,
}

#[rep_ok]
impl Fragile {
    fn rep_ok(&self) -> bool {
        self.key > 0
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("fragile {}", self.key);
        }
    }
}

#[test]
fn nothing_of_ours_drops_a_value() {
    assert_eq!(run::<Fragile>(&Bounds::scope(3), Options::audited()), Ok(2));
}

#[test]
fn a_destructor_that_panics_fails_the_test_on_that_value() {
    let report = Check::new("fragile", 3).run(drop::<Fragile>);
    assert_eq!(report.failure().expect("it fails").message, "fragile 1");
}

#[derive(PartialEq, Debug)]
struct Unclonable(u8);

impl Clone for Unclonable {
    fn clone(&self) -> Self {
        panic!("no copy of {}", self.0)
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Listed {
    #[bounded(values = [Unclonable(7)])]
    value: Unclonable,
}

#[test]
fn a_listed_value_that_cannot_be_cloned_fails_the_test() {
    let report = Check::new("listed", 1).run(|_: Listed| {});
    let case = report.failure().expect("it fails");
    assert!(case.message.contains("no copy of 7"), "{}", case.message);
    assert_eq!(
        Search::<Listed>::new(&Bounds::scope(1), Options::default()).unwrap().count().map(|o| o.valid),
        Ok(1)
    );
}

#[derive(Clone, Debug)]
struct Incomparable;

impl PartialEq for Incomparable {
    fn eq(&self, _: &Self) -> bool {
        panic!("cannot be compared")
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Compared {
    #[bounded(values = [Incomparable, Incomparable])]
    value: Incomparable,
}

#[test]
fn a_panic_while_bounds_are_laid_out_is_an_error() {
    let report = Check::new("compared", 1).run(|_: Compared| {});
    let error = report.error().expect("an error");
    assert!(error.contains("while the bounds were laid out: cannot be compared"), "{error}");
}

/// Behaves until there is mischief: then all are equal.
#[derive(Bounded, Debug, Clone, Copy)]
enum Liar {
    A,
    B,
}

impl PartialEq for Liar {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Liar {}

impl PartialOrd for Liar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Liar {
    fn cmp(&self, other: &Self) -> Ordering {
        if MISCHIEF.get() { Ordering::Equal } else { (*self as u8).cmp(&(*other as u8)) }
    }
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (if MISCHIEF.get() { 0 } else { *self as u8 }).hash(state);
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Ordered {
    map: BTreeMap<Liar, Box<Text>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Hashed {
    map: HashMap<Liar, Box<Text>>,
}

#[derive(Bounded, Debug)]
struct Text {
    #[bounded(alphabet = "x", len = 1..=1)]
    text: String,
}

/// Builds, and drops if that worked, every value while keys are all equal.
fn build_with_mischief<T: Bounded>() -> (usize, usize) {
    let mut search = Search::<T>::new(&Bounds::scope(2), Options::default()).unwrap();
    let (mut built, mut panicked) = (0, 0);
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
        == smallscope::search::Found::Valid
    {
        match with_mischief(|| search.value()) {
            Ok(value) => {
                drop(value.unwrap());
                built += 1;
            }
            Err(_) => panicked += 1,
        }
    }
    (built, panicked)
}

#[test]
fn keys_that_become_equal_while_a_map_is_built_are_a_panic() {
    assert_eq!(build_with_mischief::<Ordered>(), (3, 1));
    assert_eq!(build_with_mischief::<Hashed>(), (3, 1));
}

/// No order at all.
#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Rude {
    A,
    B,
    C,
}

impl PartialOrd for Rude {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rude {
    fn cmp(&self, _: &Self) -> Ordering {
        if MISCHIEF.get() { panic!("no order") } else { Ordering::Less }
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Unordered {
    set: BTreeSet<Rude>,
    map: BTreeMap<Rude, Box<Text>>,
}

#[test]
fn keys_without_an_order_make_no_harm() {
    let mut search = Search::<Unordered>::new(&Bounds::scope(2), Options::audited()).unwrap();
    let values: Vec<Unordered> = std::iter::from_fn(|| search.next_value()).map(Result::unwrap).collect();
    assert_eq!(values.len(), 7 * 7);
    let mut reader = Search::<Unordered>::new(&Bounds::scope(2), Options::default()).unwrap();
    for value in &values {
        // They cannot be found again, or they can.
        let _ = reader.candidate_of(value);
    }
}

#[test]
fn keys_that_panic_when_compared_make_no_harm() {
    let mut search = Search::<Unordered>::new(&Bounds::scope(2), Options::default()).unwrap();
    let mut panicked = 0;
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
        == smallscope::search::Found::Valid
    {
        match with_mischief(|| search.value()) {
            Ok(value) => drop(value.unwrap()),
            Err(_) => panicked += 1,
        }
    }
    assert!(panicked > 0);
    assert!(
        with_mischief(|| Search::<Unordered>::new(&Bounds::scope(2), Options::default()).is_ok()).is_err()
    );
}
