//! Operations of the case studies, with mutants of their code: merging heaps, deleting the least key, red-black and AVL
//! insertion and removal, deletion from a search tree, lists to sets, palindromes, and lists with spare nodes.
//!
//! Each operation takes the values of a structure of the catalogue. Its test compares what the active mutant does with what
//! the original does: the result, and the structure that is left. `cargo smallscope mutate STRUCTURE OPERATION` runs these
//! tests; [`OPERATIONS`] lists them. A program can do the same with [`parts`] and [`measure()`]:
//!
//! ```
//! use smallscope::search::Options;
//! use smallscope_operations::{Part, measure, operation, parts};
//!
//! let delete = operation("search-tree-value", "delete").unwrap();
//! let bounds = smallscope_catalogue::search_tree_value::bounds(3, 0, 3, 3);
//! let wanted = [Part::All, Part::Pruned, Part::Random { values: 5, seed: 1 }];
//! let suites = parts(delete, &bounds, Options::default(), &wanted).unwrap();
//! let (values, mutants) = measure(delete, &bounds, Options::default(), &suites, 2).unwrap();
//! let killed = |suite: usize| mutants.iter().filter(|mutant| mutant.first[suite].is_some()).count();
//! assert_eq!(values, 45);
//! assert!(killed(0) == killed(1) && killed(1) > killed(2));
//! ```
//!
//! Operations share no code, and cases that mirror each other are written out, as in the published units: each operation is
//! mutated by itself. A mutant of shared code would count in several operations, and one that changes both mirrored cases at once
//! is another mutant.

pub mod arena;
pub mod avl;
pub mod caching_list;
pub mod heap;
pub mod list;
mod measure;
pub mod red_black;
mod registry;
pub mod ring;
pub mod search_tree;
mod suites;

pub use measure::{Measured, measure};
pub use registry::{OPERATIONS, Operation, operation};
pub use suites::{Part, PartError, parts};
