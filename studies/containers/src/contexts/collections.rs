//! The calls of lists, queues and sets.

use super::Style;
use crate::{ArrayList, Deque, HashSet, LinkedList, PriorityQueue, Stack, TreeSet};
use smallscope_sequences::{Builder, by_mut, by_ref, fallible, into, nothing, optional, seen, value};

/// Two methods panic if their arguments are out of range, as documented. Their calls check the arguments first.
#[derive(Debug)]
struct NotThere;

pub(crate) fn array_list<S: Style>(s: S, pools: Builder) -> Builder {
    type List = ArrayList<usize>;
    pools
        .function("ArrayList::new", (), into(), move |()| s.call(List::new))
        .method("add", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, x)| {
            s.call(|| list.add(x))
        })
        .method(
            "insert",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, i, x)| s.call(|| list.insert(i, x)),
        )
        .method(
            "set",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(S::keep::<usize>()),
            move |(list, i, x)| s.call(|| list.set(i, x)),
        )
        .method(
            "remove_at",
            (by_mut::<List>(), value::<usize>()),
            fallible(S::keep::<usize>()),
            move |(list, i)| s.call(|| list.remove_at(i)),
        )
        .method(
            "remove_range",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, from, to)| {
                let is_there = from <= to && to <= list.len();
                is_there.then(|| s.call(|| list.remove_range(from, to))).ok_or(NotThere)
            },
        )
        .written("({1} <= {2} && {2} <= {0}.len()).then(|| {0}.remove_range({1}, {2})).ok_or(())")
        .method("remove", (by_mut::<List>(), by_ref::<usize>()), S::keep::<bool>(), move |(list, x)| {
            s.call(|| list.remove(x))
        })
        .method(
            "get",
            (by_ref::<List>(), value::<usize>()),
            optional(S::keep::<usize>()),
            move |(list, i)| s.call(|| list.get(i).copied()),
        )
        .method("contains", (by_ref::<List>(), by_ref::<usize>()), S::keep::<bool>(), move |(list, x)| {
            s.call(|| list.contains(x))
        })
        .method(
            "index_of",
            (by_ref::<List>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(list, x)| s.call(|| list.index_of(x)),
        )
        .method(
            "last_index_of",
            (by_ref::<List>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(list, x)| s.call(|| list.last_index_of(x)),
        )
        .method("ensure_capacity", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, n)| {
            s.call(|| list.ensure_capacity(n))
        })
        .method("trim_to_size", (by_mut::<List>(),), nothing(), move |(list,)| s.call(|| list.trim_to_size()))
        .method("capacity", (by_ref::<List>(),), S::keep::<usize>(), move |(list,)| {
            s.call(|| list.capacity())
        })
        .method("iter", (by_ref::<List>(),), seen(), move |(list,)| {
            s.call(|| list.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<List>(),), S::keep::<usize>(), move |(list,)| s.call(|| list.len()))
        .method("is_empty", (by_ref::<List>(),), S::keep::<bool>(), move |(list,)| s.call(|| list.is_empty()))
        .method("clear", (by_mut::<List>(),), nothing(), move |(list,)| s.call(|| list.clear()))
}

pub(crate) fn linked_list<S: Style>(s: S, pools: Builder) -> Builder {
    type List = LinkedList<usize>;
    pools
        .function("LinkedList::new", (), into(), move |()| s.call(List::new))
        .method("add_first", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, x)| {
            s.call(|| list.add_first(x))
        })
        .method("add_last", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, x)| {
            s.call(|| list.add_last(x))
        })
        .method(
            "insert",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, i, x)| s.call(|| list.insert(i, x)),
        )
        .method(
            "set",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(S::keep::<usize>()),
            move |(list, i, x)| s.call(|| list.set(i, x)),
        )
        .method(
            "remove_at",
            (by_mut::<List>(), value::<usize>()),
            fallible(S::keep::<usize>()),
            move |(list, i)| s.call(|| list.remove_at(i)),
        )
        .method("remove", (by_mut::<List>(), by_ref::<usize>()), S::keep::<bool>(), move |(list, x)| {
            s.call(|| list.remove(x))
        })
        .method("pop_first", (by_mut::<List>(),), optional(S::keep::<usize>()), move |(list,)| {
            s.call(|| list.pop_first())
        })
        .method("pop_last", (by_mut::<List>(),), optional(S::keep::<usize>()), move |(list,)| {
            s.call(|| list.pop_last())
        })
        .method(
            "get",
            (by_ref::<List>(), value::<usize>()),
            optional(S::keep::<usize>()),
            move |(list, i)| s.call(|| list.get(i)),
        )
        .method("first", (by_ref::<List>(),), optional(S::keep::<usize>()), move |(list,)| {
            s.call(|| list.first())
        })
        .method("last", (by_ref::<List>(),), optional(S::keep::<usize>()), move |(list,)| {
            s.call(|| list.last())
        })
        .method("contains", (by_ref::<List>(), by_ref::<usize>()), S::keep::<bool>(), move |(list, x)| {
            s.call(|| list.contains(x))
        })
        .method(
            "index_of",
            (by_ref::<List>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(list, x)| s.call(|| list.index_of(x)),
        )
        .method("to_vec", (by_ref::<List>(),), seen(), move |(list,)| s.call(|| list.to_vec()))
        .method("len", (by_ref::<List>(),), S::keep::<usize>(), move |(list,)| s.call(|| list.len()))
        .method("is_empty", (by_ref::<List>(),), S::keep::<bool>(), move |(list,)| s.call(|| list.is_empty()))
        .method("clear", (by_mut::<List>(),), nothing(), move |(list,)| s.call(|| list.clear()))
}

pub(crate) fn deque<S: Style>(s: S, pools: Builder) -> Builder {
    type Queue = Deque<usize>;
    pools
        .function("Deque::new", (), into(), move |()| s.call(Queue::new))
        .method("push_front", (by_mut::<Queue>(), value::<usize>()), nothing(), move |(queue, x)| {
            s.call(|| queue.push_front(x))
        })
        .method("push_back", (by_mut::<Queue>(), value::<usize>()), nothing(), move |(queue, x)| {
            s.call(|| queue.push_back(x))
        })
        .method("pop_front", (by_mut::<Queue>(),), optional(S::keep::<usize>()), move |(queue,)| {
            s.call(|| queue.pop_front())
        })
        .method("pop_back", (by_mut::<Queue>(),), optional(S::keep::<usize>()), move |(queue,)| {
            s.call(|| queue.pop_back())
        })
        .method(
            "set",
            (by_mut::<Queue>(), value::<usize>(), value::<usize>()),
            fallible(S::keep::<usize>()),
            move |(queue, i, x)| s.call(|| queue.set(i, x)),
        )
        .method(
            "get",
            (by_ref::<Queue>(), value::<usize>()),
            optional(S::keep::<usize>()),
            move |(queue, i)| s.call(|| queue.get(i).copied()),
        )
        .method("front", (by_ref::<Queue>(),), optional(S::keep::<usize>()), move |(queue,)| {
            s.call(|| queue.front().copied())
        })
        .method("back", (by_ref::<Queue>(),), optional(S::keep::<usize>()), move |(queue,)| {
            s.call(|| queue.back().copied())
        })
        .method("contains", (by_ref::<Queue>(), by_ref::<usize>()), S::keep::<bool>(), move |(queue, x)| {
            s.call(|| queue.contains(x))
        })
        .method(
            "rotate_left",
            (by_mut::<Queue>(), value::<usize>()),
            fallible(nothing()),
            move |(queue, n)| (n <= queue.len()).then(|| s.call(|| queue.rotate_left(n))).ok_or(NotThere),
        )
        .written("({1} <= {0}.len()).then(|| {0}.rotate_left({1})).ok_or(())")
        .method("iter", (by_ref::<Queue>(),), seen(), move |(queue,)| {
            s.call(|| queue.iter().copied().collect::<Vec<_>>())
        })
        .method("capacity", (by_ref::<Queue>(),), S::keep::<usize>(), move |(queue,)| {
            s.call(|| queue.capacity())
        })
        .method("len", (by_ref::<Queue>(),), S::keep::<usize>(), move |(queue,)| s.call(|| queue.len()))
        .method("is_empty", (by_ref::<Queue>(),), S::keep::<bool>(), move |(queue,)| {
            s.call(|| queue.is_empty())
        })
        .method("clear", (by_mut::<Queue>(),), nothing(), move |(queue,)| s.call(|| queue.clear()))
}

pub(crate) fn priority_queue<S: Style>(s: S, pools: Builder) -> Builder {
    type Queue = PriorityQueue<usize>;
    pools
        .function("PriorityQueue::new", (), into(), move |()| s.call(Queue::new))
        .method("add", (by_mut::<Queue>(), value::<usize>()), nothing(), move |(queue, x)| {
            s.call(|| queue.add(x))
        })
        .method("poll", (by_mut::<Queue>(),), optional(S::keep::<usize>()), move |(queue,)| {
            s.call(|| queue.poll())
        })
        .method("peek", (by_ref::<Queue>(),), optional(S::keep::<usize>()), move |(queue,)| {
            s.call(|| queue.peek().copied())
        })
        .method("contains", (by_ref::<Queue>(), by_ref::<usize>()), S::keep::<bool>(), move |(queue, x)| {
            s.call(|| queue.contains(x))
        })
        .method("remove", (by_mut::<Queue>(), by_ref::<usize>()), S::keep::<bool>(), move |(queue, x)| {
            s.call(|| queue.remove(x))
        })
        .method(
            "add_and_poll",
            (by_mut::<Queue>(), value::<usize>()),
            S::keep::<usize>(),
            move |(queue, x)| s.call(|| queue.add_and_poll(x)),
        )
        .method("iter", (by_ref::<Queue>(),), seen(), move |(queue,)| {
            s.call(|| queue.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Queue>(),), S::keep::<usize>(), move |(queue,)| s.call(|| queue.len()))
        .method("is_empty", (by_ref::<Queue>(),), S::keep::<bool>(), move |(queue,)| {
            s.call(|| queue.is_empty())
        })
        .method("clear", (by_mut::<Queue>(),), nothing(), move |(queue,)| s.call(|| queue.clear()))
}

pub(crate) fn stack<S: Style>(s: S, pools: Builder) -> Builder {
    type Items = Stack<usize>;
    pools
        .function("Stack::new", (), into(), move |()| s.call(Items::new))
        .method("push", (by_mut::<Items>(), value::<usize>()), nothing(), move |(stack, x)| {
            s.call(|| stack.push(x))
        })
        .method("pop", (by_mut::<Items>(),), fallible(S::keep::<usize>()), move |(stack,)| {
            s.call(|| stack.pop())
        })
        .method("peek", (by_ref::<Items>(),), fallible(S::keep::<usize>()), move |(stack,)| {
            s.call(|| stack.peek().copied())
        })
        .method(
            "search",
            (by_ref::<Items>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(stack, x)| s.call(|| stack.search(x)),
        )
        .method("iter", (by_ref::<Items>(),), seen(), move |(stack,)| {
            s.call(|| stack.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Items>(),), S::keep::<usize>(), move |(stack,)| s.call(|| stack.len()))
        .method("is_empty", (by_ref::<Items>(),), S::keep::<bool>(), move |(stack,)| {
            s.call(|| stack.is_empty())
        })
        .method("clear", (by_mut::<Items>(),), nothing(), move |(stack,)| s.call(|| stack.clear()))
}

pub(crate) fn hash_set<S: Style>(s: S, pools: Builder) -> Builder {
    type Set = HashSet<usize>;
    pools
        .function("HashSet::new", (), into(), move |()| s.call(Set::new))
        .method("insert", (by_mut::<Set>(), value::<usize>()), S::keep::<bool>(), move |(set, x)| {
            s.call(|| set.insert(x))
        })
        .method("remove", (by_mut::<Set>(), by_ref::<usize>()), S::keep::<bool>(), move |(set, x)| {
            s.call(|| set.remove(x))
        })
        .method("contains", (by_ref::<Set>(), by_ref::<usize>()), S::keep::<bool>(), move |(set, x)| {
            s.call(|| set.contains(x))
        })
        .method("retain", (by_mut::<Set>(), value::<usize>()), nothing(), move |(set, x)| {
            s.call(|| set.retain(|other| *other != x))
        })
        .written("{0}.retain(|other| *other != {1})")
        .method("iter", (by_ref::<Set>(),), seen(), move |(set,)| {
            s.call(|| set.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Set>(),), S::keep::<usize>(), move |(set,)| s.call(|| set.len()))
        .method("is_empty", (by_ref::<Set>(),), S::keep::<bool>(), move |(set,)| s.call(|| set.is_empty()))
        .method("clear", (by_mut::<Set>(),), nothing(), move |(set,)| s.call(|| set.clear()))
}

pub(crate) fn tree_set<S: Style>(s: S, pools: Builder) -> Builder {
    type Set = TreeSet<usize>;
    pools
        .function("TreeSet::new", (), into(), move |()| s.call(Set::new))
        .method("insert", (by_mut::<Set>(), value::<usize>()), S::keep::<bool>(), move |(set, x)| {
            s.call(|| set.insert(x))
        })
        .method("remove", (by_mut::<Set>(), by_ref::<usize>()), S::keep::<bool>(), move |(set, x)| {
            s.call(|| set.remove(x))
        })
        .method("contains", (by_ref::<Set>(), by_ref::<usize>()), S::keep::<bool>(), move |(set, x)| {
            s.call(|| set.contains(x))
        })
        .method("first", (by_ref::<Set>(),), optional(S::keep::<usize>()), move |(set,)| {
            s.call(|| set.first().copied())
        })
        .method("last", (by_ref::<Set>(),), optional(S::keep::<usize>()), move |(set,)| {
            s.call(|| set.last().copied())
        })
        .method(
            "floor",
            (by_ref::<Set>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(set, x)| s.call(|| set.floor(x).copied()),
        )
        .method(
            "ceiling",
            (by_ref::<Set>(), by_ref::<usize>()),
            optional(S::keep::<usize>()),
            move |(set, x)| s.call(|| set.ceiling(x).copied()),
        )
        .method("pop_first", (by_mut::<Set>(),), optional(S::keep::<usize>()), move |(set,)| {
            s.call(|| set.pop_first())
        })
        .method("iter", (by_ref::<Set>(),), seen(), move |(set,)| {
            s.call(|| set.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Set>(),), S::keep::<usize>(), move |(set,)| s.call(|| set.len()))
        .method("is_empty", (by_ref::<Set>(),), S::keep::<bool>(), move |(set,)| s.call(|| set.is_empty()))
        .method("clear", (by_mut::<Set>(),), nothing(), move |(set,)| s.call(|| set.clear()))
}
