//! Files that an earlier version of the tool wrote (`testing/compat/tool`, made by `testing/compat/write`): this version
//! reads them, resumes them to the same bytes, and counts the same.

use crate::common::Desk;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// What is in the results of a run but not part of what must stay: times, sentences, and the sizes of files.
const FREE: [&str; 4] = ["seconds", "covered", "stop", "bytes"];

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/compat")
}

fn text(file: &str) -> String {
    let path = kept().join("tool").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn bytes(file: &str) -> Vec<u8> {
    fs::read(kept().join("tool").join(file)).unwrap()
}

/// The lines of one of the lists: a name and arguments.
fn list(file: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(kept().join(file)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap()).map(|(name, rest)| (name.into(), rest.into())).collect()
}

/// Compares every member that was there before. New ones may have been added.
fn assert_same(context: &str, now: &Value, before: &str) {
    let before: Value = serde_json::from_str(before).unwrap();
    for (key, value) in before.as_object().unwrap() {
        if !FREE.contains(&&**key) {
            assert_eq!(&now[key], value, "{context}: `{key}`");
        }
    }
}

fn is_resumable(arguments: &str) -> bool {
    !arguments.contains("--criterion") && !arguments.contains("--classes")
}

#[test]
fn suites_have_the_same_values() {
    let desk = Desk::new("compat-read");
    for (name, _) in list("runs.txt") {
        let suite = format!("{name}.suite");
        fs::write(desk.path(&suite), bytes(&suite)).unwrap();
        let values = desk.ok(&format!("export {suite} --to jsonl --catalogue"));
        assert_eq!(values, text(&format!("{name}.jsonl")), "{name}");
    }
}

#[test]
fn runs_write_the_same_suites() {
    let desk = Desk::new("compat-write");
    for (name, arguments) in list("runs.txt") {
        let run = format!("run {arguments} --threads 1 --save {name}.suite --json --catalogue");
        assert_same(&name, &desk.json(&run), &text(&format!("{name}.json")));
        let suite = format!("{name}.suite");
        // The header of a suite says more than before, so the values are compared.
        let values = desk.ok(&format!("export {suite} --to jsonl --catalogue"));
        assert_eq!(values, text(&format!("{name}.jsonl")), "{name}");
    }
}

#[test]
fn stopped_runs_are_resumed_to_the_same_suites() {
    let desk = Desk::new("compat-resume");
    for (name, _) in list("runs.txt").into_iter().filter(|(_, arguments)| is_resumable(arguments)) {
        let (suite, checkpoint) = (format!("{name}-part.suite"), format!("{name}-part.checkpoint"));
        for resumed in [&suite, &checkpoint] {
            fs::write(desk.path(&suite), bytes(&suite)).unwrap();
            fs::write(desk.path(&checkpoint), bytes(&checkpoint)).unwrap();
            desk.ok(&format!("resume {resumed} --threads 1 --catalogue"));
            let whole = bytes(&format!("{name}.suite"));
            assert!(fs::read(desk.path(&suite)).unwrap() == whole, "{resumed}: the suites differ");
        }
    }
}

#[test]
fn a_killed_run_is_resumed_to_the_same_suite() {
    let desk = Desk::new("compat-killed");
    for file in ["killed.suite", "killed.checkpoint"] {
        fs::write(desk.path(file), bytes(file)).unwrap();
    }
    assert_eq!(desk.json("resume killed.checkpoint --json --catalogue")["explored"], 340_990);
    let resumed = fs::read(desk.path("killed.suite")).unwrap();
    assert!(resumed == bytes("killed-whole.suite"), "the suites differ");
}

#[test]
fn positions_are_the_same_places() {
    let desk = Desk::new("compat-positions");
    for (name, arguments) in list("runs.txt").into_iter().filter(|(_, arguments)| is_resumable(arguments)) {
        let part: Value = serde_json::from_str(&text(&format!("{name}-part.json"))).unwrap();
        let position = part["position"].as_str().unwrap();
        let count = format!("count {arguments} --threads 1 --json --catalogue");
        let rest = desk.json(&format!("{count} --from {position}"));
        assert_same(&name, &rest, &text(&format!("{name}-rest.json")));
        let first = desk.json(&format!("{count} --to {position}"));
        assert_eq!(first["valid"], part["valid"], "{name}");
    }
}

#[test]
fn counts_are_the_same() {
    let desk = Desk::new("compat-counts");
    for line in text("counts.tsv").lines() {
        let (arguments, before) = line.split_once('\t').unwrap();
        let now = desk.json(&format!("count {arguments} --threads 1 --json --catalogue"));
        assert_same(arguments, &now, before);
    }
}

#[test]
fn sequences_are_the_same_and_replayed() {
    let desk = Desk::new("compat-sequences");
    for (name, arguments) in list("sequences.txt") {
        let file = format!("{name}.txt");
        let run = format!("sequences run {arguments} --threads 1 --save {file} --json --catalogue");
        assert_same(&name, &desk.json(&run), &text(&format!("{name}.json")));
        // The first line is a sentence about the run.
        let calls = |text: String| text.split_once('\n').unwrap().1.to_owned();
        assert_eq!(calls(fs::read_to_string(desk.path(&file)).unwrap()), calls(text(&file)), "{name}");
        fs::write(desk.path(&file), bytes(&file)).unwrap();
        let subject = arguments.split(' ').next().unwrap();
        desk.ok(&format!("sequences replay {subject} --file {file} --catalogue"));
    }
}
