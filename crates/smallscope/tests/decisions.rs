//! The decisions of an invariant, as a recorder hears them: kind, line, text and outcome.

#![cfg(feature = "criteria")]
#![expect(clippy::needless_bool, reason = "the branches are what is tested")]

use smallscope::search::{Options, Search};
use smallscope::structures::RepOk;
use smallscope::{Bounded, Bounds, Engine, mirror, rep_ok};
use smallscope_core::probe::DecisionKind::{self, And, Guard, If, IfLet, Match, Or, Try, While};
use smallscope_core::probe::{Recorder, Taken};

/// What is heard of the invariant's run on one candidate: kind, text, outcome.
fn heard<T: Bounded>(candidate: &str) -> Vec<(DecisionKind, &'static str, u32)> {
    let site = |t: &Taken| t.table[t.id as usize];
    taken::<T>(candidate).iter().map(|t| (site(t).kind, site(t).text, t.outcome)).collect()
}

fn taken<T: Bounded>(candidate: &str) -> Vec<Taken> {
    let mut search = at::<T>(candidate);
    let recorder = Recorder::start();
    search.accepts().unwrap();
    recorder.take()
}

fn at<T: Bounded>(candidate: &str) -> Search<T> {
    let mut search =
        Search::<T>::new(&Bounds::scope(4), Options { engine: Engine::Owned, ..Options::default() }).unwrap();
    search.go_to(&candidate.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    search
}

#[derive(Bounded)]
struct Conditions {
    a: u8,
}

#[rep_ok]
impl Conditions {
    fn rep_ok(&self) -> bool {
        let mut n = 0;
        if self.a > 1 {
            n = self.a;
        }
        while n > 2 {
            n -= 1;
        }
        true
    }
}

#[test]
fn conditions_are_true_or_false() {
    assert_eq!(heard::<Conditions>("0"), [(If, "self.a > 1", 0), (While, "n > 2", 0)]);
    assert_eq!(heard::<Conditions>("3"), [(If, "self.a > 1", 1), (While, "n > 2", 1), (While, "n > 2", 0)]);
}

#[derive(Bounded)]
struct Operands {
    a: bool,
    b: bool,
    c: bool,
}

#[rep_ok]
impl Operands {
    fn rep_ok(&self) -> bool {
        self.a && (self.b || !self.c)
    }
}

#[test]
fn operands_are_heard_as_far_as_they_are_evaluated() {
    assert_eq!(heard::<Operands>("0.0.0"), [(And, "self.a", 0)]);
    assert_eq!(heard::<Operands>("1.1.0"), [(And, "self.a", 1), (Or, "self.b", 1)]);
    assert_eq!(heard::<Operands>("1.0.1"), [(And, "self.a", 1), (Or, "self.b", 0), (Or, "self.c", 1)]);
}

#[derive(Bounded)]
struct Tree {
    a: bool,
    b: bool,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        if self.a && !self.b { false } else { true }
    }
}

#[test]
fn a_condition_made_of_operands_is_heard_after_them() {
    let all = [(And, "self.a", 1), (And, "self.b", 0), (If, "self.a && !self.b", 1)];
    assert_eq!(heard::<Tree>("1.0"), all);
}

#[derive(Bounded)]
struct Arms {
    a: u8,
    b: bool,
}

#[rep_ok]
impl Arms {
    fn rep_ok(&self) -> bool {
        match self.a {
            0 => true,
            n if n == 1 && self.b => false,
            _ => self.b,
        }
    }
}

#[test]
fn arms_have_numbers_and_guards_are_conditions() {
    assert_eq!(heard::<Arms>("0.0"), [(Match, "match self.a", 0)]);
    assert_eq!(
        heard::<Arms>("1.1"),
        [(And, "n == 1", 1), (And, "self.b", 1), (Guard, "n == 1 && self.b", 1), (Match, "match self.a", 1)]
    );
    assert_eq!(
        heard::<Arms>("2.0"),
        [(And, "n == 1", 0), (Guard, "n == 1 && self.b", 0), (Match, "match self.a", 2)]
    );
}

#[derive(Bounded)]
struct Patterns {
    first: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    key: u8,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl Patterns {
    fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return true };
        if let Some(second) = &first.next
            && second.key > 0
        {
            return false;
        }
        let mut at = first;
        while let Some(next) = &at.next {
            at = next;
        }
        at.key == 0
    }
}

#[test]
fn patterns_match_or_do_not() {
    let (first, next) = ("let Some(first) = &self.first", "let Some(next) = &at.next");
    let chain = "let Some(second) = &first.next && second.key > 0";
    assert_eq!(heard::<Patterns>("0"), [(IfLet, first, 0)]);
    assert_eq!(heard::<Patterns>("1.0.0"), [(IfLet, first, 1), (IfLet, chain, 0), (IfLet, next, 0)]);
    let two = heard::<Patterns>("1.0.2.1.0");
    assert_eq!(two, [(IfLet, first, 1), (And, "second.key > 0", 1), (IfLet, chain, 1)]);
    let two = heard::<Patterns>("1.0.2.0.0");
    let rest = [(IfLet, next, 1), (IfLet, next, 0)];
    assert_eq!(
        two,
        [[(IfLet, first, 1), (And, "second.key > 0", 0), (IfLet, chain, 0)].as_slice(), &rest].concat()
    );
}

#[derive(Bounded)]
struct Tries {
    a: Option<u8>,
    b: u8,
}

#[rep_ok]
impl Tries {
    fn rep_ok(&self) -> bool {
        self.sum().is_some()
    }

    fn sum(&self) -> Option<u8> {
        let a = self.a?;
        self.small().ok()?;
        Some(a + self.b)
    }

    fn small(&self) -> Result<(), ()> {
        let n: Result<u8, ()> = if self.b < 2 { Ok(self.b) } else { Err(()) };
        n?;
        Ok(())
    }
}

#[test]
fn question_marks_go_on_or_do_not() {
    assert_eq!(heard::<Tries>("0.0"), [(Try, "self.a?", 0)]);
    let all = |small| {
        [
            (Try, "self.a?", 1),
            (If, "self.b < 2", small),
            (Try, "n?", small),
            (Try, "self.small().ok()?", small),
        ]
    };
    assert_eq!(heard::<Tries>("1.0"), all(1));
    assert_eq!(heard::<Tries>("1.2"), all(0));
}

#[derive(Bounded)]
struct Scattered {
    items: Vec<u8>,
}

#[rep_ok]
impl Scattered {
    fn rep_ok(&self) -> bool {
        self.items.iter().all(|&x| x == 0 || self.is_known(x)) && self.is_short()
    }

    fn is_known(&self, x: u8) -> bool {
        matches!(x, 0 | 1)
    }
}

#[mirror]
impl Scattered {
    fn is_short(&self) -> bool {
        if self.items.len() > 2 { false } else { true }
    }
}

#[test]
fn closures_helpers_and_other_blocks_are_heard() {
    let all = heard::<Scattered>("2.0.1");
    let (zero, known) = ((Or, "x == 0"), (Or, "self.is_known(x)"));
    let expected = [
        (zero.0, zero.1, 1),
        (zero.0, zero.1, 0),
        (Match, "matches!(x, 0 | 1)", 0),
        (known.0, known.1, 1),
        (And, "self.items.iter().all(|&x| x == 0 || self.is_known(x))", 1),
        (If, "self.items.len() > 2", 0),
        (And, "self.is_short()", 1),
    ];
    assert_eq!(all, expected);
    // Each block has a table of its own.
    let tables: Vec<_> = taken::<Scattered>("2.0.1").iter().map(|t| t.table.as_ptr()).collect();
    let own = <Scattered_in_the_invariant as RepOk>::decisions().as_ptr();
    assert_eq!(tables.iter().filter(|&&t| t != own).count(), 1);
}

#[derive(Bounded)]
struct Placed {
    a: u8,
}

const ABOVE: u32 = line!();
#[rep_ok]
impl Placed {
    fn rep_ok(&self) -> bool {
        if self.a > 1 {
            return self.a == 2 || self.a == 9;
        }
        match self.a {
            0 => self.a == 0,
            _ => false,
        }
    }
}

#[test]
fn the_table_lists_every_decision_with_its_place() {
    let rows: Vec<_> = <Placed_in_the_invariant as RepOk>::decisions()
        .iter()
        .map(|d| (d.kind, d.line - ABOVE, d.column, d.text))
        .collect();
    assert_eq!(
        rows,
        [
            (If, 4, 12, "self.a > 1"),
            (Or, 5, 20, "self.a == 2"),
            (Or, 5, 35, "self.a == 9"),
            (Match, 7, 9, "match self.a"),
        ]
    );
    assert!(<Placed_in_the_invariant as RepOk>::decisions().iter().all(|d| d.file == file!()));
    // The user's own function stays as it is.
    assert!(<Placed as RepOk>::decisions().is_empty());
}

#[derive(Bounded)]
struct Long {
    a: u8,
}

#[rep_ok]
impl Long {
    fn rep_ok(&self) -> bool {
        let a = u32::from(self.a);
        if a + a * a + a * a * a + a * a * a * a + a * a * a * a * a + a * a * a * a * a * a > 1_000_000 {
            false
        } else {
            true
        }
    }
}

#[test]
fn long_conditions_are_shortened() {
    let [(If, text, 0)] = heard::<Long>("1")[..] else { panic!("one condition") };
    assert!(text.chars().count() <= 63 && text.starts_with("a + a * a + a"), "{text}");
}

#[test]
fn without_a_recorder_nothing_is_recorded() {
    let mut search = at::<Placed>("1");
    search.accepts().unwrap();
    let recorder = Recorder::start();
    assert!(recorder.take().is_empty());
    search.accepts().unwrap();
    drop(recorder);
    search.accepts().unwrap();
    let recorder = Recorder::start();
    assert!(recorder.take().is_empty(), "a new one starts over");
}

#[test]
fn what_was_taken_is_not_heard_again() {
    let mut search = at::<Placed>("1");
    let recorder = Recorder::start();
    search.accepts().unwrap();
    assert_eq!(recorder.take().len(), 2);
    assert!(recorder.take().is_empty());
    search.accepts().unwrap();
    search.accepts().unwrap();
    assert_eq!(recorder.take().len(), 4);
}

#[test]
fn real_values_are_not_heard() {
    let recorder = Recorder::start();
    assert!(!Placed { a: 1 }.rep_ok());
    assert!(recorder.take().is_empty());
    let mut search = at::<Placed>("0");
    search.value().unwrap();
    assert!(recorder.take().is_empty());
}

#[test]
fn a_recorder_hears_its_own_thread() {
    let recorder = Recorder::start();
    std::thread::spawn(|| at::<Placed>("1").accepts().unwrap()).join().unwrap();
    assert!(recorder.take().is_empty());
}

#[test]
fn decisions_do_not_change_what_is_explored() {
    let count = || {
        Search::<Patterns>::new(&Bounds::scope(3), Options { engine: Engine::Owned, ..Options::default() })
            .unwrap()
            .count()
            .unwrap()
    };
    let silent = count();
    let recorder = Recorder::start();
    assert_eq!(count(), silent);
    assert!(recorder.take().len() as u64 > silent.explored);
}
