//! Queues next to `VecDeque` and `BinaryHeap`.

use super::{Trail, calls_in_all, every_sequence, panics};
use smallscope_containers::{Deque, OutOfBounds, PriorityQueue};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

#[derive(Clone, Debug)]
enum Call {
    Add(u8),
    AddFront(u8),
    AddAndPoll(u8),
    Set(usize, u8),
    Remove(u8),
    PopFront,
    PopBack,
    Rotate(usize),
    Clear,
}

use Call::*;

#[test]
fn deque() {
    let calls = [
        Add(0),
        Add(1),
        AddFront(0),
        AddFront(1),
        Set(0, 1),
        Set(2, 0),
        PopFront,
        PopBack,
        Rotate(1),
        Rotate(2),
        Clear,
    ];
    type State = (Deque<u8>, VecDeque<u8>);
    let step = |(deque, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Add(item) => trail.same(deque.push_back(item), model.push_back(item)),
            AddFront(item) => trail.same(deque.push_front(item), model.push_front(item)),
            Set(index, item) => {
                let error = OutOfBounds { index, len: model.len() };
                let old = model.get_mut(index).map(|old| std::mem::replace(old, item)).ok_or(error);
                trail.same(deque.set(index, item), old);
            }
            PopFront => trail.same(deque.pop_front(), model.pop_front()),
            PopBack => trail.same(deque.pop_back(), model.pop_back()),
            Rotate(count) if count <= model.len() => {
                trail.same(deque.rotate_left(count), model.rotate_left(count));
            }
            // Panics; `rotations_by_too_many` tests that.
            Rotate(_) => {}
            _ => trail.same(deque.clear(), model.clear()),
        }
        trail.same(deque.iter().copied().collect::<VecDeque<u8>>(), model.clone());
        trail.same((deque.len(), deque.is_empty()), (model.len(), model.is_empty()));
        trail.same((deque.front(), deque.back()), (model.front(), model.back()));
        (0..=model.len()).for_each(|index| trail.same(deque.get(index), model.get(index)));
        (0..3).for_each(|item| trail.same(deque.contains(&item), model.contains(&item)));
        trail.holds(deque.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn rotations_by_too_many() {
    let mut deque = Deque::new();
    assert!(panics(|| deque.rotate_left(1)));
    deque.push_back(1);
    assert!(panics(|| deque.rotate_left(2)));
    assert_eq!(deque.front(), Some(&1));
}

#[test]
fn priority_queue() {
    let calls =
        [Add(0), Add(1), Add(2), Add(3), AddAndPoll(2), Remove(0), Remove(2), Remove(3), PopFront, Clear];
    type State = (PriorityQueue<u8>, BinaryHeap<Reverse<u8>>);
    let step = |(queue, model): &mut State, call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Add(item) => trail.same(queue.add(item), model.push(Reverse(item))),
            AddAndPoll(item) => {
                model.push(Reverse(item));
                trail.same(Some(queue.add_and_poll(item)), model.pop().map(|item| item.0));
            }
            Remove(item) => {
                let mut items = std::mem::take(model).into_vec();
                let place = items.iter().position(|other| other.0 == item);
                trail.same(queue.remove(&item), place.map(|place| items.remove(place)).is_some());
                *model = items.into();
            }
            PopFront => trail.same(queue.poll(), model.pop().map(|item| item.0)),
            _ => trail.same(queue.clear(), model.clear()),
        }
        let sorted = |mut items: Vec<u8>| {
            items.sort_unstable();
            items
        };
        let items = sorted(queue.iter().copied().collect());
        trail.same(&items, &sorted(model.iter().map(|item| item.0).collect()));
        trail.same((queue.len(), queue.is_empty()), (model.len(), model.is_empty()));
        trail.same(queue.peek(), model.peek().map(|item| &item.0));
        (0..4).for_each(|item| trail.same(queue.contains(&item), items.contains(&item)));
        trail.holds(queue.rep_ok());
    };
    let count = every_sequence(&State::default(), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}
