//! Values that are lent are those that are given away, in the same order.

use smallscope::search::{Found, Hold, Kept, Options, Search};
use smallscope::{Bounded, Engine};
use smallscope_catalogue::registry::counts;
use smallscope_catalogue::structure;
use std::fmt::Debug;
use std::ops::ControlFlow;

/// Compares the texts and candidates of the values of a structure, within the largest bounds that are fast.
fn compare<T: Bounded + Debug>(name: &str) {
    let rows = counts();
    let row =
        rows.iter().filter(|row| row.structure == name && row.explored <= 20_000).max_by_key(|row| row.valid);
    let row = row.unwrap_or_else(|| panic!("{name}: no such row"));
    let bounds = (structure(name).expect("the catalogue has it").bounds)(&row.args);
    for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
        let search = || Search::<T>::new(&bounds, Options { engine, ..Options::default() });
        let (Ok(mut search), Ok(mut reader)) = (search(), search()) else {
            panic!("{name}: the bounds are wrong")
        };
        let (mut place, mut values) = (Kept::<T>::default(), 0);
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{name}: {e}"))
            == Found::Valid
        {
            values += 1;
            // A candidate in which boxes alias is no value.
            let Ok(owned) = search.value() else { continue };
            search.hand(&mut place).unwrap_or_else(|e| panic!("{name}: {e}"));
            let text = format!("{owned:?}");
            // Addresses differ.
            if !text.contains("0x") {
                assert_eq!(format!("{:?}", place.get()), text, "{name}");
            }
            assert_eq!(reader.candidate_of(place.get()), Ok(search.candidate()), "{name}: {text}");
            place.done();
        }
        assert!(values > 0, "{name}");
    }
}

macro_rules! structures {
    ($($test:ident $name:literal: $type:ty;)*) => { $(
        #[test]
        fn $test() {
            compare::<$type>($name);
        }
    )* };
}

structures! {
    avl_list "avl-list": smallscope_catalogue::avl_list::AvlList;
    avl_tree "avl-tree": smallscope_catalogue::avl_tree::AvlTree<u8>;
    binary_tree "binary-tree": smallscope_catalogue::binary_tree::BinaryTree;
    binomial_heap "binomial-heap": smallscope_catalogue::binomial_heap::BinomialHeap;
    binomial_heap_pair "binomial-heap-pair": smallscope_catalogue::binomial_heap_pair::BinomialHeapPair;
    binomial_heap_value "binomial-heap-value": smallscope_catalogue::binomial_heap_value::BinomialHeapValue;
    dag "dag": smallscope_catalogue::dag::Dag;
    digraph "digraph": smallscope_catalogue::digraph::Digraph<()>;
    disj_set "disj-set": smallscope_catalogue::disj_set::DisjSet;
    doubly_linked_list "doubly-linked-list": smallscope_catalogue::doubly_linked_list::DoublyLinkedList;
    fibonacci_heap "fibonacci-heap": smallscope_catalogue::fibonacci_heap::FibonacciHeap;
    heap_array "heap-array": smallscope_catalogue::heap_array::HeapArray<u8>;
    int_list "int-list": smallscope_catalogue::int_list::IntListInput;
    list_as_set "list-as-set": smallscope_catalogue::list_as_set::ListAsSet;
    node_cache "node-cache": smallscope_catalogue::node_caching_parts::NodeCache;
    node_caching_linked_list "node-caching-linked-list":
        smallscope_catalogue::node_caching_linked_list::NodeCachingLinkedList;
    node_caching_list "node-caching-list": smallscope_catalogue::node_caching_parts::CachingList;
    red_black_tree "red-black-tree": smallscope_catalogue::red_black_tree::RedBlackTree<u8>;
    red_black_tree_key "red-black-tree-key": smallscope_catalogue::red_black_tree_key::RedBlackTreeKey;
    ring "ring": smallscope_catalogue::ring::Ring;
    search_tree "search-tree": smallscope_catalogue::search_tree::SearchTree<u8>;
    search_tree_value "search-tree-value": smallscope_catalogue::search_tree_value::SearchTreeValue;
    singly_linked_list "singly-linked-list": smallscope_catalogue::singly_linked_list::SinglyLinkedList;
    sorted_list "sorted-list": smallscope_catalogue::sorted_list::SortedList;
    weighted_digraph "weighted-digraph": smallscope_catalogue::weighted_digraph::WeightedDigraph;
}
