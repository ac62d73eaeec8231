//! Known bugs of published crates, each as a property that a user would write. Every property runs with smallscope, proptest
//! and quickcheck.
//!
//! A module is a crate. It has the tests `with_smallscope`, `with_proptest` and `with_quickcheck`, which fail on the versions
//! in `Cargo.toml` and pass on those in `fixed/Cargo.toml`. `cargo xtask gallery` runs both and prints a table.

#[macro_use]
mod compare;

mod circular_buffer;
mod generational_arena;
mod hashlink;
#[cfg(not(feature = "fixed"))]
mod heapless;
mod intmap;
mod itertools;
mod min_max_heap;
mod num_rational;
mod petgraph;
mod priority_queue;
mod radix_trie;
mod rangemap;
mod roaring;
mod similar;
mod slab;
mod strsim;
mod textwrap;
mod thunderdome;
mod time;
mod versions;
mod wildmatch;
