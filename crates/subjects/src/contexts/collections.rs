//! Lists, queues and sets.

use super::pools;
use crate::mutation::with;
use crate::{ArrayList, Deque, HashSet, LinkedList, PriorityQueue, Stack, TreeSet};
use smallscope_sequences::{Builder, by_mut, by_ref, fallible, into, nothing, optional, seen, value};

/// Two methods panic if what they are asked for is not there, as they say. Callers look before they call.
#[derive(Debug)]
struct NotThere;

pub(super) fn array_list(m: u32) -> Builder {
    type List = ArrayList<usize>;
    pools::<List>("list")
        .function("ArrayList::new", (), into(), move |()| with(m, List::new))
        .method("add", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, x)| {
            with(m, || list.add(x))
        })
        .method(
            "insert",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, i, x)| with(m, || list.insert(i, x)),
        )
        .method(
            "set",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(into::<usize>()),
            move |(list, i, x)| with(m, || list.set(i, x)),
        )
        .method(
            "remove_at",
            (by_mut::<List>(), value::<usize>()),
            fallible(into::<usize>()),
            move |(list, i)| with(m, || list.remove_at(i)),
        )
        .method(
            "remove_range",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, from, to)| {
                let is_there = from <= to && to <= list.len();
                is_there.then(|| with(m, || list.remove_range(from, to))).ok_or(NotThere)
            },
        )
        .method("remove", (by_mut::<List>(), value::<usize>()), into::<bool>(), move |(list, x)| {
            with(m, || list.remove(&x))
        })
        .method("get", (by_ref::<List>(), value::<usize>()), optional(into::<usize>()), move |(list, i)| {
            with(m, || list.get(i).copied())
        })
        .method("contains", (by_ref::<List>(), value::<usize>()), into::<bool>(), move |(list, x)| {
            with(m, || list.contains(&x))
        })
        .method(
            "index_of",
            (by_ref::<List>(), value::<usize>()),
            optional(into::<usize>()),
            move |(list, x)| with(m, || list.index_of(&x)),
        )
        .method(
            "last_index_of",
            (by_ref::<List>(), value::<usize>()),
            optional(into::<usize>()),
            move |(list, x)| with(m, || list.last_index_of(&x)),
        )
        .method("ensure_capacity", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, n)| {
            with(m, || list.ensure_capacity(n))
        })
        .method("trim_to_size", (by_mut::<List>(),), nothing(), move |(list,)| {
            with(m, || list.trim_to_size())
        })
        .method("capacity", (by_ref::<List>(),), into::<usize>(), move |(list,)| with(m, || list.capacity()))
        .method("iter", (by_ref::<List>(),), seen(), move |(list,)| {
            with(m, || list.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<List>(),), into::<usize>(), move |(list,)| with(m, || list.len()))
        .method("is_empty", (by_ref::<List>(),), into::<bool>(), move |(list,)| with(m, || list.is_empty()))
        .method("clear", (by_mut::<List>(),), nothing(), move |(list,)| with(m, || list.clear()))
}

pub(super) fn linked_list(m: u32) -> Builder {
    type List = LinkedList<usize>;
    pools::<List>("list")
        .function("LinkedList::new", (), into(), move |()| with(m, List::new))
        .method("add_first", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, x)| {
            with(m, || list.add_first(x))
        })
        .method("add_last", (by_mut::<List>(), value::<usize>()), nothing(), move |(list, x)| {
            with(m, || list.add_last(x))
        })
        .method(
            "insert",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, i, x)| with(m, || list.insert(i, x)),
        )
        .method(
            "set",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(into::<usize>()),
            move |(list, i, x)| with(m, || list.set(i, x)),
        )
        .method(
            "remove_at",
            (by_mut::<List>(), value::<usize>()),
            fallible(into::<usize>()),
            move |(list, i)| with(m, || list.remove_at(i)),
        )
        .method("remove", (by_mut::<List>(), value::<usize>()), into::<bool>(), move |(list, x)| {
            with(m, || list.remove(&x))
        })
        .method("pop_first", (by_mut::<List>(),), optional(into::<usize>()), move |(list,)| {
            with(m, || list.pop_first())
        })
        .method("pop_last", (by_mut::<List>(),), optional(into::<usize>()), move |(list,)| {
            with(m, || list.pop_last())
        })
        .method("get", (by_ref::<List>(), value::<usize>()), optional(into::<usize>()), move |(list, i)| {
            with(m, || list.get(i))
        })
        .method("first", (by_ref::<List>(),), optional(into::<usize>()), move |(list,)| {
            with(m, || list.first())
        })
        .method("last", (by_ref::<List>(),), optional(into::<usize>()), move |(list,)| {
            with(m, || list.last())
        })
        .method("contains", (by_ref::<List>(), value::<usize>()), into::<bool>(), move |(list, x)| {
            with(m, || list.contains(&x))
        })
        .method(
            "index_of",
            (by_ref::<List>(), value::<usize>()),
            optional(into::<usize>()),
            move |(list, x)| with(m, || list.index_of(&x)),
        )
        .method("to_vec", (by_ref::<List>(),), seen(), move |(list,)| with(m, || list.to_vec()))
        .method("len", (by_ref::<List>(),), into::<usize>(), move |(list,)| with(m, || list.len()))
        .method("is_empty", (by_ref::<List>(),), into::<bool>(), move |(list,)| with(m, || list.is_empty()))
        .method("clear", (by_mut::<List>(),), nothing(), move |(list,)| with(m, || list.clear()))
}

pub(super) fn deque(m: u32) -> Builder {
    type Queue = Deque<usize>;
    pools::<Queue>("queue")
        .function("Deque::new", (), into(), move |()| with(m, Queue::new))
        .method("push_front", (by_mut::<Queue>(), value::<usize>()), nothing(), move |(queue, x)| {
            with(m, || queue.push_front(x))
        })
        .method("push_back", (by_mut::<Queue>(), value::<usize>()), nothing(), move |(queue, x)| {
            with(m, || queue.push_back(x))
        })
        .method("pop_front", (by_mut::<Queue>(),), optional(into::<usize>()), move |(queue,)| {
            with(m, || queue.pop_front())
        })
        .method("pop_back", (by_mut::<Queue>(),), optional(into::<usize>()), move |(queue,)| {
            with(m, || queue.pop_back())
        })
        .method(
            "set",
            (by_mut::<Queue>(), value::<usize>(), value::<usize>()),
            fallible(into::<usize>()),
            move |(queue, i, x)| with(m, || queue.set(i, x)),
        )
        .method("get", (by_ref::<Queue>(), value::<usize>()), optional(into::<usize>()), move |(queue, i)| {
            with(m, || queue.get(i).copied())
        })
        .method("front", (by_ref::<Queue>(),), optional(into::<usize>()), move |(queue,)| {
            with(m, || queue.front().copied())
        })
        .method("back", (by_ref::<Queue>(),), optional(into::<usize>()), move |(queue,)| {
            with(m, || queue.back().copied())
        })
        .method("contains", (by_ref::<Queue>(), value::<usize>()), into::<bool>(), move |(queue, x)| {
            with(m, || queue.contains(&x))
        })
        .method(
            "rotate_left",
            (by_mut::<Queue>(), value::<usize>()),
            fallible(nothing()),
            move |(queue, n)| (n <= queue.len()).then(|| with(m, || queue.rotate_left(n))).ok_or(NotThere),
        )
        .method("iter", (by_ref::<Queue>(),), seen(), move |(queue,)| {
            with(m, || queue.iter().copied().collect::<Vec<_>>())
        })
        .method("capacity", (by_ref::<Queue>(),), into::<usize>(), move |(queue,)| {
            with(m, || queue.capacity())
        })
        .method("len", (by_ref::<Queue>(),), into::<usize>(), move |(queue,)| with(m, || queue.len()))
        .method("is_empty", (by_ref::<Queue>(),), into::<bool>(), move |(queue,)| {
            with(m, || queue.is_empty())
        })
        .method("clear", (by_mut::<Queue>(),), nothing(), move |(queue,)| with(m, || queue.clear()))
}

pub(super) fn priority_queue(m: u32) -> Builder {
    type Queue = PriorityQueue<usize>;
    pools::<Queue>("queue")
        .function("PriorityQueue::new", (), into(), move |()| with(m, Queue::new))
        .method("add", (by_mut::<Queue>(), value::<usize>()), nothing(), move |(queue, x)| {
            with(m, || queue.add(x))
        })
        .method("poll", (by_mut::<Queue>(),), optional(into::<usize>()), move |(queue,)| {
            with(m, || queue.poll())
        })
        .method("peek", (by_ref::<Queue>(),), optional(into::<usize>()), move |(queue,)| {
            with(m, || queue.peek().copied())
        })
        .method("contains", (by_ref::<Queue>(), value::<usize>()), into::<bool>(), move |(queue, x)| {
            with(m, || queue.contains(&x))
        })
        .method("remove", (by_mut::<Queue>(), value::<usize>()), into::<bool>(), move |(queue, x)| {
            with(m, || queue.remove(&x))
        })
        .method("add_and_poll", (by_mut::<Queue>(), value::<usize>()), into::<usize>(), move |(queue, x)| {
            with(m, || queue.add_and_poll(x))
        })
        .method("iter", (by_ref::<Queue>(),), seen(), move |(queue,)| {
            with(m, || queue.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Queue>(),), into::<usize>(), move |(queue,)| with(m, || queue.len()))
        .method("is_empty", (by_ref::<Queue>(),), into::<bool>(), move |(queue,)| {
            with(m, || queue.is_empty())
        })
        .method("clear", (by_mut::<Queue>(),), nothing(), move |(queue,)| with(m, || queue.clear()))
}

pub(super) fn stack(m: u32) -> Builder {
    type Items = Stack<usize>;
    pools::<Items>("stack")
        .function("Stack::new", (), into(), move |()| with(m, Items::new))
        .method("push", (by_mut::<Items>(), value::<usize>()), nothing(), move |(stack, x)| {
            with(m, || stack.push(x))
        })
        .method("pop", (by_mut::<Items>(),), fallible(into::<usize>()), move |(stack,)| {
            with(m, || stack.pop())
        })
        .method("peek", (by_ref::<Items>(),), fallible(into::<usize>()), move |(stack,)| {
            with(m, || stack.peek().copied())
        })
        .method(
            "search",
            (by_ref::<Items>(), value::<usize>()),
            optional(into::<usize>()),
            move |(stack, x)| with(m, || stack.search(&x)),
        )
        .method("iter", (by_ref::<Items>(),), seen(), move |(stack,)| {
            with(m, || stack.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Items>(),), into::<usize>(), move |(stack,)| with(m, || stack.len()))
        .method("is_empty", (by_ref::<Items>(),), into::<bool>(), move |(stack,)| {
            with(m, || stack.is_empty())
        })
        .method("clear", (by_mut::<Items>(),), nothing(), move |(stack,)| with(m, || stack.clear()))
}

pub(super) fn hash_set(m: u32) -> Builder {
    type Set = HashSet<usize>;
    pools::<Set>("set")
        .function("HashSet::new", (), into(), move |()| with(m, Set::new))
        .method("insert", (by_mut::<Set>(), value::<usize>()), into::<bool>(), move |(set, x)| {
            with(m, || set.insert(x))
        })
        .method("remove", (by_mut::<Set>(), value::<usize>()), into::<bool>(), move |(set, x)| {
            with(m, || set.remove(&x))
        })
        .method("contains", (by_ref::<Set>(), value::<usize>()), into::<bool>(), move |(set, x)| {
            with(m, || set.contains(&x))
        })
        .method("retain", (by_mut::<Set>(), value::<usize>()), nothing(), move |(set, x)| {
            with(m, || set.retain(|other| *other != x))
        })
        .written("{0}.retain(|other| *other != {1})")
        .method("iter", (by_ref::<Set>(),), seen(), move |(set,)| {
            with(m, || set.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Set>(),), into::<usize>(), move |(set,)| with(m, || set.len()))
        .method("is_empty", (by_ref::<Set>(),), into::<bool>(), move |(set,)| with(m, || set.is_empty()))
        .method("clear", (by_mut::<Set>(),), nothing(), move |(set,)| with(m, || set.clear()))
}

pub(super) fn tree_set(m: u32) -> Builder {
    type Set = TreeSet<usize>;
    pools::<Set>("set")
        .function("TreeSet::new", (), into(), move |()| with(m, Set::new))
        .method("insert", (by_mut::<Set>(), value::<usize>()), into::<bool>(), move |(set, x)| {
            with(m, || set.insert(x))
        })
        .method("remove", (by_mut::<Set>(), value::<usize>()), into::<bool>(), move |(set, x)| {
            with(m, || set.remove(&x))
        })
        .method("contains", (by_ref::<Set>(), value::<usize>()), into::<bool>(), move |(set, x)| {
            with(m, || set.contains(&x))
        })
        .method("first", (by_ref::<Set>(),), optional(into::<usize>()), move |(set,)| {
            with(m, || set.first().copied())
        })
        .method("last", (by_ref::<Set>(),), optional(into::<usize>()), move |(set,)| {
            with(m, || set.last().copied())
        })
        .method("floor", (by_ref::<Set>(), value::<usize>()), optional(into::<usize>()), move |(set, x)| {
            with(m, || set.floor(&x).copied())
        })
        .method("ceiling", (by_ref::<Set>(), value::<usize>()), optional(into::<usize>()), move |(set, x)| {
            with(m, || set.ceiling(&x).copied())
        })
        .method("pop_first", (by_mut::<Set>(),), optional(into::<usize>()), move |(set,)| {
            with(m, || set.pop_first())
        })
        .method("iter", (by_ref::<Set>(),), seen(), move |(set,)| {
            with(m, || set.iter().copied().collect::<Vec<_>>())
        })
        .method("len", (by_ref::<Set>(),), into::<usize>(), move |(set,)| with(m, || set.len()))
        .method("is_empty", (by_ref::<Set>(),), into::<bool>(), move |(set,)| with(m, || set.is_empty()))
        .method("clear", (by_mut::<Set>(),), nothing(), move |(set,)| with(m, || set.clear()))
}
