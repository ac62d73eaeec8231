//! Lists next to `Vec`, the stack too.

use super::{Trail, calls_in_all, every_sequence, panics};
use smallscope_containers::{ArrayList, EmptyStack, LinkedList, OutOfBounds, Stack};

#[derive(Clone, Debug)]
enum Call {
    Add(u8),
    AddFirst(u8),
    Insert(usize, u8),
    Set(usize, u8),
    RemoveAt(usize),
    Remove(u8),
    RemoveRange(usize, usize),
    PopFirst,
    PopLast,
    Trim,
    Clear,
}

use Call::*;

/// What `Vec` does, as our lists report it.
fn model_insert(model: &mut Vec<u8>, index: usize, item: u8) -> Result<(), OutOfBounds> {
    if index > model.len() {
        return Err(OutOfBounds { index, len: model.len() });
    }
    model.insert(index, item);
    Ok(())
}

fn model_set(model: &mut [u8], index: usize, item: u8) -> Result<u8, OutOfBounds> {
    let error = OutOfBounds { index, len: model.len() };
    model.get_mut(index).map(|old| std::mem::replace(old, item)).ok_or(error)
}

fn model_remove_at(model: &mut Vec<u8>, index: usize) -> Result<u8, OutOfBounds> {
    if index >= model.len() {
        return Err(OutOfBounds { index, len: model.len() });
    }
    Ok(model.remove(index))
}

fn model_remove(model: &mut Vec<u8>, item: u8) -> bool {
    model.iter().position(|other| *other == item).map(|index| model.remove(index)).is_some()
}

#[test]
fn array_list() {
    let calls = [
        Add(0),
        Add(1),
        Insert(0, 1),
        Insert(1, 0),
        Insert(3, 1),
        Set(0, 0),
        Set(2, 1),
        RemoveAt(0),
        RemoveAt(1),
        Remove(1),
        RemoveRange(0, 2),
        RemoveRange(1, 1),
        Trim,
        Clear,
    ];
    let step = |(list, model): &mut (ArrayList<u8>, Vec<u8>), call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Add(item) => trail.same(list.add(item), model.push(item)),
            Insert(index, item) => trail.same(list.insert(index, item), model_insert(model, index, item)),
            Set(index, item) => trail.same(list.set(index, item), model_set(model, index, item)),
            RemoveAt(index) => trail.same(list.remove_at(index), model_remove_at(model, index)),
            Remove(item) => trail.same(list.remove(&item), model_remove(model, item)),
            RemoveRange(from, to) if to <= model.len() => {
                list.remove_range(from, to);
                model.drain(from..to);
            }
            // Panics; `ranges_that_are_not_there` tests that.
            RemoveRange(..) => {}
            Trim => {
                list.trim_to_size();
                trail.same(list.capacity(), model.len());
            }
            Clear => trail.same(list.clear(), model.clear()),
            AddFirst(_) | PopFirst | PopLast => unreachable!("not a method of array lists"),
        }
        trail.same(list.iter().copied().collect(), model.clone());
        trail.same((list.len(), list.is_empty()), (model.len(), model.is_empty()));
        for item in 0..2 {
            trail.same(list.contains(&item), model.contains(&item));
            trail.same(list.index_of(&item), model.iter().position(|other| *other == item));
            trail.same(list.last_index_of(&item), model.iter().rposition(|other| *other == item));
        }
        (0..=model.len()).for_each(|index| trail.same(list.get(index), model.get(index)));
        trail.holds(list.rep_ok());
    };
    let count = every_sequence(&(ArrayList::new(), vec![]), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn ranges_that_are_not_there() {
    let mut list = ArrayList::new();
    list.add(1);
    list.add(2);
    let before = list.clone();
    for (from, to) in [(0, 3), (2, 1), (3, 3)] {
        assert!(panics(|| list.remove_range(from, to)), "{from}..{to}");
        assert!(list == before && list.rep_ok());
    }
    list.remove_range(2, 2);
    assert_eq!(list, before);
}

#[test]
fn linked_list() {
    let calls = [
        Add(0),
        Add(1),
        AddFirst(0),
        AddFirst(1),
        Insert(1, 1),
        Insert(2, 0),
        Set(1, 0),
        RemoveAt(0),
        RemoveAt(1),
        RemoveAt(2),
        Remove(1),
        PopFirst,
        PopLast,
        Clear,
    ];
    let step = |(list, model): &mut (LinkedList<u8>, Vec<u8>), call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Add(item) => trail.same(list.add_last(item), model.push(item)),
            AddFirst(item) => trail.same(list.add_first(item), model.insert(0, item)),
            Insert(index, item) => trail.same(list.insert(index, item), model_insert(model, index, item)),
            Set(index, item) => trail.same(list.set(index, item), model_set(model, index, item)),
            RemoveAt(index) => trail.same(list.remove_at(index), model_remove_at(model, index)),
            Remove(item) => trail.same(list.remove(&item), model_remove(model, item)),
            PopFirst => trail.same(list.pop_first(), model_remove_at(model, 0).ok()),
            PopLast => trail.same(list.pop_last(), model.pop()),
            Clear => trail.same(list.clear(), model.clear()),
            RemoveRange(..) | Trim => unreachable!("not a method of linked lists"),
        }
        trail.same(list.to_vec(), model.clone());
        trail.same((list.len(), list.is_empty()), (model.len(), model.is_empty()));
        trail.same((list.first(), list.last()), (model.first().copied(), model.last().copied()));
        for item in 0..2 {
            trail.same(list.contains(&item), model.contains(&item));
            trail.same(list.index_of(&item), model.iter().position(|other| *other == item));
        }
        (0..=model.len()).for_each(|index| trail.same(list.get(index), model.get(index).copied()));
        trail.holds(list.rep_ok());
    };
    let count = every_sequence(&(LinkedList::new(), vec![]), &calls, 5, &step);
    assert_eq!(count, calls_in_all(calls.len(), 5));
}

#[test]
fn a_long_list_is_dropped_node_by_node() {
    let mut list = LinkedList::new();
    (0..1_000_000).for_each(|i| list.add_last(i));
    assert_eq!((list.len(), list.last()), (1_000_000, Some(999_999)));
}

#[test]
fn stack() {
    let calls = [Add(0), Add(1), Add(2), PopLast, Clear];
    let step = |(stack, model): &mut (Stack<u8>, Vec<u8>), call: &Call, trail: &Trail<'_, Call>| {
        match *call {
            Add(item) => trail.same(stack.push(item), model.push(item)),
            PopLast => trail.same(stack.pop(), model.pop().ok_or(EmptyStack)),
            _ => trail.same(stack.clear(), model.clear()),
        }
        trail.same(stack.iter().copied().collect::<Vec<_>>(), model.iter().rev().copied().collect());
        trail.same(stack.peek(), model.last().ok_or(EmptyStack));
        trail.same((stack.len(), stack.is_empty()), (model.len(), model.is_empty()));
        for item in 0..3 {
            trail.same(
                stack.search(&item),
                model.iter().rev().position(|other| *other == item).map(|i| i + 1),
            );
        }
        trail.holds(stack.rep_ok());
    };
    let count = every_sequence(&(Stack::new(), vec![]), &calls, 7, &step);
    assert_eq!(count, calls_in_all(calls.len(), 7));
}
