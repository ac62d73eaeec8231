//! Mutants of a user's crate, from end to end.
#![cfg(unix)]

mod common;

use common::{Desk, Ended, link_to, tool};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// A crate with mutants. All tests build it with the same features, once.
static CRATE: LazyLock<Desk> = LazyLock::new(|| {
    let desk = Desk::new("mutants");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = here.join("../..").canonicalize().unwrap();
    let link = link_to(&repository);
    fs::create_dir(desk.path("src")).unwrap();
    for (from, to) in [("Cargo.toml", "Cargo.toml"), ("lib.rs", "src/lib.rs")] {
        let text = fs::read_to_string(here.join("tests/mutants").join(from)).unwrap();
        fs::write(desk.path(to), text.replace("@REPOSITORY@", link.to_str().unwrap())).unwrap();
    }
    fs::copy(repository.join("Cargo.lock"), desk.path("Cargo.lock")).unwrap();
    desk
});

fn command(arguments: &str) -> Command {
    let mut command = tool(&CRATE.0);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    command.env_remove("GITHUB_ACTIONS").arg("mutate").args(arguments.split_whitespace());
    command
}

/// The book's chapter, followed literally. A line `..` stands for lines that it leaves out.
#[test]
fn the_chapter_of_the_book_is_as_it_says() {
    let chapter = include_str!("../../../book/src/mutants.md");
    let block =
        |start: &str| chapter.split_once(start).and_then(|(_, rest)| rest.split_once("\n```")).unwrap().0;
    let desk = Desk::new("mutants-of-the-book");
    fs::create_dir(desk.path("src")).unwrap();
    fs::write(desk.path("src/lib.rs"), block("```rust,test_harness\n").to_owned() + "\n").unwrap();
    let manifest = fs::read_to_string(CRATE.path("Cargo.toml")).unwrap();
    fs::write(desk.path("Cargo.toml"), manifest.replace("\"mutants\"", "\"sets\"")).unwrap();
    fs::copy(CRATE.path("Cargo.lock"), desk.path("Cargo.lock")).unwrap();
    for part in chapter.split("```console\n$ cargo smallscope mutate ").skip(1) {
        let (arguments, rest) = part.split_once('\n').unwrap();
        let ended: Ended = command(arguments).current_dir(&desk.0).output().unwrap().into();
        let mut printed = ended.stdout.as_str();
        for piece in rest.split_once("\n```").unwrap().0.split("\n..") {
            let (_, after) =
                printed.split_once(piece).unwrap_or_else(|| panic!("{piece}\nis not in {ended:?}"));
            printed = after;
        }
    }
    let reason = block("```rust\n");
    fs::write(desk.path("src/lib.rs"), reason).unwrap();
    let manifest =
        fs::read_to_string(desk.path("Cargo.toml")).unwrap().replace("[dev-dependencies]", "[dependencies]");
    fs::write(
        desk.path("Cargo.toml"),
        manifest.replace("smallscope\" }", "smallscope\", features = [\"mutate\"] }"),
    )
    .unwrap();
    let built = command("")
        .current_dir(&desk.0)
        .get_envs()
        .map(|(k, v)| (k.to_owned(), v.map(ToOwned::to_owned)))
        .collect::<Vec<_>>();
    let mut cargo = Command::new(env!("CARGO"));
    for (name, value) in built {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    let output = cargo.args(["check", "--quiet", "--offline"]).current_dir(&desk.0).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(arguments: &str) -> Ended {
    command(arguments).output().unwrap().into()
}

fn ok(arguments: &str) -> String {
    let ended = run(arguments);
    assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
    ended.stdout
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&ok(arguments)).unwrap()
}

fn error(code: i32, arguments: &str, expected: &[&str]) {
    let ended = run(arguments);
    assert_eq!((ended.code, ended.stdout.as_str()), (code, ""), "{arguments}: {ended:?}");
    for part in expected {
        assert!(ended.stderr.contains(part), "{arguments}: `{part}` is not in: {}", ended.stderr);
    }
}

/// The mutant with this change.
fn find<'a>(results: &'a Value, function: &str, before: &str, after: &str) -> &'a Value {
    let mutants = results["mutants"].as_array().unwrap();
    let is_meant = |m: &&Value| m["function"] == function && m["before"] == before && m["after"] == after;
    mutants.iter().find(is_meant).unwrap_or_else(|| panic!("{function}: {before} -> {after}: {results:#}"))
}

#[test]
fn a_mutant_is_killed_or_equivalent_up_to_the_scope_or_never_run() {
    let results = json("insert_keeps_the_order --json");
    let insert = |before: &str, after: &str| find(&results, "SortedSet::insert", before, after);
    let killed = insert("self.items[at] < x", "self.items[at] <= x");
    assert_eq!((&killed["verdict"], &killed["how"]), (&"killed".into(), &"fails".into()), "{killed:#}");
    assert_eq!(killed["value"], "set = SortedSet {\n    items: [\n        0,\n    ],\n}\nx = 0");
    let rust = killed["rust"].as_str().unwrap();
    assert!(rust.contains("Search::<smallscope::structures::Product<(mutants::SortedSet, u8)>>"), "{rust}");
    assert_eq!(insert("self.items[at] == x", "self.items[at] <= x")["verdict"], "equivalent");
    let marked = insert("at < self.items.len()", "at != self.items.len()");
    assert_eq!(marked["verdict"], "marked");
    assert_eq!(marked["reason"], "the place is never behind the end");
    let never = find(&results, "SortedSet::first", "Some(self.items[0])", "None");
    assert_eq!(never["verdict"], "never run");
    let numbers = |key: &str| results[key].as_u64().unwrap();
    let all = ["killed", "equivalent", "undecided", "never_run", "marked"].map(numbers);
    assert_eq!(all.iter().sum::<u64>(), results["mutants"].as_array().unwrap().len() as u64);
    assert_eq!((all[2], all[3], all[4]), (0, 3, 1));
    assert_eq!((&results["bound"], &results["exhaustive"]), (&"scope 3".into(), &true.into()));
}

#[test]
fn a_weaker_test_kills_fewer_and_a_limit_leaves_them_undecided() {
    let strong = json("insert_keeps_the_order --json");
    let weak = json("insert_inserts --json");
    assert!(weak["killed"].as_u64() < strong["killed"].as_u64(), "{weak:#}");
    let cut = json("insert_inserts --max 5 --json");
    let mutant = find(&cut, "SortedSet::insert", "self.items[at] < x", "self.items[at] <= x");
    assert_eq!(mutant["verdict"], "undecided", "{mutant:#}");
    let text = ok("insert_inserts --max 5");
    assert!(text.contains("not decided: a limit ended the run before all values were tried"), "{text}");
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn the_result_is_the_same_to_the_byte() {
    let once = ok("insert_keeps_the_order --killed --threads 1");
    assert_eq!(ok("insert_keeps_the_order --killed --threads 2"), once);
    let survivor = "`self.items[at] == x` becomes `self.items[at] <= x`";
    assert!(once.contains("2 equivalent up to scope 3: the test passes on every value there"), "{once}");
    assert!(once.contains(survivor) && once.contains("3 never run: "), "{once}");
    assert!(once.contains("\n    set = SortedSet { items: [0] }, x = 0\n"), "{once}");
    let ended: Ended =
        command("insert_keeps_the_order --check").env("GITHUB_ACTIONS", "true").output().unwrap().into();
    assert_eq!(ended.code, 1, "{ended:?}");
    let annotation = "::warning file=src/lib.rs,line=";
    assert_eq!(ended.stderr.matches(annotation).count(), 5, "{ended:?}");
}

/// Loops, recursion, memory, aborts and exits.
#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn a_mutant_that_ends_its_process_or_never_ends_is_killed_and_the_others_still_run() {
    let results = json("everything_ends --json --timeout 2s");
    let how = |function: &str, before: &str, after: &str| {
        let mutant = find(&results, function, before, after);
        assert_eq!(mutant["verdict"], "killed", "{mutant:#}");
        assert_eq!(mutant["value"].as_str().unwrap().split(" = ").next(), Some("n"), "{mutant:#}");
        mutant["how"].as_str().unwrap().to_owned()
    };
    assert_eq!(how("rounds", "left -= 1;", ""), "does not end");
    assert_eq!(how("recurses", "n - 1", "n * 1"), "does not end");
    assert_eq!(how("waits_until", "0", "1"), "did not end in time");
    assert_eq!(how("falls_until", "0", "1"), "aborted");
    assert_eq!(how("gibibytes", "0", "1"), "aborted");
    assert_eq!(how("aborts", "false", "true"), "aborted");
    assert_eq!(how("exits", "false", "true"), "exited with code 0");
    assert_eq!(how("rounds", "left > 0", "left < 0"), "fails");
}

#[test]
fn mistakes_are_named() {
    error(2, "sets_are_sorted", &["runs no code with mutants; put `#[smallscope::mutate]` on the functions"]);
    error(1, "insert_always_inserts", &["does not pass on the original", "fix that first", "x = 0"]);
    let list = ok("insert_keeps_the_order --list");
    let id = |part: &str| {
        let line = list.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {list}"));
        line.split(' ').next().unwrap().to_owned()
    };
    let first = id("`Some(self.items[0])` becomes `None`");
    assert!(first.starts_with("lib::SortedSet::first::const::"), "{first}");
    error(2, &format!("insert_keeps_the_order --mutant {first}"), &["never runs the changed code of `lib::"]);
    error(2, &format!("insert_keeps_the_order --mutant {first}0"), &["has no mutant", "did you mean `lib::"]);
    error(2, "insert_keeps_the_order --mutant nonsense", &["`--list` prints the ids of all of them"]);
    let one = id("`self.items[at] < x` becomes `self.items[at] <= x`");
    let text = ok(&format!("insert_keeps_the_order --mutant {one}"));
    assert!(text.starts_with("`tests::insert_keeps_the_order`: 1 of 1 mutants killed (100.0 %)"), "{text}");
    assert!(text.contains("\n#[test]\nfn kills_lib_sortedset_insert_ror_"), "{text}");
    let desk = Desk::new("mutants-elsewhere");
    let elsewhere = desk.error(2, "mutate search-tree --catalogue");
    assert!(
        elsewhere.contains("is a structure of the catalogue, which has no code under test"),
        "{elsewhere}"
    );
}
