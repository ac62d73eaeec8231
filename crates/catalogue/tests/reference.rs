//! Sound, complete, isomorph-free: at small bounds both engines deliver what the naive reference finds.

use smallscope::{Bounded, Bounds};
use smallscope_catalogue::*;
use smallscope_reference::{Settings, compare};

fn agrees<T: Bounded>(bounds: Bounds, valid: usize) {
    let settings = Settings { limit: 3_000_000, ..Settings::default() };
    match compare::<T>(&bounds, &settings) {
        Ok(comparison) => assert_eq!(comparison.valid, valid, "{}", std::any::type_name::<T>()),
        Err(e) => panic!("{}: {e}", std::any::type_name::<T>()),
    }
}

#[test]
fn trees() {
    agrees::<binary_tree::BinaryTree>(binary_tree::bounds(3, 0, 3), 1 + 1 + 2 + 5);
    agrees::<search_tree::SearchTree<u8>>(search_tree::bounds(2, 0, 2, 0, 1), 1 + 2 + 2);
    agrees::<avl_tree::AvlTree<u8>>(avl_tree::bounds(2, 0, 2, 2), 1 + 2 + 2);
    agrees::<red_black_tree::RedBlackTree<u8>>(red_black_tree::bounds(2, 0, 2, 1), 1 + 2);
}

#[test]
fn lists() {
    agrees::<singly_linked_list::SinglyLinkedList>(singly_linked_list::bounds(0, 2, 3, 2), 1 + 1 + 2);
    agrees::<doubly_linked_list::DoublyLinkedList>(doubly_linked_list::bounds(0, 2, 2, 2), 1 + 1 + 3);
    agrees::<sorted_list::SortedList>(sorted_list::bounds(0, 1, 2, 2), 1 + 2);
    agrees::<ring::Ring>(ring::bounds(2, 0, 1, 2), 1 + 3);
}

#[test]
fn heaps_and_sets() {
    agrees::<heap_array::HeapArray<u8>>(heap_array::bounds(2, 2, 2), 15);
    agrees::<binomial_heap::BinomialHeap>(binomial_heap::bounds(2), 6);
    agrees::<fibonacci_heap::FibonacciHeap>(fibonacci_heap::bounds(1), 2);
    agrees::<disj_set::DisjSet>(disj_set::bounds(2), 5);
}
