//! Containers to test through their own methods, for call sequences, state matching and coverage.
//!
//! Each is written from scratch after a container of `java.util`, with its methods and its boundary cases, and has an
//! invariant, `rep_ok`. Initial sizes are small (the first buckets, the first slots), so that short sequences of calls
//! make them grow, wrap around and collide. All are correct: `tests/containers/lockstep` runs every short sequence of calls in
//! lockstep with a model from the standard library.
//!
//! [`registry`] has a context for eleven of them, by name; [`contexts`] has one for each with the same calls for experiments with
//! mutants, which the feature `mutate` compiles. With the feature `cover` they have probes, with `cover-predicates` the
//! [`TreeMap`] has predicates at them, too.

pub mod array_list;
pub mod contexts;
pub mod deque;
pub mod enum_map;
pub mod error;
pub mod hash_map;
pub mod hash_set;
mod hashing;
pub mod hashtable;
pub mod identity_map;
pub mod linked_hash_map;
pub mod linked_hash_set;
pub mod linked_list;
pub mod priority_queue;
pub mod properties;
pub mod registry;
pub mod stack;
pub mod tree_map;
pub mod tree_set;
pub mod vector;
pub mod weak_hash_map;

pub use array_list::ArrayList;
pub use deque::Deque;
pub use enum_map::{EnumMap, Enumerated};
pub use error::{EmptyStack, OutOfBounds};
pub use hash_map::HashMap;
pub use hash_set::HashSet;
pub use hashtable::Hashtable;
pub use identity_map::{Identity, IdentityMap, Object};
pub use linked_hash_map::LinkedHashMap;
pub use linked_hash_set::LinkedHashSet;
pub use linked_list::LinkedList;
pub use priority_queue::PriorityQueue;
pub use properties::Properties;
pub use stack::Stack;
pub use tree_map::TreeMap;
pub use tree_set::TreeSet;
pub use vector::Vector;
pub use weak_hash_map::WeakHashMap;
