//! Every structure of the catalogue, with every engine, on several threads: the values are the same.

use crate::{Case, ENGINES, Listener, With, folder};
use smallscope::Stop;
use smallscope_catalogue::{STRUCTURES, counts, disjoint_counts};
use smallscope_runner::session::{Export, Format, Request, Run};
use std::path::Path;

const MOST_CANDIDATES: u64 = if cfg!(debug_assertions) { 1_000 } else { 20_000 };

/// Every structure with its largest bounds of at most this many candidates, or its smallest bounds.
fn cases(most: u64) -> Vec<Case> {
    let case = |name: &str| {
        // These have their own tables, about their parts.
        if let Some(row) = disjoint_counts().into_iter().find(|row| row.structure == name) {
            return Case::new(name, &row.args);
        }
        // These are counted by recurrences.
        if name.ends_with("-natural") {
            let of = smallscope_catalogue::structure(name).expect("a structure");
            let args: Vec<i64> =
                of.parameters.iter().map(|name| if name.starts_with("min") { 0 } else { 3 }).collect();
            return Case::new(name, &args);
        }
        // Another invariant for the same values has no counts of its own.
        let counted = name.trim_end_matches("-guided");
        let rows: Vec<_> = counts().into_iter().filter(|row| row.structure == counted).collect();
        let largest = rows.iter().filter(|row| row.explored <= most).max_by_key(|row| row.explored);
        let row = largest.or(rows.iter().min_by_key(|row| row.explored)).expect("every structure has rows");
        Case::new(name, &row.args)
    };
    STRUCTURES.iter().map(|structure| case(structure.name)).collect()
}

/// Returns the engines for a structure. Invariants that rely on ownership do not end where boxes may alias.
fn engines(name: &str) -> &'static [&'static str] {
    if name.ends_with("-guided") || name.ends_with("-natural") { &ENGINES[..2] } else { &ENGINES }
}

/// Returns the values of a suite as sorted texts, without their numbers.
fn values(case: &Case, file: &Path) -> Vec<String> {
    let mut listener = Listener::default();
    let export = Export { file: file.to_owned(), to: Format::Jsonl, type_path: None };
    case.perform(&Request::Export(export), &mut listener).unwrap_or_else(|e| panic!("{e}"));
    let objects = |line: &str| line.split_once("\"objects\":").expect("a value has objects").1.to_owned();
    let mut values: Vec<String> = listener.text.lines().map(objects).collect();
    values.sort();
    values
}

#[test]
fn all_engines_on_all_numbers_of_threads_find_the_same_values() {
    let folder = folder("engines");
    for case in cases(MOST_CANDIDATES) {
        let name = case.structure.name;
        let mut found = vec![];
        for engine in engines(name) {
            let run = |threads: usize| {
                let file = folder.join(format!("{engine}-{threads}"));
                let run = Run { save: Some(file.clone()), force: true, ..case.run(engine).threads(threads) };
                let summary = case.sum_up(Request::Run(run), &mut Listener::default());
                assert_eq!(summary.stop, Stop::Exhausted, "{name} {engine} {threads}");
                (summary.explored, summary.valid, std::fs::read(&file).unwrap(), file)
            };
            let (explored, valid, suite, file) = run(1);
            for threads in [2, 8] {
                let other = run(threads);
                let is_same = (other.0, other.1) == (explored, valid) && other.2 == suite;
                assert!(is_same, "{name} {engine}: {threads} threads, in order");
            }
            let values = values(&case, &file);
            assert_eq!(values.len() as u64, valid, "{name} {engine}");
            found.push(values);
        }
        for (engine, other) in ENGINES.iter().zip(&found).skip(1) {
            assert!(found[0] == *other, "{name}: `lazy` and `{engine}`");
        }
    }
}
