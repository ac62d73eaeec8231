//! The operations, on every structure within small bounds, against models from std.

mod avl_list;
mod avl_tree;
mod binary_tree;
mod binomial_heap;
mod binomial_heap_pair;
mod binomial_heap_value;
mod dag;
mod digraph;
mod disj_set;
mod doubly_linked_list;
mod fibonacci_heap;
mod heap_array;
mod list_as_set;
mod node_caching_linked_list;
mod red_black_tree;
mod red_black_tree_key;
mod ring;
mod search_tree;
mod search_tree_value;
mod singly_linked_list;
mod sorted_list;
mod weighted_digraph;
