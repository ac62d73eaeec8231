//! The rules. Each is an absence that `ARCHITECTURE.md` states.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that may contain `unsafe`; `ARCHITECTURE.md` lists the same.
const UNSAFE_ALLOWED: &[&str] = &[
    "crates/core/src/absorb.rs",
    "crates/core/src/build.rs",
    "crates/core/src/cell.rs",
    "crates/core/src/link/tables.rs",
    "crates/core/src/mirror/",
    "crates/core/src/raw.rs",
    "crates/core/src/shape.rs",
    "crates/core/src/values",
    "crates/core/src/visited.rs",
    "crates/cover/src/llvm.rs",
    // Follows raw pointers for which the author of a type vouches.
    "crates/sequences/src/sink.rs",
    // Looks for the word, writes `unsafe impl` for the traits of `shape.rs`, and copies users' unsafe code.
    "crates/macros/src/",
    "xtask/src/tidy.rs",
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
    "testing/reference/src/enumerate.rs",
    "testing/reference/src/compare.rs",
];

/// A file longer than this has more than one subject.
const MAX_LINES: usize = 500;

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// Everything that breaks a rule, one line each.
pub(crate) fn problems() -> Vec<String> {
    let root = root();
    let mut problems = vec![];
    let mut files = vec![];
    for dir in ["crates", "studies", "testing", "xtask"] {
        collect(&root.join(dir), &mut files);
    }
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(file).unwrap_or_default();
        let is_test = name.contains("/tests/");
        let lines = text.lines().count();
        if lines > MAX_LINES && !is_test {
            problems.push(format!("{name}: {lines} lines; at most {MAX_LINES}, split it by subject"));
        }
        let code = |line: &&str| !line.trim_start().starts_with("//");
        let is_unsafe = text.lines().filter(code).any(|l| l.contains("unsafe ") || l.contains("unsafe{"));
        if is_unsafe && !is_test && !UNSAFE_ALLOWED.iter().any(|a| name.starts_with(a)) {
            problems.push(format!("{name}: has `unsafe`, but is not among the files that may"));
        }
    }
    let core = fs::read_to_string(root.join("crates/core/Cargo.toml")).unwrap_or_default();
    if core.contains("dependencies]") {
        problems.push("crates/core/Cargo.toml: core has no dependencies".into());
    }
    for file in files.iter().filter(|f| f.starts_with(root.join("crates/core/src"))) {
        let text = fs::read_to_string(file).unwrap_or_default();
        for forbidden in
            ["std::fs", "std::env", "std::io", "std::net", "std::process", "println!", "eprintln!"]
        {
            if text.contains(forbidden) {
                problems
                    .push(format!("{}: core does no input or output, but uses {forbidden}", file.display()));
            }
        }
    }
    for file in files.iter().filter(|f| f.starts_with(root.join("testing/reference/src"))) {
        let text = fs::read_to_string(file).unwrap_or_default();
        let is_comparison = file.ends_with("compare.rs") || file.ends_with("lib.rs");
        if !is_comparison && text.contains("Search") {
            problems.push(format!("{}: the reference shares no search code", file.display()));
        }
    }
    for file in files.iter().filter(|f| f.starts_with(root.join("studies/catalogue/src"))) {
        if fs::read_to_string(file).unwrap_or_default().contains("#[cfg(test)]") {
            let why =
                "the library is built without tests (`test = false`), put them into studies/catalogue/tests";
            problems.push(format!("{}: {why}", file.display()));
        }
    }
    problems.extend(crate::tables::problems(&root));
    problems
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        let problems = super::problems();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
