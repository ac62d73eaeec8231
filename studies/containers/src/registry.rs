//! A context for each container, by name: its constructor and its methods.
//!
//! A context has one container and a number of items, which are also keys, values, indices and lengths. Results are
//! compared and shown. The invariant is checked after each call.

use crate::contexts::{Style, collections, maps};
use crate::{
    ArrayList, Deque, HashMap, HashSet, IdentityMap, LinkedHashMap, LinkedList, Object, PriorityQueue, Stack,
    TreeMap, TreeSet,
};
use smallscope_sequences::{Builder, Comparable, Context, Linearize, Pool, Seen, seen};
use std::fmt::Debug;

/// A container by name.
#[derive(Debug, Clone, Copy)]
pub struct Container {
    /// The name: `array-list`.
    pub name: &'static str,
    /// Builds its context with a number of items.
    pub context: fn(u8) -> Builder,
}

/// All containers.
pub const CONTAINERS: &[Container] = &[
    Container { name: "array-list", context: array_list },
    Container { name: "deque", context: deque },
    Container { name: "hash-map", context: hash_map },
    Container { name: "hash-set", context: hash_set },
    Container { name: "identity-map", context: identity_map },
    Container { name: "linked-hash-map", context: linked_hash_map },
    Container { name: "linked-list", context: linked_list },
    Container { name: "priority-queue", context: priority_queue },
    Container { name: "stack", context: stack },
    Container { name: "tree-map", context: tree_map },
    Container { name: "tree-set", context: tree_set },
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

/// A context, with the types whose code it covers if probes are compiled in.
macro_rules! covered {
    ($builder:expr, $($t:ty),+) => {{
        let builder = $builder;
        #[cfg(feature = "cover-predicates")]
        let builder = builder$(.covers::<$t>())+;
        builder
    }};
}

/// The pools: a container, which calls create, and items.
fn of<T: Clone + Linearize + Debug + 'static>(name: &str, size: u8, rep_ok: fn(&T) -> bool) -> Builder {
    let container = Pool::<T>::empty(1).named(name).cloned().linearized().shown().frozen().invariant(rep_ok);
    Context::builder().pool(container).pool(Pool::of(0..usize::from(size)))
}

fn array_list(size: u8) -> Builder {
    covered!(collections::array_list(Shown, of("list", size, ArrayList::<usize>::rep_ok)), ArrayList<usize>)
}

fn deque(size: u8) -> Builder {
    covered!(collections::deque(Shown, of("deque", size, Deque::<usize>::rep_ok)), Deque<usize>)
}

fn hash_map(size: u8) -> Builder {
    covered!(maps::hash_map(Shown, of("map", size, HashMap::<usize, usize>::rep_ok)), HashMap<usize, usize>)
}

fn hash_set(size: u8) -> Builder {
    covered!(
        collections::hash_set(Shown, of("set", size, HashSet::<usize>::rep_ok)),
        HashSet<usize>,
        HashMap<usize, ()>
    )
}

/// Keys are objects, each of which is equal to another object.
fn identity_map(size: u8) -> Builder {
    type Key = Object<u8>;
    let objects = (0..size).fold(Pool::empty(0), |pool, number| pool.and(Key { number, value: number / 2 }));
    let objects = objects.cloned().linearized().shown().frozen();
    let pools = of("map", size, IdentityMap::<Key, usize>::rep_ok).pool(objects);
    covered!(maps::identity_map::<_, Key>(Shown, pools), IdentityMap<Key, usize>)
}

fn linked_hash_map(size: u8) -> Builder {
    covered!(maps::linked_hash_map(Shown, of("map", size, LinkedHashMap::<usize, usize>::rep_ok)), LinkedHashMap<usize, usize>)
}

fn linked_list(size: u8) -> Builder {
    covered!(
        collections::linked_list(Shown, of("list", size, LinkedList::<usize>::rep_ok)),
        LinkedList<usize>
    )
}

fn priority_queue(size: u8) -> Builder {
    covered!(
        collections::priority_queue(Shown, of("queue", size, PriorityQueue::<usize>::rep_ok)),
        PriorityQueue<usize>
    )
}

fn stack(size: u8) -> Builder {
    covered!(collections::stack(Shown, of("stack", size, Stack::<usize>::rep_ok)), Stack<usize>)
}

fn tree_map(size: u8) -> Builder {
    covered!(maps::tree_map(Shown, of("map", size, TreeMap::<usize, usize>::rep_ok)), TreeMap<usize, usize>)
}

fn tree_set(size: u8) -> Builder {
    // The code of the set is that of its map.
    covered!(collections::tree_set(Shown, of("set", size, TreeSet::<usize>::rep_ok)), TreeMap<usize, ()>)
}
