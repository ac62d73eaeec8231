//! Scopes contain each other, so that a series from 0 to the bound delivers everything once, smallest first.

use smallscope::search::{Found, Options, Search};
use smallscope::{Bounded, Bounds, Check, rep_ok};
use std::cell::RefCell;
use std::collections::HashSet;

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
struct List {
    head: Option<Box<Node>>,
    #[bounded(len = 0..=scope)]
    name: String,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(objects = scope + 1)]
struct Node {
    #[bounded(range = 0..=scope)]
    key: i64,
    next: Option<Box<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut last = -1;
        let mut at = &self.head;
        while let Some(node) = at {
            if node.key <= last {
                return false;
            }
            last = node.key;
            at = &node.next;
        }
        true
    }
}

fn drain<T: Bounded>(mut search: Search<T>) -> Vec<T> {
    let mut values = vec![];
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap() == Found::Valid {
        values.push(search.value().unwrap());
    }
    values
}

#[test]
fn a_series_delivers_what_the_whole_does_once() {
    let bounds = Bounds::scope(3);
    let whole: HashSet<List> = drain(Search::new(&bounds, Options::default()).unwrap()).into_iter().collect();
    let mut seen = HashSet::new();
    for scope in 0..=3 {
        let mut step = Search::<List>::within(&bounds, scope, Options::default()).unwrap();
        (0..scope).for_each(|smaller| step.leave_out(smaller));
        for list in drain(step) {
            let keys: Vec<i64> =
                std::iter::successors(list.head.as_ref(), |n| n.next.as_ref()).map(|n| n.key).collect();
            // The smallest scope that contains it.
            let needs = [
                list.name.chars().count(),
                keys.len().saturating_sub(1),
                keys.last().map_or(0, |&k| k as usize),
            ];
            let letters =
                list.name.chars().map(|c| 1 + "abé".chars().position(|letter| letter == c).unwrap());
            let letters = letters.max().unwrap_or(0);
            let smallest = needs.into_iter().max().unwrap().max(if letters > 1 { letters } else { 0 });
            assert_eq!(smallest, scope as usize, "{list:?}");
            assert!(seen.insert(list));
        }
    }
    assert_eq!(seen, whole);
}

#[test]
fn a_check_tries_smaller_scopes_first() {
    let sizes = RefCell::new(vec![]);
    let report = Check::new("lists", 2).run(|list: List| {
        let length = std::iter::successors(list.head.as_ref(), |n| n.next.as_ref()).count();
        sizes.borrow_mut().push(length.saturating_sub(1).max(list.name.len()));
    });
    assert!(report.is_exhaustive(), "{report}");
    let passes: Vec<_> = report.passes.iter().map(|p| p.scope).collect();
    assert_eq!(passes, [Some(0), Some(1), Some(2)]);
    assert_eq!(report.tested, smallscope::count::<List>(2).valid);
    let sizes = sizes.take();
    let (smaller, rest) = sizes.split_at(report.passes[0].tested as usize);
    assert!(smaller.iter().all(|&n| n == 0) && rest.iter().any(|&n| n > 0));
}

/// A bound that shrinks as the scope grows: what only a smaller scope contains is not part of the whole.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Shrinking {
    #[bounded(range = 0..=5 - scope)]
    x: u8,
}

#[test]
fn what_the_whole_does_not_contain_is_not_delivered() {
    let seen = RefCell::new(vec![]);
    let report = Check::new("shrinking", 3).run(|s: Shrinking| seen.borrow_mut().push(s.x));
    assert!(report.is_exhaustive());
    assert_eq!(seen.take(), [0, 1, 2]);
}
