//! The calls of lists, queues and sets.

use super::Style;
use crate::{ArrayList, Deque, HashSet, LinkedHashSet, LinkedList, PriorityQueue, Stack, TreeSet, Vector};
use smallscope_sequences::{Builder, by_mut, by_ref, fallible, into, nothing, optional, seen, value};

/// Two methods panic if their arguments are out of range, as documented. Their calls check the arguments first.
#[derive(Debug)]
struct NotThere;

pub(crate) fn array_list<S: Style>(s: S, pools: Builder) -> Builder {
    type List = ArrayList<usize>;
    let builder = calls!(s, pools.function("ArrayList::new", (), into(), move |()| s.call(List::new)), List;
        by_mut add(list, x: value<usize>) -> nothing(), list.add(x);
        by_mut insert(list, i: value<usize>, x: value<usize>) -> fallible(nothing()), list.insert(i, x);
        by_mut set(list, i: value<usize>, x: value<usize>) -> fallible(S::keep::<usize>()), list.set(i, x);
        by_mut remove_at(list, i: value<usize>) -> fallible(S::keep::<usize>()), list.remove_at(i);
    );
    let builder = builder
        .method(
            "remove_range",
            (by_mut::<List>(), value::<usize>(), value::<usize>()),
            fallible(nothing()),
            move |(list, from, to)| {
                let is_there = from <= to && to <= list.len();
                is_there.then(|| s.call(|| list.remove_range(from, to))).ok_or(NotThere)
            },
        )
        .written("({1} <= {2} && {2} <= {0}.len()).then(|| {0}.remove_range({1}, {2})).ok_or(())");
    calls!(s, builder, List;
        by_mut remove(list, x: by_ref<usize>) -> S::keep::<bool>(), list.remove(x);
        by_ref get(list, i: value<usize>) -> optional(S::keep::<usize>()), list.get(i).copied();
        by_ref contains(list, x: by_ref<usize>) -> S::keep::<bool>(), list.contains(x);
        by_ref index_of(list, x: by_ref<usize>) -> optional(S::keep::<usize>()), list.index_of(x);
        by_ref last_index_of(list, x: by_ref<usize>) -> optional(S::keep::<usize>()), list.last_index_of(x);
        by_mut ensure_capacity(list, n: value<usize>) -> nothing(), list.ensure_capacity(n);
        by_mut trim_to_size(list) -> nothing(), list.trim_to_size();
        by_ref capacity(list) -> S::keep::<usize>(), list.capacity();
        by_ref iter(list) -> seen(), list.iter().copied().collect::<Vec<_>>();
        by_ref len(list) -> S::keep::<usize>(), list.len();
        by_ref is_empty(list) -> S::keep::<bool>(), list.is_empty();
        by_mut clear(list) -> nothing(), list.clear();
    )
}

pub(crate) fn linked_list<S: Style>(s: S, pools: Builder) -> Builder {
    type List = LinkedList<usize>;
    calls!(s, pools.function("LinkedList::new", (), into(), move |()| s.call(List::new)), List;
        by_mut add_first(list, x: value<usize>) -> nothing(), list.add_first(x);
        by_mut add_last(list, x: value<usize>) -> nothing(), list.add_last(x);
        by_mut insert(list, i: value<usize>, x: value<usize>) -> fallible(nothing()), list.insert(i, x);
        by_mut set(list, i: value<usize>, x: value<usize>) -> fallible(S::keep::<usize>()), list.set(i, x);
        by_mut remove_at(list, i: value<usize>) -> fallible(S::keep::<usize>()), list.remove_at(i);
        by_mut remove(list, x: by_ref<usize>) -> S::keep::<bool>(), list.remove(x);
        by_mut pop_first(list) -> optional(S::keep::<usize>()), list.pop_first();
        by_mut pop_last(list) -> optional(S::keep::<usize>()), list.pop_last();
        by_ref get(list, i: value<usize>) -> optional(S::keep::<usize>()), list.get(i);
        by_ref first(list) -> optional(S::keep::<usize>()), list.first();
        by_ref last(list) -> optional(S::keep::<usize>()), list.last();
        by_ref contains(list, x: by_ref<usize>) -> S::keep::<bool>(), list.contains(x);
        by_ref index_of(list, x: by_ref<usize>) -> optional(S::keep::<usize>()), list.index_of(x);
        by_ref to_vec(list) -> seen(), list.to_vec();
        by_ref len(list) -> S::keep::<usize>(), list.len();
        by_ref is_empty(list) -> S::keep::<bool>(), list.is_empty();
        by_mut clear(list) -> nothing(), list.clear();
    )
}

pub(crate) fn deque<S: Style>(s: S, pools: Builder) -> Builder {
    type Queue = Deque<usize>;
    let builder = calls!(s, pools.function("Deque::new", (), into(), move |()| s.call(Queue::new)), Queue;
        by_mut push_front(queue, x: value<usize>) -> nothing(), queue.push_front(x);
        by_mut push_back(queue, x: value<usize>) -> nothing(), queue.push_back(x);
        by_mut pop_front(queue) -> optional(S::keep::<usize>()), queue.pop_front();
        by_mut pop_back(queue) -> optional(S::keep::<usize>()), queue.pop_back();
        by_mut set(queue, i: value<usize>, x: value<usize>) -> fallible(S::keep::<usize>()), queue.set(i, x);
        by_ref get(queue, i: value<usize>) -> optional(S::keep::<usize>()), queue.get(i).copied();
        by_ref front(queue) -> optional(S::keep::<usize>()), queue.front().copied();
        by_ref back(queue) -> optional(S::keep::<usize>()), queue.back().copied();
        by_ref contains(queue, x: by_ref<usize>) -> S::keep::<bool>(), queue.contains(x);
    );
    let builder = builder
        .method(
            "rotate_left",
            (by_mut::<Queue>(), value::<usize>()),
            fallible(nothing()),
            move |(queue, n)| (n <= queue.len()).then(|| s.call(|| queue.rotate_left(n))).ok_or(NotThere),
        )
        .written("({1} <= {0}.len()).then(|| {0}.rotate_left({1})).ok_or(())");
    calls!(s, builder, Queue;
        by_ref iter(queue) -> seen(), queue.iter().copied().collect::<Vec<_>>();
        by_ref capacity(queue) -> S::keep::<usize>(), queue.capacity();
        by_ref len(queue) -> S::keep::<usize>(), queue.len();
        by_ref is_empty(queue) -> S::keep::<bool>(), queue.is_empty();
        by_mut clear(queue) -> nothing(), queue.clear();
    )
}

pub(crate) fn priority_queue<S: Style>(s: S, pools: Builder) -> Builder {
    type Queue = PriorityQueue<usize>;
    calls!(s, pools.function("PriorityQueue::new", (), into(), move |()| s.call(Queue::new)), Queue;
        by_mut add(queue, x: value<usize>) -> nothing(), queue.add(x);
        by_mut poll(queue) -> optional(S::keep::<usize>()), queue.poll();
        by_ref peek(queue) -> optional(S::keep::<usize>()), queue.peek().copied();
        by_ref contains(queue, x: by_ref<usize>) -> S::keep::<bool>(), queue.contains(x);
        by_mut remove(queue, x: by_ref<usize>) -> S::keep::<bool>(), queue.remove(x);
        by_mut add_and_poll(queue, x: value<usize>) -> S::keep::<usize>(), queue.add_and_poll(x);
        by_ref iter(queue) -> seen(), queue.iter().copied().collect::<Vec<_>>();
        by_ref len(queue) -> S::keep::<usize>(), queue.len();
        by_ref is_empty(queue) -> S::keep::<bool>(), queue.is_empty();
        by_mut clear(queue) -> nothing(), queue.clear();
    )
}

pub(crate) fn stack<S: Style>(s: S, pools: Builder) -> Builder {
    type Items = Stack<usize>;
    calls!(s, pools.function("Stack::new", (), into(), move |()| s.call(Items::new)), Items;
        by_mut push(stack, x: value<usize>) -> nothing(), stack.push(x);
        by_mut pop(stack) -> fallible(S::keep::<usize>()), stack.pop();
        by_ref peek(stack) -> fallible(S::keep::<usize>()), stack.peek().copied();
        by_ref search(stack, x: by_ref<usize>) -> optional(S::keep::<usize>()), stack.search(x);
        by_ref iter(stack) -> seen(), stack.iter().copied().collect::<Vec<_>>();
        by_ref len(stack) -> S::keep::<usize>(), stack.len();
        by_ref is_empty(stack) -> S::keep::<bool>(), stack.is_empty();
        by_mut clear(stack) -> nothing(), stack.clear();
    )
}

pub(crate) fn hash_set<S: Style>(s: S, pools: Builder) -> Builder {
    type Set = HashSet<usize>;
    let builder = calls!(s, pools.function("HashSet::new", (), into(), move |()| s.call(Set::new)), Set;
        by_mut insert(set, x: value<usize>) -> S::keep::<bool>(), set.insert(x);
        by_mut remove(set, x: by_ref<usize>) -> S::keep::<bool>(), set.remove(x);
        by_ref contains(set, x: by_ref<usize>) -> S::keep::<bool>(), set.contains(x);
        by_mut retain(set, x: value<usize>) -> nothing(), set.retain(|other| *other != x);
    );
    calls!(s, builder.written("{0}.retain(|other| *other != {1})"), Set;
        by_ref iter(set) -> seen(), set.iter().copied().collect::<Vec<_>>();
        by_ref len(set) -> S::keep::<usize>(), set.len();
        by_ref is_empty(set) -> S::keep::<bool>(), set.is_empty();
        by_mut clear(set) -> nothing(), set.clear();
    )
}

pub(crate) fn tree_set<S: Style>(s: S, pools: Builder) -> Builder {
    type Set = TreeSet<usize>;
    calls!(s, pools.function("TreeSet::new", (), into(), move |()| s.call(Set::new)), Set;
        by_mut insert(set, x: value<usize>) -> S::keep::<bool>(), set.insert(x);
        by_mut remove(set, x: by_ref<usize>) -> S::keep::<bool>(), set.remove(x);
        by_ref contains(set, x: by_ref<usize>) -> S::keep::<bool>(), set.contains(x);
        by_ref first(set) -> optional(S::keep::<usize>()), set.first().copied();
        by_ref last(set) -> optional(S::keep::<usize>()), set.last().copied();
        by_ref floor(set, x: by_ref<usize>) -> optional(S::keep::<usize>()), set.floor(x).copied();
        by_ref ceiling(set, x: by_ref<usize>) -> optional(S::keep::<usize>()), set.ceiling(x).copied();
        by_mut pop_first(set) -> optional(S::keep::<usize>()), set.pop_first();
        by_ref iter(set) -> seen(), set.iter().copied().collect::<Vec<_>>();
        by_ref len(set) -> S::keep::<usize>(), set.len();
        by_ref is_empty(set) -> S::keep::<bool>(), set.is_empty();
        by_mut clear(set) -> nothing(), set.clear();
    )
}

pub(crate) fn linked_hash_set<S: Style>(s: S, pools: Builder) -> Builder {
    type Set = LinkedHashSet<usize>;
    calls!(s, pools.function("LinkedHashSet::new", (), into(), move |()| s.call(Set::new)), Set;
        by_mut insert(set, x: value<usize>) -> S::keep::<bool>(), set.insert(x);
        by_mut remove(set, x: by_ref<usize>) -> S::keep::<bool>(), set.remove(x);
        by_ref contains(set, x: by_ref<usize>) -> S::keep::<bool>(), set.contains(x);
        by_ref iter(set) -> seen(), set.iter().copied().collect::<Vec<_>>();
        by_ref len(set) -> S::keep::<usize>(), set.len();
        by_ref is_empty(set) -> S::keep::<bool>(), set.is_empty();
        by_mut clear(set) -> nothing(), set.clear();
    )
}

/// A size from the pools would make it as large as any result.
const MAX_SIZE: usize = 4096;

pub(crate) fn vector<S: Style>(s: S, pools: Builder) -> Builder {
    type List = Vector<usize>;
    let new = pools.function("Vector::with_increment", (value::<usize>(),), into(), move |(n,): (usize,)| {
        s.call(|| List::with_increment(n.min(2)))
    });
    calls!(s, new.written("Vector::with_increment({0}.min(2))"), List;
        by_mut add_element(list, x: value<usize>) -> nothing(), list.add_element(x);
        by_mut insert_element_at(list, x: value<usize>, i: value<usize>) -> fallible(nothing()), list.insert_element_at(x, i);
        by_mut set_element_at(list, x: value<usize>, i: value<usize>) -> fallible(S::keep::<usize>()), list.set_element_at(x, i);
        by_mut remove_element_at(list, i: value<usize>) -> fallible(S::keep::<usize>()), list.remove_element_at(i);
        by_mut remove_element(list, x: by_ref<usize>) -> S::keep::<bool>(), list.remove_element(x);
        by_mut remove_all_elements(list) -> nothing(), list.remove_all_elements();
        by_mut set_size(list, n: value<usize>) -> nothing(), list.set_size(n.min(MAX_SIZE));
        by_ref element_at(list, i: value<usize>) -> fallible(S::keep::<usize>()), list.element_at(i).copied();
        by_ref first_element(list) -> optional(S::keep::<usize>()), list.first_element().copied();
        by_ref last_element(list) -> optional(S::keep::<usize>()), list.last_element().copied();
        by_ref contains(list, x: by_ref<usize>) -> S::keep::<bool>(), list.contains(x);
        by_ref index_of(list, x: by_ref<usize>, i: value<usize>) -> optional(S::keep::<usize>()), list.index_of(x, i);
        by_ref last_index_of(list, x: by_ref<usize>, i: value<usize>) -> fallible(optional(S::keep::<usize>())), list.last_index_of(x, i);
        by_mut ensure_capacity(list, n: value<usize>) -> nothing(), list.ensure_capacity(n.min(MAX_SIZE));
        by_mut trim_to_size(list) -> nothing(), list.trim_to_size();
        by_ref capacity(list) -> S::keep::<usize>(), list.capacity();
        by_ref iter(list) -> seen(), list.iter().copied().collect::<Vec<_>>();
        by_ref len(list) -> S::keep::<usize>(), list.len();
        by_ref is_empty(list) -> S::keep::<bool>(), list.is_empty();
    )
}
