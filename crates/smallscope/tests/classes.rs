//! Tests by class: what is tried, what is said about it, and what becomes of criteria that misbehave.

use smallscope::classes::ClassSet;
use smallscope::search::{FailureKind, Found, Options, Search};
use smallscope::{Bounded, Bounds, Check, Classes, Engine, Key, Stop, classes, eq_class, rep_ok};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// A list in a box, to be sorted.
#[derive(Bounded, Debug)]
struct List {
    first: Option<Box<Node>>,
    len: usize,
}

#[derive(Bounded, Debug)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let (mut len, mut at) = (0, &self.first);
        while let Some(node) = at {
            if len == 4 {
                return false;
            }
            len += 1;
            at = &node.next;
        }
        len == self.len
    }
}

#[eq_class]
impl List {
    fn eq_class(&self) -> ClassSet {
        classes![
            empty => self.first.is_none(),
            sorted => self.is_sorted(),
            starts_low => self.first.as_ref().is_some_and(|node| node.value == 0),
        ]
    }

    fn is_sorted(&self) -> bool {
        let mut at = &self.first;
        while let Some(node) = at {
            if let Some(next) = &node.next
                && next.value < node.value
            {
                return false;
            }
            at = &node.next;
        }
        true
    }
}

/// What a class is called when there is nothing else to say.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Size {
    None,
    One,
    Many,
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Bag<K> {
    keys: Vec<K>,
}

#[eq_class]
impl<K> Bag<K> {
    fn eq_class(&self) -> Size {
        match self.keys.len() {
            0 => Size::None,
            1 => Size::One,
            _ => Size::Many,
        }
    }
}

fn bounds() -> Bounds {
    Bounds::exact().objects("Node", 3).ints("List.len", 0..=3).ints("Node.value", 0..=2)
}

fn labels(report: &smallscope::Report) -> Vec<(String, u64)> {
    let mut labels: Vec<_> =
        report.class_table.rows().iter().map(|row| (row.label.clone(), row.count)).collect();
    labels.sort();
    labels
}

#[test]
fn all_values_are_counted_by_class() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        let report = Check::new("all", bounds()).engine(engine).classes(Classes::All).run(|_: &List| {});
        assert!(report.is_exhaustive(), "{report}");
        let expected = [
            ("{empty, sorted}", 1),
            ("{sorted, starts_low}", 10),
            ("{sorted}", 9),
            ("{starts_low}", 3),
            ("{}", 17),
        ];
        let expected: Vec<_> = expected.iter().map(|(label, count)| (label.to_string(), *count)).collect();
        assert_eq!(labels(&report), expected, "{engine}");
        assert_eq!(report.tested, 1 + 3 + 9 + 27);
    }
}

#[test]
fn one_of_each_class_is_not_exhaustive() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        let report = Check::new("one", bounds()).engine(engine).classes(Classes::One).run(|_: &List| {});
        assert_eq!((report.tested, report.class_table.len()), (5, 5));
        assert!(report.is_ok() && !report.is_exhaustive());
        assert_eq!(report.outcome.stop, Stop::ClassesCovered);
        let text = report.to_string();
        let words = "the bounds are covered by class: 5 values of 5 classes; other values of these classes were skipped";
        assert!(text.contains(words) && !text.contains("exhaustive"), "{text}");
        assert!(text.contains("{sorted, starts_low}"), "{text}");
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Alone {
    a: u8,
    b: Option<Box<u8>>,
}

#[smallscope::eq_class]
impl Alone {
    fn eq_class(&self) -> (u8, Option<u8>) {
        (self.a, self.b.as_ref().map(|b| **b))
    }
}

#[test]
fn nothing_is_said_to_be_skipped_that_was_not() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        for classes in [Classes::One, Classes::Pruned] {
            let report = Check::new("alone", 2).engine(engine).classes(classes).run(|_: &Alone| {});
            assert_eq!((report.tested, report.class_table.len()), (6, 6));
            let text = report.coverage();
            assert_eq!(
                text,
                "scopes 0 to 2 are covered by class: 6 values of 6 classes; no value was skipped"
            );
        }
    }
}

#[test]
fn a_witness_can_be_gone_to() {
    let options = Options { classes: Classes::Pruned, ..Options::default() };
    let mut search = Search::<List>::new(&bounds(), options).unwrap();
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {}
    let table = search.take_classes();
    assert_eq!(table.len(), 5);
    for row in table.rows() {
        search.go_to(&row.witness).unwrap();
        assert!(search.accepts().unwrap());
        assert_eq!(search.class().unwrap().as_ref(), Some(&row.label));
        let value = search.value().unwrap();
        assert_eq!(format!("{:?}", value.eq_class()), row.label);
    }
}

#[test]
fn with_deepening_the_first_of_a_class_is_a_smallest_one() {
    let report = Check::new("deepening", 3).classes(Classes::One).run(|_: &List| {});
    assert!(report.is_ok(), "{report}");
    let scopes: Vec<_> =
        report.class_table.rows().iter().map(|row| (row.label.as_str(), row.scope)).collect();
    assert_eq!(scopes[0], ("{empty, sorted}", Some(0)));
    assert_eq!(scopes.iter().map(|(_, scope)| scope.unwrap()).max(), Some(3));
    assert_eq!(report.tested as usize, report.class_table.len());
    assert!(report.coverage().starts_with("scopes 0 to 3 are covered by class: "), "{}", report.coverage());
}

#[test]
fn classes_of_several_arguments_are_combined() {
    let report = Check::new("pairs", 2).classes(Classes::One).run(|_: &Bag<Key>, _: &Bag<u8>, _: bool| {});
    assert_eq!(report.tested, 9, "{report}");
    assert!(report.class_table.rows().iter().any(|row| row.label == "Many, One"), "{report}");
    let report = Check::new("one", 2).classes(Classes::One).run(|_: &Bag<Key>, _: bool| {});
    assert_eq!(report.tested, 3, "{report}");
}

#[test]
fn several_threads_count_the_same_classes() {
    let run = |threads| {
        let slow = |_: &List| std::thread::sleep(std::time::Duration::from_millis(5));
        Check::new("threads", bounds()).threads(threads).classes(Classes::All).run_parallel(slow)
    };
    let (one, two) = (run(1), run(2));
    assert!(two.is_exhaustive(), "{two}");
    assert_eq!(one.class_table.rows(), two.class_table.rows());
}

#[smallscope::test(scope = 3, classes = "pruned")]
fn a_test_by_class(list: &List) {
    assert!(list.len <= 3);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Plain {
    a: u8,
}

#[test]
fn a_structure_without_classes_is_an_error() {
    let report = Check::new("plain", 3).classes(Classes::One).run(|_: &Plain| {});
    let error = report.error().unwrap();
    assert!(error.contains("Plain") && error.contains("#[eq_class] impl Type"), "{error}");
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Touchy {
    a: u8,
    b: u8,
}

#[eq_class]
impl Touchy {
    fn eq_class(&self) -> u8 {
        10 / (2 - self.a)
    }
}

#[test]
fn a_class_that_panics_is_reported_with_the_value_to_replay() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        let check = || Check::new("touchy", Bounds::scope(3)).engine(engine).classes(Classes::Pruned);
        let report = check().run(|_: &Touchy| {});
        let failure = report.failure().unwrap();
        let text = report.to_string();
        assert!(text.contains("`eq_class` misbehaves on a valid value"), "{text}");
        assert!(
            failure.message.contains("`eq_class` panicked on a valid value: attempt to divide by zero"),
            "{text}"
        );
        assert!(failure.graph.contains("a = 2"), "{text}");
        assert!(failure.location.as_ref().is_some_and(|at| at.contains("classes.rs")), "{text}");
        let again = check().environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(|_: &Touchy| {});
        assert!(again.failure().is_some_and(|again| again.message == failure.message), "{again}");
    }
}

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Fickle {
    a: u8,
}

#[eq_class]
impl Fickle {
    fn eq_class(&self) -> (u8, u64) {
        CALLS.set(CALLS.get() + 1);
        (self.a, CALLS.get())
    }
}

#[test]
fn a_class_that_changes_is_an_error() {
    for engine in [Engine::Korat, Engine::Owned, Engine::Lazy] {
        let options = Options { engine, classes: Classes::All, ..Options::default() };
        let mut search = Search::<Fickle>::new(&Bounds::scope(3), options).unwrap();
        let failure = search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(failure.kind, FailureKind::ClassUnstable { .. }), "{failure}");
        assert!(failure.to_string().contains("the class of a value is not stable"), "{failure}");
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Round {
    a: u8,
}

#[eq_class]
impl Round {
    fn eq_class(&self) -> u8 {
        let (mut n, a) = (0u8, self.a);
        #[expect(clippy::while_immutable_condition, reason = "it is meant to loop for ever")]
        while a < 9 {
            n = n.wrapping_add(1);
        }
        n
    }
}

#[test]
fn a_class_without_an_end_is_an_error() {
    let options = Options { classes: Classes::All, ..Options::default() };
    let mut search = Search::<Round>::new(&Bounds::scope(3), options).unwrap();
    let failure = search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(failure.kind, FailureKind::ClassEndless { .. }), "{failure}");
}

#[test]
fn what_is_counted_without_a_look_is_counted_by_class() {
    let search =
        Search::<List>::new(&bounds(), Options { classes: Classes::All, ..Options::default() }).unwrap();
    assert_eq!(search.count().unwrap().valid, 40);
    let tested = AtomicU64::new(0);
    let report = Check::new("max", bounds()).classes(Classes::All).max(7).run(|_: &List| {
        tested.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!((tested.into_inner(), report.tested), (7, 7));
}

/// Where to begin, and what there is. An index finds nothing in an empty vector.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Starts {
    #[bounded(index = "cells")]
    starts: Vec<u8>,
    cells: Vec<Lamp>,
}

#[derive(Bounded, Debug)]
struct Lamp {
    is_on: bool,
}

#[eq_class]
impl Starts {
    fn eq_class(&self) -> Option<bool> {
        let start = self.starts.first()?;
        self.cells.get(usize::from(*start)).map(|lamp| lamp.is_on)
    }
}

#[test]
fn a_class_that_finds_no_object_is_looked_for_again_behind_it() {
    let bounds = Bounds::scope(1);
    for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
        let options = Options { engine, classes: Classes::All, ..Options::default() };
        let mut search = Search::<Starts>::new(&bounds, options).unwrap();
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {}
        let rows = search.classes().rows().iter().map(|row| (row.label.as_str(), row.count));
        let expected = [("None", 3), ("Some(false)", 1), ("Some(true)", 1)];
        assert_eq!(rows.collect::<Vec<_>>(), expected, "{engine}");
    }
}
