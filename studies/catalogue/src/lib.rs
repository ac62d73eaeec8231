//! The case studies: structures of the original Korat distribution and of two later papers, in idiomatic Rust. Their
//! invariants read fields in the order of the originals, so that the engine `korat` explores exactly as many candidates.
//!
//! Each module has its types, its invariant, its operations and its bounds as a function of the original's arguments.
//! [`STRUCTURES`] lists them for tools; `counts.tsv` has the exact numbers and where each of them comes from.

pub mod avl_list;
pub mod avl_tree;
pub mod avl_tree_guided;
pub mod avl_tree_natural;
pub mod b_tree_natural;
pub mod binary_tree;
pub mod binomial_heap;
pub mod binomial_heap_pair;
pub mod binomial_heap_value;
pub mod complete_tree_natural;
pub mod dag;
pub mod digraph;
pub mod disj_set;
pub mod doubly_linked_list;
pub mod fibonacci_heap;
pub mod fibonacci_heap_guided;
pub mod heap_array;
pub mod int_list;
pub mod lambda_term_natural;
pub mod leftist_tree_natural;
pub mod list_as_set;
pub mod node_caching_disjoint;
pub mod node_caching_linked_list;
pub mod node_caching_parts;
pub mod red_black_tree;
pub mod red_black_tree_guided;
pub mod red_black_tree_key;
pub mod red_black_tree_natural;
mod reduction;
pub mod registry;
pub mod ring;
pub mod search_tree;
pub mod search_tree_natural;
pub mod search_tree_value;
pub mod singly_linked_list;
pub mod sorted_list;
pub mod two_three_tree_natural;
pub mod weighted_digraph;

pub use reduction::{ReductionRow, reductions};
pub use registry::{
    ClassRow, DisjointRow, Row, STRUCTURES, Structure, class_counts, counts, disjoint_counts, structure,
};
