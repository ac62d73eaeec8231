//! Invariants that do not end.

use crate::failure;
use smallscope::search::{FailureKind, Options};
use smallscope::{Bounded, Bounds, Check, mirror, rep_ok};
use std::rc::Rc;

fn budget<T: Bounded>(bounds: &Bounds) -> String {
    match failure::<T>(bounds, Options::default()) {
        FailureKind::Endless { budget } => budget,
        other => panic!("{other}"),
    }
}

fn is_steps(budget: &str) -> bool {
    budget.ends_with(" steps")
}

fn is_stack(budget: &str) -> bool {
    budget.ends_with(" bytes of stack")
}

#[derive(Bounded, Debug)]
struct Flag(bool);

#[rep_ok]
impl Flag {
    fn rep_ok(&self) -> bool {
        while self.0 {}
        true
    }
}

#[test]
fn an_empty_loop_is_stopped() {
    assert!(is_steps(&budget::<Flag>(&Bounds::scope(1))));
}

#[test]
fn a_check_reports_an_endless_loop_and_what_to_do() {
    let report = Check::new("flags", 1).run(|_: Flag| {});
    let message = &report.failure().expect("it fails").message;
    assert!(message.contains("did not end") && message.contains("smallscope::Visited"), "{message}");
}

#[derive(Bounded)]
struct List {
    head: Option<Rc<Node>>,
}

#[derive(Bounded)]
struct Node {
    next: Option<Rc<Node>>,
}

#[rep_ok]
impl List {
    /// Forgets that shared links may form a ring.
    fn rep_ok(&self) -> bool {
        let mut at = &self.head;
        while let Some(node) = at {
            at = &node.next;
        }
        true
    }
}

#[test]
fn a_walk_around_a_ring_is_stopped() {
    assert!(is_steps(&budget::<List>(&Bounds::scope(2))));
}

#[derive(Bounded)]
struct Chain {
    head: Option<Rc<Link>>,
}

#[derive(Bounded)]
struct Link {
    next: Option<Rc<Link>>,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        std::iter::successors(self.head.as_ref(), |link| link.next.as_ref()).count() < 2
    }
}

#[test]
fn an_iterator_around_a_ring_is_stopped() {
    assert!(is_steps(&budget::<Chain>(&Bounds::scope(2))));
}

#[derive(Bounded)]
struct Tree {
    root: Option<Rc<Knot>>,
}

#[derive(Bounded)]
#[bounded(derive(PartialEq))]
struct Knot {
    left: Option<Rc<Knot>>,
    right: Option<Rc<Knot>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::height(&self.root) < 9
    }

    fn height(at: &Option<Rc<Knot>>) -> usize {
        match at {
            Some(node) => 1 + Self::height(&node.left).max(Self::height(&node.right)),
            None => 0,
        }
    }
}

#[test]
fn unbounded_recursion_over_shared_nodes_is_stopped() {
    assert!(is_stack(&budget::<Tree>(&Bounds::scope(2))));
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Raw {
    first: *const Joint,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Joint {
    next: *const Joint,
}

#[rep_ok]
impl Raw {
    fn rep_ok(&self) -> bool {
        Self::ends(self.first)
    }

    fn ends(at: *const Joint) -> bool {
        // SAFETY: null, or a cell of the list.
        at.is_null() || Self::ends(unsafe { (*at).next })
    }
}

#[test]
fn unbounded_recursion_over_raw_pointers_is_stopped() {
    assert!(is_stack(&budget::<Raw>(&Bounds::scope(2))));
}

#[derive(Bounded)]
struct Mutual {
    root: Option<Rc<Even>>,
}

#[derive(Bounded)]
struct Even {
    next: Option<Rc<Odd>>,
}

#[derive(Bounded)]
struct Odd {
    next: Option<Rc<Even>>,
}

#[rep_ok]
impl Mutual {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| root.ends())
    }
}

#[mirror]
impl Even {
    fn ends(&self) -> bool {
        self.next.as_ref().is_none_or(|next| next.ends())
    }
}

#[mirror]
impl Odd {
    fn ends(&self) -> bool {
        self.next.as_ref().is_none_or(|next| next.ends())
    }
}

#[test]
fn mutual_recursion_through_helpers_is_stopped() {
    assert!(is_stack(&budget::<Mutual>(&Bounds::scope(1))));
}

#[derive(Bounded)]
struct Twins {
    a: Rc<Twin>,
    b: Rc<Twin>,
}

#[derive(Bounded, PartialEq)]
#[bounded(derive(PartialEq))]
struct Twin {
    next: Option<Rc<Twin>>,
}

#[rep_ok]
impl Twins {
    /// The derived comparison follows two rings for ever.
    fn rep_ok(&self) -> bool {
        self.a == self.b
    }
}

#[test]
fn a_derived_comparison_of_two_rings_is_stopped() {
    assert!(is_stack(&budget::<Twins>(&Bounds::scope(2))));
}

#[derive(Bounded)]
struct Slow(#[bounded(range = 0..=9)] u32);

#[rep_ok]
impl Slow {
    fn rep_ok(&self) -> bool {
        let mut n = 0u64;
        for _ in 0..self.0 * 10_000 {
            n += 1;
        }
        n == u64::from(self.0) * 10_000
    }
}

#[test]
fn a_long_loop_that_ends_is_let_be() {
    assert_eq!(crate::run::<Slow>(&Bounds::exact(), Options::default()), Ok(10));
}
