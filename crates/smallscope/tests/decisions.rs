//! The decisions that `#[rep_ok]` numbers: which there are, where they are, and what is reported.

use smallscope::__private::Mirrored;
use smallscope::{Bounded, RepOk, rep_ok};
#[cfg(feature = "coverage")]
use smallscope::{Bounds, Options, Search};
use smallscope_core::probe::{DecisionKind, DecisionSite, Recorder};
#[cfg(feature = "coverage")]
use std::collections::{BTreeMap, BTreeSet};

/// The numbered decisions of a type's invariant.
fn decisions<T: Mirrored<Mirror: RepOk>>() -> &'static [DecisionSite] {
    <T::Mirror as RepOk>::decisions()
}

/// What was decided in a whole search, by kind and text.
#[cfg(feature = "coverage")]
fn outcomes<T: Bounded + Mirrored<Mirror: RepOk>>(bounds: &Bounds) -> BTreeMap<String, BTreeSet<u32>> {
    let table = decisions::<T>();
    let recorder = Recorder::start();
    Search::<T>::new(bounds, Options::default()).unwrap().count().unwrap();
    let mut seen: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for taken in recorder.take() {
        assert!(std::ptr::eq(taken.table, table));
        let site = &table[taken.id as usize];
        seen.entry(format!("{:?} {}", site.kind, site.text)).or_default().insert(taken.outcome);
    }
    seen
}

#[derive(Bounded)]
struct List {
    head: Option<Box<Node>>,
    len: usize,
}

#[derive(Bounded)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

const FIRST_LINE: u32 = line!() + 5;

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        if self.len == 0 {
            return self.head.is_none();
        }
        let Some(first) = &self.head else { return false };
        let ok = first.value > 0 && !(first.value == 2 || self.len > 2);
        let mut n = 1;
        while n < self.len {
            n += 1
        }
        let mut cursor = first;
        while let Some(next) = &cursor.next {
            if next.value != first.value {
                return false;
            }
            cursor = next;
        }
        match (&cursor.next, n) {
            (Some(_), _) => false,
            (None, 1) if first.next.is_none() => ok,
            (None, _) => self.second().is_some_and(|v| v == 1) && matches!(self.len, 2),
        }
    }

    fn second(&self) -> Option<u8> {
        Some(self.head.as_ref()?.next.as_ref()?.value)
    }
}

#[test]
fn every_decision_is_listed_where_it_is() {
    use DecisionKind::*;
    let found: Vec<(u32, DecisionKind, &str)> =
        decisions::<List>().iter().map(|d| (d.line - FIRST_LINE, d.kind, d.text)).collect();
    let expected = [
        (0, If, "self.len == 0"),
        (3, IfLet, "let Some(first) = &self.head"),
        (4, And, "first.value > 0"),
        (4, Or, "first.value == 2"),
        (4, Or, "self.len > 2"),
        (6, While, "n < self.len"),
        (10, IfLet, "let Some(next) = &cursor.next"),
        (11, If, "next.value != first.value"),
        (16, Match, "match (&cursor.next, n)"),
        (18, Guard, "first.next.is_none()"),
        (19, And, "self.second().is_some_and(|v| v == 1)"),
        (19, And, "matches!(self.len, 2)"),
        (19, Match, "matches!(self.len, 2)"),
        (24, Try, "self.head.as_ref()?"),
        (24, Try, "self.head.as_ref()?.next.as_ref()?"),
    ];
    assert_eq!(found, expected);
    assert!(decisions::<List>().iter().all(|d| d.file.ends_with("decisions.rs") && d.column > 8));
}

/// Needs `--features coverage`.
#[cfg(feature = "coverage")]
#[test]
fn outcomes_are_reported() {
    let bounds = Bounds::exact().objects("Node", 2).ints("List.len", 0..=3).ints("Node.value", 0..=2);
    let seen = outcomes::<List>(&bounds);
    let both = BTreeSet::from([0, 1]);
    assert_eq!(seen["If self.len == 0"], both);
    assert_eq!(seen["IfLet let Some(first) = &self.head"], both);
    assert_eq!(seen["And first.value > 0"], both);
    assert_eq!(seen["Or first.value == 2"], both);
    assert_eq!(seen["Or self.len > 2"], both);
    assert_eq!(seen["While n < self.len"], both);
    assert_eq!(seen["IfLet let Some(next) = &cursor.next"], both);
    // The first arm never matches, because the loop before it goes to the end.
    assert_eq!(seen["Match match (&cursor.next, n)"], BTreeSet::from([1, 2]));
    assert_eq!(seen["Guard first.next.is_none()"], both);
    assert_eq!(seen["Match matches!(self.len, 2)"], both);
    assert_eq!(seen["Try self.head.as_ref()?"], BTreeSet::from([1]));
    assert_eq!(seen["Try self.head.as_ref()?.next.as_ref()?"], both);
    assert_eq!(seen.len(), decisions::<List>().len());
}

#[test]
fn the_real_invariant_reports_nothing() {
    let recorder = Recorder::start();
    assert!(List { head: None, len: 0 }.rep_ok());
    assert!(recorder.take().is_empty());
    assert!(<List as RepOk>::decisions().is_empty());
}

/// Loops and recursion that never end.
mod endless {
    use smallscope::{Bounded, Bounds, Options, Search, rep_ok};
    use std::rc::Rc;

    #[derive(Bounded)]
    struct Ring {
        next: Option<Rc<Ring>>,
    }

    #[rep_ok]
    impl Ring {
        fn rep_ok(&self) -> bool {
            // Rings go round and round.
            self.next.as_ref().is_none_or(|n| n.rep_ok())
        }
    }

    #[derive(Bounded)]
    struct Count {
        n: u8,
    }

    #[rep_ok]
    impl Count {
        fn rep_ok(&self) -> bool {
            let mut n = self.n;
            while n != 3 {
                n = if n > 3 { 0 } else { n + 2 };
            }
            true
        }
    }

    #[test]
    fn end_in_a_report() {
        let failure =
            Search::<Ring>::new(&Bounds::scope(2), Options::default()).unwrap().count().unwrap_err();
        assert!(failure.to_string().contains("stack"), "{failure}");
        let bounds = Bounds::exact().ints("Count.n", [1, 2]);
        let failure = Search::<Count>::new(&bounds, Options::default()).unwrap().count().unwrap_err();
        assert!(failure.to_string().contains("step"), "{failure}");
    }
}
