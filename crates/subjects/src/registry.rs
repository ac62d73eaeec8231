//! A context of each container, by name: its constructor and the methods that change it or say what is in it.
//!
//! There is one container, and a number of keys and values to choose from. The invariant is checked after each call.

use crate::{
    ArrayList, Deque, HashMap, HashSet, IdentityMap, LinkedHashMap, LinkedList, Object, PriorityQueue, Stack,
    TreeMap, TreeSet,
};
use smallscope::sequences::{
    Builder, Context, Linearize, Pool, by_mut, by_ref, fallible, into, nothing, seen, value,
};
use std::fmt::Debug;

/// A container, and a context for it with so many keys and values.
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

/// A container that its calls make, and elements for it.
fn of<T: Clone + Linearize + Debug + 'static>(name: &str, size: u8, rep_ok: fn(&T) -> bool) -> Builder {
    let container = Pool::<T>::empty(1).named(name).cloned().linearized().shown().frozen().invariant(rep_ok);
    Context::builder().pool(container).pool(Pool::of(0..size))
}

/// Places, up to one behind the last of a few elements.
fn places(size: u8) -> Pool<usize> {
    Pool::of(0..=usize::from(size))
}

fn array_list(size: u8) -> Builder {
    type List = ArrayList<u8>;
    of("list", size, List::rep_ok)
        .pool(places(size))
        .function("ArrayList::new", (), into(), |()| List::new())
        .method("add", (by_mut::<List>(), value::<u8>()), nothing(), |(list, item)| list.add(item))
        .method(
            "insert",
            (by_mut::<List>(), value::<usize>(), value::<u8>()),
            fallible(nothing()),
            |(list, at, item)| list.insert(at, item),
        )
        .method(
            "set",
            (by_mut::<List>(), value::<usize>(), value::<u8>()),
            fallible(seen()),
            |(list, at, item)| list.set(at, item),
        )
        .method("remove_at", (by_mut::<List>(), value::<usize>()), fallible(seen()), |(list, at)| {
            list.remove_at(at)
        })
        .method("remove", (by_mut::<List>(), by_ref::<u8>()), seen(), |(list, item)| list.remove(item))
        .method("trim_to_size", (by_mut::<List>(),), nothing(), |(list,)| list.trim_to_size())
        .method("index_of", (by_ref::<List>(), by_ref::<u8>()), seen(), |(list, item)| list.index_of(item))
        .method("clear", (by_mut::<List>(),), nothing(), |(list,)| list.clear())
}

fn deque(size: u8) -> Builder {
    type Ring = Deque<u8>;
    of("deque", size, Ring::rep_ok)
        .function("Deque::new", (), into(), |()| Ring::new())
        .method("push_front", (by_mut::<Ring>(), value::<u8>()), nothing(), |(ring, item)| {
            ring.push_front(item)
        })
        .method("push_back", (by_mut::<Ring>(), value::<u8>()), nothing(), |(ring, item)| {
            ring.push_back(item)
        })
        .method("pop_front", (by_mut::<Ring>(),), seen(), |(ring,)| ring.pop_front())
        .method("pop_back", (by_mut::<Ring>(),), seen(), |(ring,)| ring.pop_back())
        .method("contains", (by_ref::<Ring>(), by_ref::<u8>()), seen(), |(ring, item)| ring.contains(item))
        .method("clear", (by_mut::<Ring>(),), nothing(), |(ring,)| ring.clear())
}

/// The methods that all maps have.
macro_rules! map {
    ($builder:expr, $map:ty, $key:ty, $new:literal) => {
        $builder
            .function($new, (), into(), |()| <$map>::new())
            .method(
                "insert",
                (by_mut::<$map>(), value::<$key>(), value::<u8>()),
                seen(),
                |(map, key, value)| map.insert(key, value),
            )
            .method("remove", (by_mut::<$map>(), by_ref::<$key>()), seen(), |(map, key)| map.remove(key))
            .method("get", (by_ref::<$map>(), by_ref::<$key>()), seen(), |(map, key)| map.get(key).copied())
            .method("contains_key", (by_ref::<$map>(), by_ref::<$key>()), seen(), |(map, key)| {
                map.contains_key(key)
            })
            .method("len", (by_ref::<$map>(),), seen(), |(map,)| map.len())
            .method("clear", (by_mut::<$map>(),), nothing(), |(map,)| map.clear())
    };
}

fn hash_map(size: u8) -> Builder {
    type Map = HashMap<u8, u8>;
    map!(of("map", size, Map::rep_ok), Map, u8, "HashMap::new")
}

fn linked_hash_map(size: u8) -> Builder {
    type Map = LinkedHashMap<u8, u8>;
    map!(of("map", size, Map::rep_ok), Map, u8, "LinkedHashMap::new").method(
        "pop_first",
        (by_mut::<Map>(),),
        seen(),
        |(map,)| map.pop_first(),
    )
}

/// Keys are objects of which each has another one that looks the same.
fn identity_map(size: u8) -> Builder {
    type Map = IdentityMap<Object<u8>, u8>;
    let objects =
        (0..size).fold(Pool::empty(0), |pool, number| pool.and(Object { number, value: number / 2 }));
    let objects = objects.cloned().linearized().shown().frozen();
    map!(of("map", size, Map::rep_ok).pool(objects), Map, Object<u8>, "IdentityMap::new")
}

fn tree_map(size: u8) -> Builder {
    type Map = TreeMap<u8, u8>;
    let builder = map!(of("map", size, Map::rep_ok), Map, u8, "TreeMap::new").method(
        "pop_first",
        (by_mut::<Map>(),),
        seen(),
        |(map,)| map.pop_first(),
    );
    #[cfg(feature = "cover-predicates")]
    let builder = builder.covers::<Map>();
    builder
}

/// The methods that all sets have.
macro_rules! set {
    ($builder:expr, $set:ty, $new:literal) => {
        $builder
            .function($new, (), into(), |()| <$set>::new())
            .method("insert", (by_mut::<$set>(), value::<u8>()), seen(), |(set, item)| set.insert(item))
            .method("remove", (by_mut::<$set>(), by_ref::<u8>()), seen(), |(set, item)| set.remove(item))
            .method("contains", (by_ref::<$set>(), by_ref::<u8>()), seen(), |(set, item)| set.contains(item))
            .method("len", (by_ref::<$set>(),), seen(), |(set,)| set.len())
            .method("clear", (by_mut::<$set>(),), nothing(), |(set,)| set.clear())
    };
}

fn hash_set(size: u8) -> Builder {
    type Set = HashSet<u8>;
    set!(of("set", size, Set::rep_ok), Set, "HashSet::new")
}

fn tree_set(size: u8) -> Builder {
    type Set = TreeSet<u8>;
    let builder = set!(of("set", size, Set::rep_ok), Set, "TreeSet::new").method(
        "pop_first",
        (by_mut::<Set>(),),
        seen(),
        |(set,)| set.pop_first(),
    );
    // The code of the set is that of its map.
    #[cfg(feature = "cover-predicates")]
    let builder = builder.covers::<TreeMap<u8, ()>>();
    builder
}

fn linked_list(size: u8) -> Builder {
    type List = LinkedList<u8>;
    of("list", size, List::rep_ok)
        .pool(places(size))
        .function("LinkedList::new", (), into(), |()| List::new())
        .method("add_first", (by_mut::<List>(), value::<u8>()), nothing(), |(list, item)| {
            list.add_first(item)
        })
        .method("add_last", (by_mut::<List>(), value::<u8>()), nothing(), |(list, item)| list.add_last(item))
        .method(
            "insert",
            (by_mut::<List>(), value::<usize>(), value::<u8>()),
            fallible(nothing()),
            |(list, at, item)| list.insert(at, item),
        )
        .method(
            "set",
            (by_mut::<List>(), value::<usize>(), value::<u8>()),
            fallible(seen()),
            |(list, at, item)| list.set(at, item),
        )
        .method("remove_at", (by_mut::<List>(), value::<usize>()), fallible(seen()), |(list, at)| {
            list.remove_at(at)
        })
        .method("pop_first", (by_mut::<List>(),), seen(), |(list,)| list.pop_first())
        .method("pop_last", (by_mut::<List>(),), seen(), |(list,)| list.pop_last())
        .method("to_vec", (by_ref::<List>(),), seen(), |(list,)| list.to_vec())
        .method("clear", (by_mut::<List>(),), nothing(), |(list,)| list.clear())
}

fn priority_queue(size: u8) -> Builder {
    type Queue = PriorityQueue<u8>;
    of("queue", size, Queue::rep_ok)
        .function("PriorityQueue::new", (), into(), |()| Queue::new())
        .method("add", (by_mut::<Queue>(), value::<u8>()), nothing(), |(queue, item)| queue.add(item))
        .method("poll", (by_mut::<Queue>(),), seen(), |(queue,)| queue.poll())
        .method("add_and_poll", (by_mut::<Queue>(), value::<u8>()), seen(), |(queue, item)| {
            queue.add_and_poll(item)
        })
        .method("remove", (by_mut::<Queue>(), by_ref::<u8>()), seen(), |(queue, item)| queue.remove(item))
        .method("contains", (by_ref::<Queue>(), by_ref::<u8>()), seen(), |(queue, item)| queue.contains(item))
        .method("clear", (by_mut::<Queue>(),), nothing(), |(queue,)| queue.clear())
}

fn stack(size: u8) -> Builder {
    type Pile = Stack<u8>;
    of("stack", size, Pile::rep_ok)
        .function("Stack::new", (), into(), |()| Pile::new())
        .method("push", (by_mut::<Pile>(), value::<u8>()), nothing(), |(stack, item)| stack.push(item))
        .method("pop", (by_mut::<Pile>(),), fallible(seen()), |(stack,)| stack.pop())
        .method("peek", (by_ref::<Pile>(),), fallible(seen()), |(stack,)| stack.peek().copied())
        .method("search", (by_ref::<Pile>(), by_ref::<u8>()), seen(), |(stack, item)| stack.search(item))
        .method("clear", (by_mut::<Pile>(),), nothing(), |(stack,)| stack.clear())
}
