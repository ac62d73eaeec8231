//! `derive(Linearize)` on types with raw pointers: equal values are equal at any address, and different ones differ.

use smallscope::sequences::{Context, Explorer, Linearize, Pool, Sink, Stop};
use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

/// A queue with a pointer to its last node, which the first pointer's chain owns.
#[derive(Linearize)]
#[linearize(unsafe(raw_pointers))]
struct Queue {
    /// First, so that the owner comes later.
    last: *mut Node,
    first: Option<Box<Node>>,
}

#[derive(Linearize)]
struct Node {
    item: u8,
    next: Option<Box<Node>>,
}

#[smallscope::api]
impl Queue {
    pub fn new() -> Self {
        Queue { last: null_mut(), first: None }
    }

    pub fn push(&mut self, item: u8) {
        let mut end = &mut self.first;
        while let Some(node) = end {
            end = &mut node.next;
        }
        self.last = &mut **end.insert(Box::new(Node { item, next: None }));
    }

    #[api(nothing)]
    pub fn pop(&mut self) -> Option<u8> {
        let first = self.first.take()?;
        self.first = first.next;
        if self.first.is_none() {
            self.last = null_mut();
        }
        Some(first.item)
    }
}

fn bytes(value: &impl Linearize) -> Vec<u8> {
    let mut sink = Sink::new();
    value.linearize(&mut sink);
    sink.bytes().to_vec()
}

fn queue(items: &[u8]) -> Queue {
    let mut queue = Queue::new();
    items.iter().for_each(|item| queue.push(*item));
    queue
}

#[test]
fn owners_and_raw_pointers_lead_to_the_same_object() {
    assert_eq!(bytes(&queue(&[])), [0, 0]);
    // The node, by its pointer; then its number.
    assert_eq!(bytes(&queue(&[7])), [1, 7, 0, 1]);
    assert_eq!(bytes(&queue(&[7, 9])), [1, 9, 0, 2, 7, 1]);
    // A last node that is not the last one of the chain, but looks like it.
    let mut other = queue(&[7]);
    let mut elsewhere = Node { item: 7, next: None };
    other.last = &mut elsewhere;
    assert_eq!(bytes(&other), [1, 7, 0, 2, 7, 0]);
}

#[test]
fn states_with_raw_pointers_are_matched() {
    let context = Context::builder()
        .pool(Pool::<Queue>::empty(1).linearized())
        .pool(Pool::of([0u8, 1]))
        .api::<Queue>()
        .build()
        .unwrap();
    let found = Explorer::new(&context).max_length(6).explore().unwrap();
    assert_eq!(found.stop, Stop::Exhausted);
    // No queue, and those with up to five items.
    assert_eq!(found.levels, [1, 1, 2, 4, 8, 16, 32]);
}

/// A ring of nodes without an owner.
#[derive(Linearize)]
#[linearize(unsafe(raw_pointers))]
struct Ring {
    neighbours: [*const Ring; 2],
    maybe: Option<NonNull<Ring>>,
    cell: Cell<*mut Ring>,
    all: Vec<NonNull<Ring>>,
    key: u8,
}

#[test]
fn cycles_end_and_every_kind_of_pointer_is_followed() {
    let node = |key| {
        let node = Ring {
            neighbours: [std::ptr::null(); 2],
            maybe: None,
            cell: Cell::new(null_mut()),
            all: vec![],
            key,
        };
        NonNull::from(Box::leak(Box::new(node)))
    };
    let ring = || {
        let (mut a, mut b) = (node(5), node(6));
        // SAFETY: both were just made, and are never freed.
        let (first, second) = unsafe { (a.as_mut(), b.as_mut()) };
        first.neighbours = [b.as_ptr(), a.as_ptr()];
        first.maybe = Some(b);
        first.cell.set(b.as_ptr());
        first.all = vec![a, b];
        second.neighbours = [a.as_ptr(), std::ptr::null()];
        first.key = 5;
        // SAFETY: as above.
        unsafe { a.as_ref() }
    };
    let written = bytes(&Some(NonNull::from(ring())).map(|a| Entry { a: a.as_ptr() }).unwrap());
    // The first one; its first neighbour and what is in that; the rest by number.
    assert_eq!(written, [1, 2, 1, 0, 0, 0, 0, 6, 1, 2, 2, 2, 1, 2, 5]);
    assert_eq!(written, bytes(&Entry { a: ring() }));
}

#[derive(Linearize)]
#[linearize(unsafe(raw_pointers))]
struct Entry {
    a: *const Ring,
}

/// One derive for values within bounds, and for values that calls lead to.
#[derive(Bounded, Clone)]
#[bounded(linearize)]
struct Tree<K> {
    root: Option<Box<Branch<K>>>,
    /// A cache.
    #[linearize(skip, vouched)]
    #[bounded(range = 0..=0)]
    lookups: u8,
}

#[derive(Bounded, Clone)]
#[bounded(linearize)]
struct Branch<K> {
    left: Option<Box<Branch<K>>>,
    key: K,
    right: Option<Box<Branch<K>>>,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    fn rep_ok(&self) -> bool {
        fn is_between<K: Ord>(branch: &Option<Box<Branch<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
            let Some(branch) = branch else { return true };
            low.is_none_or(|low| *low < branch.key)
                && high.is_none_or(|high| branch.key < *high)
                && is_between(&branch.left, low, Some(&branch.key))
                && is_between(&branch.right, Some(&branch.key), high)
        }
        is_between(&self.root, None, None)
    }
}

#[smallscope::api]
impl Tree<u8> {
    pub fn new() -> Self {
        Tree { root: None, lookups: 0 }
    }

    pub fn insert(&mut self, key: u8) {
        let mut place = &mut self.root;
        while let Some(branch) = place {
            match key.cmp(&branch.key) {
                std::cmp::Ordering::Less => place = &mut branch.left,
                std::cmp::Ordering::Equal => return,
                std::cmp::Ordering::Greater => place = &mut branch.right,
            }
        }
        *place = Some(Box::new(Branch { left: None, key, right: None }));
    }

    #[api(nothing)]
    pub fn contains(&mut self, key: u8) -> bool {
        self.lookups = self.lookups.wrapping_add(1);
        let mut place = &self.root;
        while let Some(branch) = place {
            match key.cmp(&branch.key) {
                std::cmp::Ordering::Less => place = &branch.left,
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Greater => place = &branch.right,
            }
        }
        false
    }
}

#[test]
fn calls_lead_to_the_values_that_the_search_finds() {
    let keys = [0u8, 1, 2];
    let bounds = Bounds::scope(3);
    let values = smallscope::count::<Tree<u8>>(&bounds).valid;
    let context = Context::builder()
        .pool(Pool::<Tree<u8>>::empty(1).cloned().linearized())
        .pool(Pool::of(keys))
        .api::<Tree<u8>>()
        .build()
        .unwrap();
    let found = Explorer::new(&context).explore().unwrap();
    assert_eq!((found.stop, found.is_closed), (Stop::Exhausted, true));
    // And no tree at all.
    assert_eq!(found.states, values + 1);
}
