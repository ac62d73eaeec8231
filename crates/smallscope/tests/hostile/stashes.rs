//! Invariants that keep what they have seen, to look at it when it is no longer there.

use crate::run;
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static STASH: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(vec![]) };
}

fn stash<T: 'static>(what: T) {
    STASH.with_borrow_mut(|s| s.push(Box::new(what)));
}

/// Does something with everything of a type in the stash.
fn each_stashed<T: 'static>(mut f: impl FnMut(&T)) -> usize {
    STASH.with_borrow(|s| s.iter().filter_map(|x| x.downcast_ref::<T>()).map(&mut f).count())
}

#[derive(Bounded)]
struct List {
    head: Option<Rc<Node>>,
}

#[derive(Bounded)]
struct Node {
    key: u8,
    #[bounded(len = 1..=1)]
    name: String,
    next: Option<Rc<Node>>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        let mut n = 0;
        let mut at = self.head.clone();
        while let Some(node) = at {
            stash(node.clone());
            n += 1;
            if n > 2 {
                return false;
            }
            at = node.next.clone();
        }
        true
    }
}

type Stashed = smallscope::__private::mirror::Rc<Node_in_the_invariant>;

/// Reads every stashed mirror, however old.
fn read_all() -> usize {
    each_stashed::<Stashed>(|node| {
        assert!(*node.key <= 2);
        assert!(node.name.chars().all(|c| c.is_ascii_lowercase()));
        assert!(node.next.as_ref().is_none_or(|next| *next.key <= 2));
    })
}

#[test]
fn mirrors_outlive_their_search() {
    STASH.take();
    let before = run::<List>(&Bounds::scope(2), Options::default()).unwrap();
    assert!(read_all() > 10);
    // Real nodes have been stashed too, by the invariant on the values.
    assert!(each_stashed::<Rc<Node>>(|node| assert!(node.name.len() == 1)) > 0);
    STASH.take();
    assert_eq!(run::<List>(&Bounds::scope(2), Options::default()), Ok(before));
    STASH.take();
}

#[test]
fn mirrors_may_be_read_between_the_steps_of_a_search() {
    STASH.take();
    let mut search = Search::<List>::new(&Bounds::scope(2), Options::default()).unwrap();
    // What is read out of turn counts as read, and the search goes on from there; it ends all the same.
    let mut steps = 0;
    while search
        .find_next(&mut |_| std::ops::ControlFlow::Continue(()))
        .is_ok_and(|f| f == smallscope::search::Found::Valid)
    {
        read_all();
        steps += 1;
        assert!(steps < 100_000);
    }
    STASH.take();
}

/// Looks at what it has stashed on earlier candidates.
#[derive(Bounded)]
struct Nosy {
    node: Option<Rc<Plain>>,
}

#[derive(Bounded)]
struct Plain {
    key: u8,
    next: Option<Rc<Plain>>,
}

#[rep_ok]
impl Nosy {
    fn rep_ok(&self) -> bool {
        if let Some(node) = &self.node {
            stash(node.clone());
        }
        sum_of_keys() < 1000
    }
}

fn sum_of_keys() -> usize {
    let mut sum = 0;
    each_stashed::<smallscope::__private::mirror::Rc<Plain_in_the_invariant>>(|node| {
        sum += usize::from(*node.key)
    });
    sum
}

#[test]
fn an_invariant_that_reads_old_mirrors_does_no_harm() {
    STASH.take();
    // Depending on what there is to read it may be called not deterministic.
    let _ = run::<Nosy>(&Bounds::scope(2), Options::audited());
    STASH.take();
}
