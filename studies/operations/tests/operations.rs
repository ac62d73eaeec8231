//! The originals are correct, every mutant is killed or marked, and mutants in one process die as in processes of their own.

use smallscope::search::Options;
use smallscope_catalogue::structure;
use smallscope_operations::arena::Shape;
use smallscope_operations::{
    OPERATIONS, Operation, Part, avl, caching_list, heap, list, red_black, ring, search_tree,
};
use smallscope_operations::{measure, operation, parts};
use std::collections::BTreeSet;

/// The numbers of a shape, read one by one.
struct Numbers<'a>(std::slice::Iter<'a, i64>);

impl Numbers<'_> {
    fn of(shape: &Shape) -> Numbers<'_> {
        Numbers(shape.numbers().iter())
    }

    fn next(&mut self) -> i64 {
        *self.0.next().expect("the shape is complete")
    }

    fn end(mut self) {
        assert_eq!(self.0.next(), None, "the shape is complete");
    }

    /// The keys of a tree in order. `check` gets what a node has besides its key, and what it returned for both children;
    /// an absent child has 0.
    fn tree(&mut self, has_more: bool, check: &mut dyn FnMut(i64, i64, i64) -> i64) -> (Vec<i64>, i64) {
        let key = self.next();
        if key == -1 {
            return (vec![], 0);
        }
        let more = if has_more { self.next() } else { 0 };
        let (mut keys, left) = self.tree(has_more, check);
        let (above, right) = self.tree(has_more, check);
        keys.push(key);
        keys.extend(above);
        (keys, check(more, left, right))
    }

    /// The keys of siblings with these degrees, none of which is less than `least`.
    fn siblings(&mut self, degrees: &mut dyn Iterator<Item = i64>, least: i64, keys: &mut Vec<i64>) {
        for degree in degrees {
            let key = self.next();
            assert!(key >= least);
            keys.push(key);
            assert_eq!(self.next(), degree * 2 + 1, "the degree, and a correct parent");
            self.siblings(&mut (0..degree).rev(), key, keys);
        }
        assert_eq!(self.next(), -1);
    }
}

fn keys_of_heap(shape: &Shape) -> Vec<i64> {
    let mut numbers = Numbers::of(shape);
    let (size, mut keys) = (numbers.next(), vec![]);
    numbers.siblings(&mut (0..8).filter(|bit| size >> bit & 1 == 1), 0, &mut keys);
    numbers.end();
    assert_eq!(keys.len() as i64, size);
    keys.sort_unstable();
    keys
}

fn sorted(keys: impl IntoIterator<Item = u32>) -> Vec<i64> {
    let mut keys: Vec<i64> = keys.into_iter().map(i64::from).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn heaps_stay_heaps_with_the_right_keys() {
    let bounds = smallscope_catalogue::binomial_heap::bounds(3);
    for pair in smallscope::all::<smallscope_catalogue::binomial_heap_pair::BinomialHeapPair>(&bounds) {
        let mut merged = heap::Heap::of(pair.first());
        let (other, size) = (merged.add(pair.second()), pair.second().len());
        merged.merge(other, size);
        let expected = sorted(pair.first().keys().into_iter().chain(pair.second().keys()));
        assert_eq!(keys_of_heap(&merged.shape()), expected);
    }
    let bounds = smallscope_catalogue::binomial_heap::bounds(5);
    for original in smallscope::all::<smallscope_catalogue::binomial_heap::BinomialHeap>(&bounds) {
        let mut heap = heap::Heap::of(&original);
        let mut expected = sorted(original.keys());
        let least = heap.extract_min().map(i64::from);
        assert_eq!(least, (!expected.is_empty()).then(|| expected.remove(0)));
        assert_eq!(keys_of_heap(&heap.shape()), expected);
        heap.insert(3);
        expected.push(3);
        expected.sort_unstable();
        assert_eq!(keys_of_heap(&heap.shape()), expected);
        for key in 0..=6 {
            let mut heap = heap::Heap::of(&original);
            let mut expected = sorted(original.keys());
            let place = expected.iter().position(|other| *other == i64::from(key));
            assert_eq!((heap.find(key), heap.delete(key)), (place.is_some(), place.is_some()));
            place.map(|place| expected.remove(place));
            assert_eq!(keys_of_heap(&heap.shape()), expected);
        }
    }
}

/// Compares what an operation has made of a set of keys with a set.
fn is_set(found: bool, was_there: bool, inserts: bool, keys: &[i64], mut expected: BTreeSet<i64>, key: u32) {
    assert_eq!(found, was_there != inserts);
    if inserts {
        expected.insert(key.into());
    } else {
        expected.remove(&key.into());
    }
    assert_eq!(keys, expected.into_iter().collect::<Vec<_>>());
}

#[test]
fn trees_stay_trees_with_the_right_keys() {
    let bounds = smallscope_catalogue::red_black_tree_key::bounds(5, 0, 5, 5);
    for input in smallscope::all::<smallscope_catalogue::red_black_tree_key::RedBlackTreeKey>(&bounds) {
        let before: BTreeSet<i64> = input.tree().keys().into_iter().map(|key| i64::from(*key)).collect();
        let was_there = before.contains(&input.key().into());
        for inserts in [true, false] {
            let mut tree = red_black::Tree::of(input.tree());
            assert_eq!(tree.key(tree.find(input.key())), was_there.then(|| input.key()));
            let found = if inserts { tree.insert(input.key()) } else { tree.remove(input.key()) };
            let shape = tree.shape();
            let mut numbers = Numbers::of(&shape);
            let size = numbers.next();
            assert_eq!(numbers.next(), 1, "the end is black");
            // Twice the black height, and one if the node is red.
            let (keys, _) = numbers.tree(true, &mut |more, left, right| {
                assert!(more & 1 == 1, "the parent is correct");
                assert_eq!(left / 2, right / 2, "as many black nodes on both sides");
                let is_red = more / 2;
                assert!(is_red == 0 || left % 2 == 0 && right % 2 == 0, "no red node below a red one");
                (left / 2 + 1 - is_red) * 2 + is_red
            });
            numbers.end();
            assert_eq!(keys.len() as i64, size);
            is_set(found, was_there, inserts, &keys, before.clone(), input.key());
        }
    }
    let bounds = smallscope_catalogue::avl_tree::bounds(4, 0, 4, 5);
    for input in smallscope::all::<smallscope_catalogue::avl_tree::AvlTree<u32>>(&bounds) {
        let before: BTreeSet<i64> = input.keys().into_iter().map(|key| i64::from(*key)).collect();
        for (inserts, key) in (0..14).map(|n| (n % 2 == 0, n / 2)) {
            let mut tree = avl::Tree::of(&input);
            let found = if inserts { tree.insert(key) } else { tree.remove(key) };
            let shape = tree.shape();
            let mut numbers = Numbers::of(&shape);
            let size = numbers.next();
            let (keys, _) = numbers.tree(true, &mut |height, left, right| {
                assert!((left - right).abs() <= 1 && height == left.max(right) + 1);
                height
            });
            numbers.end();
            assert_eq!(keys.len() as i64, size);
            is_set(found, before.contains(&key.into()), inserts, &keys, before.clone(), key);
        }
    }
    let bounds = smallscope_catalogue::search_tree_value::bounds(3, 0, 3, 4);
    for input in smallscope::all::<smallscope_catalogue::search_tree_value::SearchTreeValue>(&bounds) {
        let before: BTreeSet<i64> = input.tree().keys().into_iter().map(|key| i64::from(*key)).collect();
        let (key, was_there) = (input.value(), before.contains(&input.value().into()));
        for inserts in [true, false] {
            let mut tree = search_tree::Tree::of(input.tree());
            assert_eq!(tree.contains(key), was_there);
            let found = if inserts { tree.insert(key) } else { tree.delete(key) };
            let shape = tree.shape();
            let mut numbers = Numbers::of(&shape);
            let size = numbers.next();
            let (keys, _) = numbers.tree(false, &mut |_, _, _| 0);
            numbers.end();
            assert_eq!(keys.len() as i64, size);
            is_set(found, was_there, inserts, &keys, before.clone(), key);
        }
    }
}

#[test]
fn rings_are_read_in_both_directions() {
    let bounds = smallscope_catalogue::ring::bounds(4, 0, 4, 3);
    for input in smallscope::all::<smallscope_catalogue::ring::Ring>(&bounds) {
        let elements = input.elements();
        let ring = ring::Ring::of(elements.iter().copied());
        assert_eq!(ring.is_palindromic(), elements.iter().eq(elements.iter().rev()));
        let shown = elements.iter().map(|element| element.map_or(-1, i64::from));
        let expected: Vec<i64> = std::iter::once(elements.len() as i64).chain(shown).collect();
        assert_eq!(ring.shape().numbers(), expected);
    }
}

#[test]
fn lists_have_the_right_elements() {
    let bounds = smallscope_catalogue::list_as_set::bounds(3, 4, 3);
    for input in smallscope::all::<smallscope_catalogue::list_as_set::ListAsSet>(&bounds) {
        let mut made = list::ListAndSet::of(input.list(), input.set());
        let elements: Vec<i64> = input.list().iter().map(i64::from).collect();
        let set: BTreeSet<i64> = elements.iter().copied().collect();
        assert_eq!(made.list_to_set(), elements.len() - set.len());
        let of = |elements: Vec<i64>| [vec![elements.len() as i64, 0], elements, vec![-1]].concat();
        let expected = [of(elements), of(set.into_iter().collect())].concat();
        assert_eq!(made.shape().numbers(), expected);
    }
    let bounds = smallscope_catalogue::node_caching_linked_list::bounds(5, 2, 2, 2);
    for input in
        smallscope::all::<smallscope_catalogue::node_caching_linked_list::NodeCachingLinkedList>(&bounds)
    {
        let values: Vec<Option<u32>> = input.iter().collect();
        let cached: Vec<Option<u32>> = input.cached().collect();
        for (adds, index) in (0..2 * values.len() + 4).map(|n| (n % 2 == 0, n / 2)) {
            let (mut list, mut values, mut cached) =
                (caching_list::List::of(&input), values.clone(), cached.clone());
            if adds {
                assert_eq!(list.add(index, Some(7)), index <= values.len());
                if index <= values.len() {
                    values.insert(index, Some(7));
                    cached.drain(..cached.len().min(1));
                }
            } else {
                let expected = (index < values.len()).then(|| values.remove(index));
                assert_eq!(list.remove(index), expected);
                if expected.is_some() && cached.len() < input.max_cache_size() {
                    cached.insert(0, expected.flatten().or(Some(0)));
                }
            }
            // Twice the value, and one for a correct link to the node before.
            let node = |value: &Option<u32>| value.map_or(-1, i64::from) * 2 + 1;
            let sizes = [values.len(), cached.len(), input.max_cache_size()].map(|size| size as i64);
            let mut expected = [sizes.to_vec(), vec![node(&input.header_value())]].concat();
            expected.extend(values.iter().map(node));
            expected.extend(cached.iter().map(node));
            expected.push(-1);
            assert_eq!(list.shape().numbers(), expected);
        }
    }
}

/// How many mutants there are that are not marked, how many are marked, and the ids of those that survive.
fn survivors(operation: &Operation, args: &[i64], threads: usize) -> (usize, usize, Vec<String>) {
    let bounds = (structure(operation.structure).unwrap().bounds)(args);
    let all = parts(operation, &bounds, Options::default(), &[Part::All]).unwrap();
    let (values, mutants) = measure(operation, &bounds, Options::default(), &all, threads).unwrap();
    assert_eq!(values, all[0].len() as u64);
    let marked = mutants.iter().filter(|mutant| mutant.equivalent.is_some()).count();
    let survivors = mutants.iter().filter(|mutant| mutant.equivalent.is_none() && mutant.first[0].is_none());
    (mutants.len() - marked, marked, survivors.map(|mutant| mutant.known.id.clone()).collect())
}

#[test]
#[ignore = "takes a minute without optimisations; `.ci/run` runs it with them"]
fn every_mutant_is_killed_within_the_largest_bounds_or_marked() {
    for operation in OPERATIONS {
        let (unmarked, marked, survivors) = survivors(operation, operation.largest, 2);
        let name = format!("{} {}", operation.structure, operation.name);
        println!("{name} {:?}: {unmarked} mutants, and {marked} marked", operation.largest);
        assert_eq!(survivors, [""; 0], "{name}");
        let least = match name.as_str() {
            "binomial-heap-pair merge" | "binomial-heap delete-min" => 60,
            "red-black-tree-key insert" | "red-black-tree-key remove" => 60,
            "binomial-heap-value find" => 15,
            _ => 20,
        };
        assert!(unmarked >= least, "{name}: {unmarked}");
    }
}

#[test]
fn small_bounds_kill_most_mutants_and_threads_change_nothing() {
    let merge = operation("binomial-heap-pair", "merge").unwrap();
    let (unmarked, marked, one) = survivors(merge, &[3], 1);
    assert_eq!((unmarked, marked), (80, 3));
    assert!(one.len() < 10, "{one:?}");
    assert_eq!(survivors(merge, &[3], 3), (unmarked, marked, one));
}

#[test]
fn marks_name_mutants_that_there_are() {
    for operation in OPERATIONS.iter().filter(|operation| !operation.same.is_empty()) {
        // Large enough to register every item.
        let args: Vec<i64> = operation.largest.iter().map(|number| *number.min(&3)).collect();
        survivors(operation, &args, 1);
        let known = smallscope::mutation::mutants();
        for (id, reason) in operation.same {
            assert!(known.iter().any(|known| known.id == *id), "{id}");
            assert!(!reason.is_empty());
        }
    }
}
