//! What core does not have: dependencies, input and output, threads, clocks, global state.

use super::sources::Sources;
use std::fs;

const IN_AND_OUT: [&str; 7] =
    ["std::fs", "std::env", "std::io", "std::net", "std::process", "println!", "eprintln!"];

const THREADS_AND_CLOCKS: [&str; 5] = ["std::thread", "thread::", "sleep(", "Instant", "SystemTime"];

/// Statics that may stay: state of the thread that searches, and what only Miri sees.
const ALLOWED_STATICS: &[(&str, &str)] = &[
    // The heap whose cells the running invariant reads.
    ("crates/core/src/key.rs", "CURRENT"),
    // Promises on their way from a caller in the running invariant to the function or comparison that they are about.
    ("crates/core/src/ask.rs", "PENDING"),
    ("crates/core/src/promise.rs", "ABOUT_KEYS"),
    // The summaries that the thread makes, and what they may take.
    ("crates/core/src/groups/evaluation.rs", "CURRENT"),
    ("crates/core/src/groups/limits.rs", "LIMITS"),
    ("crates/core/src/groups/log.rs", "LOG"),
    // Which conjuncts of the running invariant are evaluated, and whether out of turn.
    ("crates/core/src/conjuncts.rs", "TURN"),
    ("crates/core/src/conjuncts/select.rs", "SELECTED"),
    // A mirror of a shared pointer knows no heap, but its clones decide how long copies of slices live.
    ("crates/core/src/cell/contents.rs", "BYTES"),
    ("crates/core/src/cell/contents.rs", "COPIES"),
    ("crates/core/src/cell/contents.rs", "MAY_ESCAPE"),
    // A mirror knows no layout, but destructors decide whether copies that it is compared with are dropped.
    ("crates/core/src/mirror/destructor.rs", "ANY"),
    // The budget of the running invariant.
    ("crates/core/src/guard.rs", "FLOOR"),
    ("crates/core/src/guard.rs", "START"),
    // How the caller limits the memory of layouts of this thread.
    ("crates/core/src/room.rs", "ROOM"),
    // The recorder of the decisions of the running invariant.
    ("crates/core/src/probe.rs", "LISTENS"),
    ("crates/core/src/probe.rs", "RECORD"),
    // What is leaked, for Miri, which follows statics.
    ("crates/core/src/leaked.rs", "LAST"),
    // The objects that the running invariant is printing.
    ("crates/core/src/mirror/show.rs", "OPEN"),
];

/// Parts of types that make a static change while the program runs.
const MUTABLE: [&str; 10] =
    ["Mutex", "RwLock", "OnceLock", "LazyLock", "Atomic", "OnceCell", "LazyCell", "RefCell", "Cell", "Once"];

pub fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = vec![];
    let manifest = fs::read_to_string(sources.root.join("crates/core/Cargo.toml")).unwrap_or_default();
    if manifest
        .lines()
        .any(|line| line.starts_with('[') && line.contains("dependencies") && !line.contains("dev-"))
    {
        problems.push("crates/core/Cargo.toml: core has no dependencies".to_owned());
    }
    problems.extend(mentions(sources, &IN_AND_OUT, "core does no input or output"));
    problems
}

pub fn threads(sources: &Sources) -> Vec<String> {
    mentions(sources, &THREADS_AND_CLOCKS, "core spawns nothing, sleeps nowhere and reads no clock")
}

pub fn globals(sources: &Sources) -> Vec<String> {
    let mut problems = vec![];
    for source in sources.rust_in("crates/core/src/") {
        for (number, line) in code(&source.text) {
            let Some(name) = mutable_static(line) else { continue };
            if !ALLOWED_STATICS.contains(&(&source.name, name)) {
                problems.push(format!(
                    "{}:{number}: core has no global state, but `{name}` is a static that changes",
                    source.name
                ));
            }
        }
    }
    problems
}

/// The name of a static that can change, if the line declares one.
fn mutable_static(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.split_once(") ").filter(|_| line.starts_with("pub(")).map_or(line, |(_, rest)| rest);
    let rest = line.strip_prefix("pub ").unwrap_or(line).strip_prefix("static ")?;
    let (is_mut, rest) = match rest.strip_prefix("mut ") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (name, type_) = rest.split_once(':')?;
    let type_ = type_.split('=').next().unwrap_or_default();
    (is_mut || MUTABLE.iter().any(|part| type_.contains(part))).then_some(name.trim())
}

/// The lines that are no comments, up to the tests, with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn mentions(sources: &Sources, forbidden: &[&str], rule: &str) -> Vec<String> {
    let mut problems = vec![];
    for source in sources.rust_in("crates/core/src/").filter(|source| !source.name.ends_with("/tests.rs")) {
        for (number, line) in code(&source.text) {
            if let Some(found) = forbidden.iter().find(|word| line.contains(**word)) {
                problems.push(format!("{}:{number}: {rule}, but this uses `{found}`", source.name));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::sources::sources_of;
    use super::*;

    #[test]
    fn statics_that_change() {
        assert_eq!(mutable_static("static POOLS: Mutex<u8> = Mutex::new(0);"), Some("POOLS"));
        assert_eq!(mutable_static("    pub(crate) static mut N: u8 = 0;"), Some("N"));
        assert_eq!(mutable_static("    static HERE: Cell<u8> = const { Cell::new(0) };"), Some("HERE"));
        assert_eq!(mutable_static("static SITES: &[Site] = &[Cell::new(0)];"), None);
        assert_eq!(mutable_static("heap: &'static Cell<u8>,"), None);
    }

    #[test]
    fn threads_are_found_outside_of_comments_and_tests() {
        let text = "// std::thread\nfn f() { std::thread::yield_now() }\n#[cfg(test)]\nuse std::thread;\n";
        let found = threads(&sources_of(&[("crates/core/src/a.rs", text), ("crates/runner/src/a.rs", text)]));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/core/src/a.rs:2: "), "{found:?}");
    }
}
