//! Invariants whose answer, or what they read, does not follow from the candidate.

use crate::run;
use smallscope::search::{FailureKind, Options};
use smallscope::{Bounded, Bounds, Check, Failure, rep_ok};
use std::cell::Cell;
use std::rc::Rc;

thread_local! {
    static RUNS: Cell<u32> = const { Cell::new(0) };
}

/// The number of this run.
fn count() -> u32 {
    RUNS.replace(RUNS.get() + 1)
}

fn difference<T: Bounded>(n: u32) -> String {
    RUNS.set(0);
    match run::<T>(&Bounds::scope(n), Options::default()) {
        Err(Failure { kind: FailureKind::NonDeterministic { difference }, .. }) => difference,
        other => panic!("{other:?}"),
    }
}

#[derive(Bounded, Debug)]
struct Counted {
    a: u8,
}

#[rep_ok]
impl Counted {
    fn rep_ok(&self) -> bool {
        self.a == 0 || count() % 2 == 0
    }
}

#[test]
fn an_answer_that_depends_on_a_counter_is_found_out() {
    assert_eq!(difference::<Counted>(3), "a second run on the same candidate did not accept it again");
    RUNS.set(1);
    let failure = run::<Counted>(&Bounds::scope(3), Options::default()).unwrap_err();
    assert!(failure.to_string().contains("did not reject it again"), "{failure}");
    assert!(failure.to_string().contains("statics and thread-locals are the usual causes"), "{failure}");
}

#[test]
fn a_check_says_that_it_cannot_be_replayed() {
    RUNS.set(0);
    let report = Check::new("counted", 3).run(|_: Counted| {});
    assert!(report.failure().expect("it fails").message.contains("not deterministic"));
}

#[test]
fn without_rechecks_nothing_is_noticed() {
    RUNS.set(0);
    let options = Options { recheck_every: 0, ..Options::default() };
    let found = run::<Counted>(&Bounds::scope(3), options);
    assert!(matches!(found, Err(Failure { kind: FailureKind::Disagreement { .. }, .. })), "{found:?}");
}

#[derive(Bounded)]
struct Wavering {
    a: bool,
    b: bool,
}

#[rep_ok]
impl Wavering {
    fn rep_ok(&self) -> bool {
        let answer = if count() % 2 == 0 { self.a } else { self.b };
        // No conjunction: of that, `false` would be evaluated first.
        answer & false
    }
}

#[test]
fn reading_another_field_is_found_out() {
    assert_eq!(difference::<Wavering>(1), "a second run on the same candidate read other fields");
}

#[derive(Bounded)]
struct Shy {
    a: bool,
    b: bool,
}

#[rep_ok]
impl Shy {
    fn rep_ok(&self) -> bool {
        self.a && count() % 2 == 0 && self.b && false
    }
}

#[test]
fn reading_fewer_fields_is_found_out() {
    assert_eq!(difference::<Shy>(1), "a second run on the same candidate read other fields");
}

/// Reads its two nodes in one order and in the other by turns, which makes no difference.
#[derive(Bounded)]
struct Turns {
    a: Option<Rc<Node>>,
    b: Option<Rc<Node>>,
}

#[derive(Bounded)]
struct Node {
    key: u8,
}

#[rep_ok]
impl Turns {
    fn rep_ok(&self) -> bool {
        let turn = count() % 2 == 0;
        let (first, second) = if turn { (&self.a, &self.b) } else { (&self.b, &self.a) };
        let keys = (first.as_ref().map(|n| n.key), second.as_ref().map(|n| n.key));
        keys.0.is_some() && keys.1.is_some()
    }
}

#[test]
fn the_order_of_reads_may_differ() {
    RUNS.set(0);
    // Two nodes, or one twice, of two keys.
    assert_eq!(run::<Turns>(&Bounds::scope(2), Options::audited()), Ok(2 * 2 + 2));
}

/// Orders its nodes by their addresses.
#[derive(Bounded)]
struct Addresses {
    a: Rc<Node>,
    b: Rc<Node>,
}

#[rep_ok]
impl Addresses {
    fn rep_ok(&self) -> bool {
        let apart = (Rc::as_ptr(&self.a) as usize).abs_diff(Rc::as_ptr(&self.b) as usize);
        apart == 0 || apart % 1024 == 1023
    }
}

#[test]
fn an_answer_that_depends_on_addresses_does_not_go_unnoticed() {
    // On the mirrors it is the same answer every time, on the values it may be another.
    match run::<Addresses>(&Bounds::scope(2), Options::audited()) {
        Ok(valid) => assert!(valid == 2 || valid == 6, "{valid}"),
        Err(failure) => assert!(matches!(failure.kind, FailureKind::Disagreement { .. }), "{failure}"),
    }
}
