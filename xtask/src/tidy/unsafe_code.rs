//! `unsafe` stands only in the files that are listed here. `ARCHITECTURE.md` says why in each.

use super::sources::Sources;

const ALLOWED: &[&str] = &[
    "crates/core/src/cell.rs",
    "crates/core/src/cell/contents.rs",
    "crates/core/src/cell/split.rs",
    "crates/core/src/mirror/absorb.rs",
    "crates/core/src/mirror/build.rs",
    "crates/core/src/mirror/link/tables.rs",
    "crates/core/src/mirror/pointers.rs",
    "crates/core/src/mirror/sequences.rs",
    "crates/core/src/mirror/slices.rs",
    "crates/core/src/mirror/shape.rs",
    "crates/core/src/raw.rs",
    "crates/core/src/values",
    "crates/core/src/visited.rs",
    "crates/cover/src/llvm.rs",
    // Maps the file of the flight recorder into memory.
    "crates/support/src/flight/mapped.rs",
    // Follows raw pointers for which the author of a type vouches.
    "crates/sequences/src/sink.rs",
    // Looks for the word, writes `unsafe impl` for the traits of `shape.rs`, and copies users' unsafe code.
    "crates/macros/src/",
    "xtask/src/tidy/unsafe_code.rs",
    // Examples of raw pointers.
    "studies/catalogue/src/binomial_heap.rs",
    "studies/catalogue/src/doubly_linked_list.rs",
    "studies/catalogue/src/fibonacci_heap.rs",
    "studies/catalogue/src/fibonacci_heap_guided.rs",
    "studies/catalogue/src/node_caching_disjoint.rs",
    "studies/catalogue/src/node_caching_linked_list.rs",
    "studies/catalogue/src/node_caching_parts.rs",
    "studies/catalogue/src/red_black_tree.rs",
    "studies/catalogue/src/ring.rs",
    "studies/catalogue/src/sorted_list.rs",
    "testing/reference/src/assignments.rs",
    "testing/reference/src/enumerate.rs",
    "testing/reference/src/compare.rs",
    // Builds cycles without the product, and writes them as texts.
    "testing/sources/plain/",
    // Writes programs with raw pointers.
    "xtask/src/sources/",
];

pub fn problems(sources: &Sources) -> Vec<String> {
    let has_unsafe = |text: &str| {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.into_iter().any(|line| line.contains("unsafe ") || line.contains("unsafe{"))
    };
    let files = sources.rust.iter().filter(|source| !source.is_test() && has_unsafe(&source.text));
    files
        .filter(|source| !ALLOWED.iter().any(|allowed| source.name.starts_with(allowed)))
        .map(|source| format!("{}: has `unsafe`, but is not among the files that may", source.name))
        .collect()
}
