//! The tables of the page, and what they must contain.

use smallscope_support::settings::{RUN, SETTINGS, Setting, TEST};
use std::path::Path;
use std::sync::Mutex;

/// A kind of test, as the first column names it, and the report of such a test; none if this machine cannot run it.
pub(super) type Kind = (&'static str, fn() -> Option<String>);

/// Held while the memory of the process is limited.
pub(super) static MEMORY: Mutex<()> = Mutex::new(());

/// The page; none in a package, which has no book.
fn page() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/green-tests.md");
    std::fs::read_to_string(path).ok()
}

/// The first and the last cell of each row of a section.
fn rows<'p>(page: &'p str, section: &str) -> Vec<(&'p str, &'p str)> {
    let section = page.split("\n## ").find(|part| part.starts_with(section)).unwrap_or_default();
    let cells = |line: &'p str| -> Option<(&'p str, &'p str)> {
        let line = line.strip_prefix("| ")?.strip_suffix(" |")?;
        Some((line.split(" | ").next()?, line.rsplit(" | ").next()?))
    };
    section.lines().filter_map(cells).filter(|(first, _)| *first != "test").collect()
}

/// Whether words are those of a cell, in which "…" stands for anything.
fn fits(cell: &str, words: &str) -> bool {
    let mut parts = cell.split('…');
    let Some(mut rest) = words.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut is_open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        (rest, is_open) = (&rest[at + part.len()..], part.is_empty());
    }
    rest.is_empty() || is_open
}

/// Compares the report of each kind of test with its row, and the rows with the kinds.
#[track_caller]
pub(super) fn compare(section: &str, kinds: &[Kind]) {
    let Some(page) = page() else { return };
    let rows = rows(&page, section);
    let named: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    let tested: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    assert_eq!(named, tested, "the rows of \"{section}\" are not the kinds that are tested");
    let mut wrong = vec![];
    for ((name, cell), (_, report)) in rows.iter().zip(kinds) {
        let Some(words) = report() else { continue };
        if !fits(cell, &words) {
            wrong.push(format!("{name}\n  book:   {cell}\n  report: {words}"));
        }
    }
    assert!(wrong.is_empty(), "the book and the reports differ:\n{}", wrong.join("\n"));
}

#[test]
fn three_dots_stand_for_anything() {
    assert!(fits("after … values", "after 12 values") && fits("…", "x") && fits("a …", "a b"));
    assert!(!fits("after … values", "after 12 values in all") && !fits("a", "b") && !fits("a … c", "a b"));
}

/// The rows that a setting changes; empty if it does not change what a green test means.
fn rows_of(setting: &Setting) -> &'static [&'static str] {
    let is_of_calls = setting.places & (TEST | RUN) == 0;
    match setting.name {
        "scope" => &["`scope = 3`"],
        "size" => &["`size = 3`"],
        "bounds" | "objects" | "pool" | "ints" | "len" | "alphabet" | "variants" | "nullable" => {
            &["`bounds = ..`"]
        }
        "suite" => &[
            "`suite = \"..\"`, saved by a run that ended",
            "`suite = \"..\"`, saved by a run that was stopped",
        ],
        "order" if is_of_calls => &["`order = \"random\"`, `length = 4`, `tests = 2`"],
        "order" => &["`order = \"single\"`"],
        "classes" => &["`classes = \"all\"`", "`classes = \"pruned\"`", "`classes = \"one\"`"],
        "order_types" => &["`order_types`, two arguments of type `Key`"],
        "one_per_path" => &["`suite = \"..\"`, saved with `--one-per-path`"],
        "sparse" => &["`sparse = 4`"],
        "sample" | "sample_size" => &["`sample = 5`, after the scopes"],
        "edges" | "edge_ints" | "edge_chars" => &["`edges`, the default of tests"],
        "criterion" | "ratio" | "keep" | "per_class" | "choice" => {
            &["`criterion = \"condition\"`, `per_class = 1`"]
        }
        // The tool only, which saves its values as a suite, and runs a range of sequences.
        "from" | "to" => &[
            "`suite = \"..\"`, saved by a run that was stopped",
            "`strategy = \"be\"`, `length = 3`, `SMALLSCOPE_SHARD=2/2`",
        ],
        "shard" => &["`SMALLSCOPE_SHARD=2/3`", "`strategy = \"be\"`, `length = 3`, `SMALLSCOPE_SHARD=2/2`"],
        "max" => &["`max = 4`", "`strategy = \"bobw\"`, `length = 3`, `tests = 5`", "`max_states = 3`"],
        "budget" => &[
            "`budget = \"..\"`, used up",
            "no `budget`, and a minute does not suffice",
            "sequences with `budget = \"..\"`, used up",
            "sequences without `budget`, and a minute does not suffice",
        ],
        "memory" => &["`memory = \"..\"`, used up", "sequences with `memory = \"..\"`, used up"],
        "allow_empty" => {
            &["`allow_empty`, and no value is valid", "sequences with `allow_empty`, and no call can be made"]
        }
        "replay" => &["`SMALLSCOPE_REPLAY=..`"],
        "length" => &["`linearized()`, `length = 2`"],
        "strategy" => &[
            "`linearized()`",
            "`strategy = \"be\"`, `length = 3`",
            "`strategy = \"bobw\"`, `length = 3`",
            "`strategy = \"random\"`, `length = 3`, `tests = 5`",
            "`strategy = \"random-paths\"`, `length = 3`, `tests = 5`",
        ],
        "tests" => &["`strategy = \"bobw\"`, `length = 3`, `tests = 5`"],
        "abstraction" => &[
            "`abstraction = \"shape\"`",
            "`abstraction = \"classical\"`, `length = 4`",
            "`abstraction = my_abstraction`",
        ],
        "fields" => &["`abstraction = \"shape\"`, `fields = [\"count\"]`"],
        "vouched" => &["`hashed()`, `vouched`"],
        "last_calls" => &["`linearized_by(..)`, `last_calls = 1`"],
        "max_states" => &["`max_states = 3`"],
        // How values and sequences are found and tried, or what is printed; random choices are among the rows above.
        "engine" | "disjoint" | "summaries" | "seed" | "threads" | "clusters" | "audit" | "progress"
        | "report" | "html" | "crate" | "exact" | "cover" | "call_limit" | "isolate" | "observe"
        | "source" => &[],
        other => panic!("say here, and on the page, what `{other}` means for a green test"),
    }
}

#[test]
fn every_setting_has_its_rows() {
    let Some(page) = page() else { return };
    let named: Vec<&str> = ["Tests on values", "Tests of call sequences"]
        .iter()
        .flat_map(|section| rows(&page, section))
        .map(|(name, _)| name)
        .collect();
    for setting in SETTINGS {
        for row in rows_of(setting) {
            assert!(named.contains(row), "`{}` has no row {row}", setting.name);
        }
    }
}
