//! The operations by name, each with its test.

use crate::arena::Shape;
use crate::{avl, caching_list, heap, list, red_black, ring, search_tree};
use smallscope::__private::{Check, Kept, TestSite, run_test};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, mutation};
use smallscope_catalogue::avl_list::AvlList;
use smallscope_catalogue::avl_tree::AvlTree;
use smallscope_catalogue::binomial_heap::BinomialHeap;
use smallscope_catalogue::binomial_heap_pair::BinomialHeapPair;
use smallscope_catalogue::binomial_heap_value::BinomialHeapValue;
use smallscope_catalogue::list_as_set::ListAsSet;
use smallscope_catalogue::node_caching_linked_list::NodeCachingLinkedList;
use smallscope_catalogue::red_black_tree_key::RedBlackTreeKey;
use smallscope_catalogue::registry::{CountError, Open};
use smallscope_catalogue::ring::Ring;
use smallscope_catalogue::search_tree_value::SearchTreeValue;
use std::fmt::Debug;

/// An operation of a structure.
pub struct Operation {
    /// The structure's name in the catalogue.
    pub structure: &'static str,
    /// The operation's name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub does: &'static str,
    /// Mutants that do the same as the original in this operation, though not in others, and why.
    pub same: &'static [(&'static str, &'static str)],
    /// Arguments of the structure with which every mutant is killed that is not marked as equivalent.
    pub largest: &'static [i64],
    /// A search for its values.
    pub open: Open,
    /// Visits all values within bounds in the order of the search, and returns how many there are. The second argument of
    /// `visit` runs the test of the operation on the value, and panics if it fails.
    pub each: fn(&Bounds, Options, Visit<'_>) -> Result<u64, CountError>,
    /// Runs the test of the operation on all values within bounds, or performs what the tool asks for in the environment of
    /// the process. Panics if the test fails.
    pub test: fn(&Bounds),
}

/// What is done with each value: its number, from 1, and the test on it. Whether there is to be a next one.
pub type Visit<'a> = &'a mut dyn FnMut(u64, &dyn Fn()) -> bool;

/// Compares what the active mutant does with what the original does.
///
/// # Panics
///
/// If the results or the structures that are left differ.
fn compare<S: Clone, R: PartialEq + Debug>(state: S, run: impl Fn(&mut S) -> R, shape: impl Fn(&S) -> Shape) {
    let (mut own, mut other) = (state.clone(), state);
    let result = run(&mut own);
    let expected = mutation::original(|| run(&mut other));
    assert_eq!(result, expected, "the result differs");
    assert_eq!(shape(&own).numbers(), shape(&other).numbers(), "the structure that is left differs");
}

fn each<T: Bounded>(
    bounds: &Bounds,
    options: Options,
    case: fn(&T),
    visit: Visit<'_>,
) -> Result<u64, CountError> {
    let mut search = Search::<T>::new(bounds, options).map_err(CountError::Bounds)?;
    let mut number = 0;
    while let Some(value) = search.next_value() {
        let value = value.map_err(CountError::Invariant)?;
        number += 1;
        if !visit(number, &|| case(&value)) {
            break;
        }
    }
    Ok(number)
}

fn test<T: Bounded + Debug>(site: &TestSite, bounds: &Bounds, case: fn(&mut Kept<T>)) {
    let check = Check::new(site.function, bounds.clone()).edges(false);
    run_test::<T, Kept<T>, ()>(site, check, case, |value| vec![("input", Some(format!("{value:#?}")))]);
}

const AVL_INSERT: [(&str, &str); 4] = [
    ("avl::Tree::rotate_left::del::2dd888", "after an insertion, the node that rises keeps its height"),
    ("avl::Tree::rotate_right::del::2dd888", "after an insertion, the node that rises keeps its height"),
    (
        "avl::Tree::balance::ror::e03bd3",
        "an insertion never makes both subtrees of the higher child equally high",
    ),
    (
        "avl::Tree::balance::ror::f6d663",
        "an insertion never makes both subtrees of the higher child equally high",
    ),
];

const HEAP_DELETE_MIN: [(&str, &str); 3] = [
    (
        "heap::Heap::merge_roots::ror::7884f6",
        "the children begin with a leaf, and of two leaves either may be first",
    ),
    ("heap::Heap::merge_roots::ror::5fcde1", "the children begin with degree 0, so no root is before them"),
    (
        "heap::Heap::merge_roots::ror::5fcde1.2",
        "the children have all degrees up to theirs, and a root of the same degree is taken first, so none is before them",
    ),
];

const HEAP_INSERT: [(&str, &str); 6] = [
    ("heap::Heap::merge_roots::del::e3c37c", "the new key is always there"),
    ("heap::Heap::merge_roots::ror::7884f6", "of two leaves either may be first"),
    ("heap::Heap::merge_roots::ror::5fcde1", "no degree is below that of the new leaf"),
    ("heap::Heap::merge_roots::ror::7884f6.2", "all other roots have a higher degree than the new leaf"),
    ("heap::Heap::merge_roots::ror::5fcde1.2", "all other roots have a higher degree than the new leaf"),
    ("heap::Heap::unite::ror::55186b", "an insertion never leads to three roots of the same degree"),
];

macro_rules! operations {
    ($($structure:literal $name:literal ($does:literal) on $type:ty, same $same:expr, largest $largest:expr, $case:expr;)*) => {
        /// Every operation, by structure.
        pub static OPERATIONS: &[Operation] = &[$(
            Operation {
                structure: $structure,
                name: $name,
                does: $does,
                same: &$same,
                largest: &$largest,
                open: |bounds, options| Ok(Search::<$type>::new(bounds, options)?.into_any()),
                each: |bounds, options, visit| each::<$type>(bounds, options, $case, visit),
                test: |bounds| {
                    static SITE: TestSite = TestSite {
                        module: concat!("catalogue::", $structure),
                        function: $name,
                        package: None,
                        directory: None,
                        is_ignored: false,
                        should_panic: false,
                        mark: "",
                    };
                    test::<$type>(&SITE, bounds, |input| {
                        let case: fn(&$type) = $case;
                        case(input.get())
                    });
                },
            }
        ),*];
    };
}

operations! {
    "avl-list" "add-all" ("inserts the elements of a list") on AvlList, same AVL_INSERT, largest [4, 0, 4, 5, 0, 4, 6], |input| {
        let elements: Vec<u32> = input.list().iter().collect();
        let insert = |tree: &mut avl::Tree| elements.iter().map(|key| tree.insert(*key)).collect::<Vec<_>>();
        compare(avl::Tree::of(input.tree()), insert, avl::Tree::shape);
    };
    "avl-tree" "insert" ("inserts each key") on AvlTree<u32>, same AVL_INSERT, largest [6, 0, 6, 8], |input| {
        for key in keys_around(&input.keys()) {
            compare(avl::Tree::of(input), |tree| tree.insert(key), avl::Tree::shape);
        }
    };
    "avl-tree" "remove" ("removes each key") on AvlTree<u32>, same [], largest [7, 0, 7, 7], |input| {
        for key in keys_around(&input.keys()) {
            compare(avl::Tree::of(input), |tree| tree.remove(key), avl::Tree::shape);
        }
    };
    "binomial-heap" "delete-min" ("removes the least key") on BinomialHeap, same HEAP_DELETE_MIN, largest [7], |input| {
        compare(heap::Heap::of(input), heap::Heap::extract_min, heap::Heap::shape);
    };
    "binomial-heap-pair" "merge" ("adds the keys of one heap to the other") on BinomialHeapPair, same [], largest [5], |input| {
        let mut heap = heap::Heap::of(input.first());
        let (other, size) = (heap.add(input.second()), input.second().len());
        compare(heap, |heap| heap.merge(other, size), heap::Heap::shape);
    };
    "binomial-heap-value" "insert" ("inserts the value") on BinomialHeapValue, same HEAP_INSERT, largest [7], |input| {
        compare(heap::Heap::of(input.heap()), |heap| heap.insert(input.value()), heap::Heap::shape);
    };
    "binomial-heap-value" "delete" ("deletes the value") on BinomialHeapValue, same HEAP_DELETE_MIN, largest [7], |input| {
        compare(heap::Heap::of(input.heap()), |heap| heap.delete(input.value()), heap::Heap::shape);
    };
    "binomial-heap-value" "find" ("looks the value up") on BinomialHeapValue, same [], largest [6], |input| {
        compare(heap::Heap::of(input.heap()), |heap| heap.find(input.value()), heap::Heap::shape);
    };
    "list-as-set" "list-to-set" ("makes a set of the list's elements") on ListAsSet, same [], largest [5, 5, 4], |input| {
        compare(list::ListAndSet::of(input.list(), input.set()), list::ListAndSet::list_to_set, list::ListAndSet::shape);
    };
    "node-caching-linked-list" "add" ("adds a value at each index") on NodeCachingLinkedList, same [], largest [8, 3, 4, 2], |input| {
        for index in 0..=input.len() + 1 {
            for value in [None, Some(1)] {
                compare(caching_list::List::of(input), |list| list.add(index, value), caching_list::List::shape);
            }
        }
    };
    "node-caching-linked-list" "remove" ("removes the value at each index") on NodeCachingLinkedList, same [], largest [8, 3, 4, 2], |input| {
        for index in 0..=input.len() + 1 {
            compare(caching_list::List::of(input), |list| list.remove(index), caching_list::List::shape);
        }
    };
    "red-black-tree-key" "insert" ("inserts the key") on RedBlackTreeKey, same [], largest [7, 0, 7, 8], |input| {
        compare(red_black::Tree::of(input.tree()), |tree| tree.insert(input.key()), red_black::Tree::shape);
    };
    "red-black-tree-key" "remove" ("removes the key") on RedBlackTreeKey, same [], largest [7, 0, 7, 7], |input| {
        compare(red_black::Tree::of(input.tree()), |tree| tree.remove(input.key()), red_black::Tree::shape);
    };
    "red-black-tree-key" "search" ("looks the key up") on RedBlackTreeKey, same [], largest [5, 0, 5, 5], |input| {
        compare(red_black::Tree::of(input.tree()), |tree| tree.key(tree.find(input.key())), red_black::Tree::shape);
    };
    "ring" "is-palindromic" ("reads the elements in both directions") on Ring, same [], largest [6, 0, 6, 6], |input| {
        compare(ring::Ring::of(input.iter()), |ring| ring.is_palindromic(), ring::Ring::shape);
    };
    "search-tree-value" "delete" ("deletes the value") on SearchTreeValue, same [], largest [5, 0, 5, 8], |input| {
        compare(search_tree::Tree::of(input.tree()), |tree| tree.delete(input.value()), search_tree::Tree::shape);
    };
    "search-tree-value" "insert" ("inserts the value") on SearchTreeValue, same [], largest [5, 0, 5, 8], |input| {
        compare(search_tree::Tree::of(input.tree()), |tree| tree.insert(input.value()), search_tree::Tree::shape);
    };
    "search-tree-value" "search" ("looks the value up") on SearchTreeValue, same [], largest [5, 0, 5, 8], |input| {
        compare(search_tree::Tree::of(input.tree()), |tree| tree.contains(input.value()), search_tree::Tree::shape);
    };
}

impl Operation {
    /// Why a mutant does the same as the original in this operation, if that is known.
    pub fn reason(&self, id: &str) -> Option<&'static str> {
        self.same.iter().find(|(same, _)| *same == id).map(|(_, reason)| *reason)
    }
}

/// The keys, and those next to them.
fn keys_around(keys: &[&u32]) -> impl Iterator<Item = u32> + use<> {
    0..=keys.last().map_or(0, |key| **key) + 1
}

/// The operation with a name.
pub fn operation(structure: &str, name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.structure == structure && operation.name == name)
}
