//! Containers to test through their own methods: subjects for call sequences, state matching and coverage.
//!
//! Each is written from scratch after a container of `java.util`, with its methods and its boundary cases, and has an
//! invariant, `rep_ok`. They are small where size does not matter (the first bucket, the first slot), so that short
//! sequences of calls see them grow, go round and collide. All are correct: `tests/lockstep` runs every short sequence of
//! calls next to a model from the standard library.
//!
//! There is a context of each, by name, in [`registry`], and one with the same calls for experiments with mutants in [`contexts`].
//! With the feature `cover` they have probes, with `cover-predicates` the [`TreeMap`] has predicates at them, too.

pub mod array_list;
pub mod contexts;
pub mod deque;
pub mod error;
pub mod hash_map;
pub mod hash_set;
mod hashing;
pub mod identity_map;
pub mod linked_hash_map;
pub mod linked_list;
pub mod mutation;
pub mod priority_queue;
pub mod registry;
pub mod stack;
pub mod tree_map;
pub mod tree_set;

pub use array_list::ArrayList;
pub use deque::Deque;
pub use error::{EmptyStack, OutOfBounds};
pub use hash_map::HashMap;
pub use hash_set::HashSet;
pub use identity_map::{Identity, IdentityMap, Object};
pub use linked_hash_map::LinkedHashMap;
pub use linked_list::LinkedList;
pub use priority_queue::PriorityQueue;
pub use stack::Stack;
pub use tree_map::TreeMap;
pub use tree_set::TreeSet;
