//! A context of each container, by name: its constructor and its methods.
//!
//! There is one container, and a number of items, which are keys, values, places and lengths, too. Results are compared and shown.
//! The invariant is checked after each call.

use crate::contexts::{Style, collections, maps};
use crate::{
    ArrayList, Deque, HashMap, HashSet, IdentityMap, LinkedHashMap, LinkedList, Object, PriorityQueue, Stack,
    TreeMap, TreeSet,
};
use smallscope_sequences::{Builder, Comparable, Context, Linearize, Pool, Seen, seen};
use std::fmt::Debug;

/// A container, and a context for it with so many items.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// What it is called.
    pub name: &'static str,
    /// The context.
    pub context: fn(u8) -> Builder,
}

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    Subject { name: "array-list", context: array_list },
    Subject { name: "deque", context: deque },
    Subject { name: "hash-map", context: hash_map },
    Subject { name: "hash-set", context: hash_set },
    Subject { name: "identity-map", context: identity_map },
    Subject { name: "linked-hash-map", context: linked_hash_map },
    Subject { name: "linked-list", context: linked_list },
    Subject { name: "priority-queue", context: priority_queue },
    Subject { name: "stack", context: stack },
    Subject { name: "tree-map", context: tree_map },
    Subject { name: "tree-set", context: tree_set },
];

/// Results are compared and shown.
#[derive(Clone, Copy)]
struct Shown;

impl Style for Shown {
    type Kept<T: Comparable> = Seen;

    fn keep<T: Comparable>() -> Seen {
        seen()
    }

    #[inline]
    fn call<R>(self, call: impl FnOnce() -> R) -> R {
        call()
    }
}

/// A container that its calls make, and items for it.
fn of<T: Clone + Linearize + Debug + 'static>(name: &str, size: u8, rep_ok: fn(&T) -> bool) -> Builder {
    let container = Pool::<T>::empty(1).named(name).cloned().linearized().shown().frozen().invariant(rep_ok);
    Context::builder().pool(container).pool(Pool::of(0..usize::from(size)))
}

fn array_list(size: u8) -> Builder {
    collections::array_list(Shown, of("list", size, ArrayList::<usize>::rep_ok))
}

fn deque(size: u8) -> Builder {
    collections::deque(Shown, of("deque", size, Deque::<usize>::rep_ok))
}

fn hash_map(size: u8) -> Builder {
    maps::hash_map(Shown, of("map", size, HashMap::<usize, usize>::rep_ok))
}

fn hash_set(size: u8) -> Builder {
    collections::hash_set(Shown, of("set", size, HashSet::<usize>::rep_ok))
}

/// Keys are objects of which each has another one that looks the same.
fn identity_map(size: u8) -> Builder {
    type Key = Object<u8>;
    let objects = (0..size).fold(Pool::empty(0), |pool, number| pool.and(Key { number, value: number / 2 }));
    let objects = objects.cloned().linearized().shown().frozen();
    maps::identity_map::<_, Key>(Shown, of("map", size, IdentityMap::<Key, usize>::rep_ok).pool(objects))
}

fn linked_hash_map(size: u8) -> Builder {
    maps::linked_hash_map(Shown, of("map", size, LinkedHashMap::<usize, usize>::rep_ok))
}

fn linked_list(size: u8) -> Builder {
    collections::linked_list(Shown, of("list", size, LinkedList::<usize>::rep_ok))
}

fn priority_queue(size: u8) -> Builder {
    collections::priority_queue(Shown, of("queue", size, PriorityQueue::<usize>::rep_ok))
}

fn stack(size: u8) -> Builder {
    collections::stack(Shown, of("stack", size, Stack::<usize>::rep_ok))
}

fn tree_map(size: u8) -> Builder {
    let builder = maps::tree_map(Shown, of("map", size, TreeMap::<usize, usize>::rep_ok));
    #[cfg(feature = "cover-predicates")]
    let builder = builder.covers::<TreeMap<usize, usize>>();
    builder
}

fn tree_set(size: u8) -> Builder {
    let builder = collections::tree_set(Shown, of("set", size, TreeSet::<usize>::rep_ok));
    // The code of the set is that of its map.
    #[cfg(feature = "cover-predicates")]
    let builder = builder.covers::<TreeMap<usize, ()>>();
    builder
}
