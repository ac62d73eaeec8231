//! A user's crate, from end to end.
#![cfg(unix)]

use crate::common::{Desk, Ended, link_to, tool};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// A copy of the fixture.
static CRATE: LazyLock<Crate> = LazyLock::new(|| Crate::new("fixture"));

/// Locked by tests that change a source of the crate, so that its binary does not change between planning shards and running
/// them.
static SOURCES: RwLock<()> = RwLock::new(());

/// Keeps the sources of the crate as they are.
fn unchanged() -> RwLockReadGuard<'static, ()> {
    SOURCES.read().unwrap_or_else(PoisonError::into_inner)
}

fn changing() -> RwLockWriteGuard<'static, ()> {
    SOURCES.write().unwrap_or_else(PoisonError::into_inner)
}

struct Crate {
    desk: Desk,
    /// The target directory of this workspace, in which most dependencies of smallscope are built already.
    target: PathBuf,
}

impl Crate {
    fn new(name: &str) -> Crate {
        let desk = Desk::new(name);
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let repository = here.join("../..").canonicalize().unwrap();
        let link = link_to(&repository);
        for directory in ["src", "tests"] {
            fs::create_dir(desk.path(directory)).unwrap();
        }
        let sources = ["lib.rs", "exported.rs", "calls.rs", "parts.rs", "rings.rs"];
        let sources = sources.into_iter().map(|file| format!("src/{file}"));
        for file in sources.chain(["Cargo.toml".into(), "tests/pairs.rs".into()]) {
            let text = fs::read_to_string(here.join("tests/fixture").join(&file)).unwrap();
            fs::write(desk.path(&file), text.replace("@REPOSITORY@", link.to_str().unwrap())).unwrap();
        }
        // The same versions as in this workspace, which are downloaded already.
        fs::copy(repository.join("Cargo.lock"), desk.path("Cargo.lock")).unwrap();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned();
        Crate { desk, target }
    }

    /// Returns the target directory, and the profile of this workspace, which keep builds short.
    fn environment(&self) -> [(&str, &OsStr); 3] {
        let zero = OsStr::new("0");
        [
            ("CARGO_TARGET_DIR", self.target.as_os_str()),
            ("CARGO_INCREMENTAL", zero),
            ("CARGO_PROFILE_DEV_DEBUG", zero),
        ]
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = tool(&self.desk.0);
        command.envs(self.environment()).args(arguments.split_whitespace());
        command
    }

    fn run(&self, arguments: &str) -> Ended {
        self.command(arguments).output().unwrap().into()
    }

    fn ok(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        ended.stdout
    }

    fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    fn error(&self, code: i32, arguments: &str, expected: &[&str]) {
        let ended = self.run(arguments);
        assert_eq!(ended.code, code, "{arguments}: {ended:?}");
        assert_eq!(ended.stdout, "", "{arguments}");
        for part in expected {
            assert!(ended.stderr.contains(part), "{arguments}: `{part}` is not in: {}", ended.stderr);
        }
    }
}

#[test]
fn its_smallscope_tests_are_listed() {
    let list = CRATE.ok("list");
    assert_eq!(list.lines().count(), 23, "{list}");
    let columns = |name: &str| {
        let line =
            list.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {list}"));
        line.split("  ").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let [name, types, place, bounds] = &columns("tests::insert_keeps_the_order")[..] else {
        panic!("{list}")
    };
    assert_eq!([name, types, bounds], ["tests::insert_keeps_the_order", "(SortedSet, u8)", "scope = 3"]);
    assert!(place.starts_with("src/lib.rs:"), "{place}");
    assert_eq!(
        columns("pairs::tests::sets")[1],
        "(Vec<u8>)",
        "a name that two tests have comes with its crate"
    );
    assert_eq!(columns("tests::counters")[1..], ["sequences", &columns("tests::counters")[2], "length = 4"]);
    assert_eq!(CRATE.ok("sequences list").lines().count(), 4);
    assert!(!list.contains("an_ordinary_test"));
    assert!(CRATE.ok("list --catalogue").contains("search-tree"));
}

#[test]
fn an_invariant_is_compared_with_methods() {
    let list = CRATE.ok("list");
    let line = list.lines().find(|line| line.starts_with("tests::invariant_of_even")).unwrap();
    assert!(line.contains("agree(Even)") && line.ends_with("of = Even, scope = 3"), "{line}");
    assert!(!CRATE.ok("sequences list").contains("invariant_of_even"));
    // Calls make 0, 2 and 4. The invariant accepts 0, 1 and 2.
    let ended = CRATE.run("run invariant_of_even");
    assert_eq!(ended.code, 1, "{ended:?}");
    for part in [
        "the invariant rejects 1\n",
        "accepted: 3 values within the bounds; 1 are not reached",
        "object graph:",
    ] {
        assert!(ended.stdout.contains(part), "{part}: {ended:?}");
    }
    let ended = CRATE.run("run invariant_of_even --scope 2 --json");
    let json: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&json["kind"], &json["accepted"]), (&"agree".into(), &2.into()), "{json}");
    let only = "only `cargo smallscope run tests::invariant_of_even` is for such a test";
    for command in
        ["count", "size", "explain", "view", "sequences run", "shard plan --plan x.plan --threads 2"]
    {
        CRATE.error(2, &format!("{command} invariant_of_even"), &[only]);
    }
    CRATE.error(2, "run invariant_of_even --print", &["neither printed nor saved", "takes `--scope`"]);
    CRATE.error(2, "run invariant_of_even --engine korat", &["an option is for tests on values"]);
}

#[test]
fn tests_are_found_by_parts_of_their_names() {
    for name in [
        "tests::insert_keeps_the_order",
        "insert_keeps_the_order",
        "insert_keeps",
        "fixture::tests::insert_k",
    ] {
        assert_eq!(CRATE.json(&format!("count {name} --json"))["structure"], "tests::insert_keeps_the_order");
    }
    CRATE.error(2, "count sets", &["several tests", "`fixture::tests::sets` or `pairs::tests::sets`"]);
    CRATE.error(
        2,
        "count insert_kept_the_order",
        &["no smallscope test", "did you mean `tests::insert_keeps"],
    );
    CRATE.error(
        2,
        "count search-tree --scope 3",
        &["the catalogue has a structure of that name", "`--catalogue`"],
    );
    assert!(CRATE.ok("count search-tree --scope 3 --catalogue").contains("15 structures"));
}

#[test]
fn its_inputs_are_searched_with_their_own_bounds_or_another_scope() {
    // Subsets of 3 numbers, with one of 3 numbers each.
    let object = CRATE.json("run tests::insert_keeps_the_order --json");
    assert_eq!((&object["valid"], &object["outcome"]), (&json!(24), &json!("exhausted")));
    assert_eq!((&object["scope"], &object["args"]), (&json!(3), &Value::Null));
    assert_eq!(CRATE.json("count insert_keeps --scope 5 --json")["valid"], 32 * 5);
    assert_eq!(CRATE.json("count insert_keeps --scope 5 --engine korat --threads 2 --json")["valid"], 32 * 5);
    // At most 2 of 4 numbers.
    assert_eq!(CRATE.json("count exactly_bounded --json")["valid"], 1 + 4 + 6);
    assert_eq!(CRATE.json("count ignored --json")["valid"], 4, "whatever the harness would do with it");
    let printed = CRATE.ok("run pairs::pairs --print");
    assert!(printed.contains("list: 2 elements, true, false\nnumber: 1"), "{printed}");
    CRATE.error(2, "count exactly_bounded --scope 3", &["exact", "leave the scope or the size out"]);
    CRATE.error(
        2,
        "count exactly_bounded --args 3",
        &["`--args` is for structures of the catalogue", "`--scope N`"],
    );
}

#[test]
fn the_space_is_measured_and_explained() {
    assert!(CRATE.ok("size insert_keeps").contains("candidate vectors"));
    let explained = CRATE.ok("explain insert_keeps --scope 4");
    assert!(
        explained.starts_with("tests::insert_keeps_the_order = (SortedSet, u8), engine `lazy`\n"),
        "{explained}"
    );
    assert!(explained.contains("SortedSet.items") && explained.contains("64 valid"), "{explained}");
}

/// Each command builds the crate, and would repeat its warnings.
#[test]
fn warnings_of_the_crate_are_not_repeated() {
    let listed = CRATE.run("list");
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
}

/// The call is the one that the source shows, at its line.
#[test]
fn the_call_that_reads_every_element_is_named() {
    let source = fs::read_to_string(CRATE.desk.path("src/lib.rs")).unwrap();
    let line = 1 + source.lines().position(|line| line.trim() == "self.items.iter().collect();").unwrap();
    let explained = CRATE.ok("explain all_are_read");
    let expected = format!(
        "\nwhere most is read by value\n`collect` at src/lib.rs:{line}, in the conjunct `self.are_different()`, reads \
         every element of `Different.items`, so that each of their values is tried: compare the elements"
    );
    assert!(explained.contains(&expected), "`{expected}` is not in: {explained}");
}

/// The parts that fields declare are searched separately, as the library does, or it is said why not.
#[test]
fn disjoint_parts_are_those_of_the_fields() {
    let whole = CRATE.json("count parts::stores --json");
    let split = CRATE.json("count parts::stores --disjoint --json");
    assert_eq!((&whole["valid"], &split["valid"]), (&json!(7 * 28), &json!(7 * 28)));
    let explored = |summary: &Value| summary["explored"].as_u64().unwrap();
    assert!(explored(&split) * 3 < explored(&whole), "{split} {whole}");
    assert_eq!(split["engine"], "lazy, disjoint parts");
    let mut test = Command::new("cargo");
    // The features that the tool asks for, so that nothing is built twice.
    test.args([
        "test",
        "--quiet",
        "--lib",
        "--features",
        "smallscope/suites",
        "the_library_itself",
        "--",
        "--nocapture",
    ]);
    let library: Ended = test.envs(CRATE.environment()).current_dir(&CRATE.desk.0).output().unwrap().into();
    let line = format!("explored {} or ", explored(&split));
    assert!(library.stdout.contains(&line), "`{line}` is not in: {}", library.stdout);

    let explained = CRATE.ok("explain parts::stores --disjoint");
    assert!(explained.contains("part `items`: 7 valid, "), "{explained}");
    assert!(explained.contains("    Self::count(&self.items) == self.size\n"), "{explained}");
    let explained = CRATE.ok("explain stores_and_flags --disjoint");
    assert!(explained.contains("part `store: spares`: 28 valid, "), "{explained}");
    assert!(explained.contains("392 combinations"), "{explained}");
    assert_eq!(CRATE.json("count stores_and_flags --disjoint --json")["valid"], 392);
    let saved = CRATE.json("run stores_and_flags --disjoint --save disjoint.suite --json");
    assert_eq!((&saved["valid"], &saved["engine"]), (&json!(392), &json!("lazy, disjoint parts")));
    assert!(CRATE.ok("show disjoint.suite --at 392").contains("is_open: true"));

    for arguments in ["count sliced_in_vain --disjoint", "run sliced_in_vain --disjoint --threads 2"] {
        CRATE.error(
            1,
            arguments,
            &["the invariant, before its conjuncts, asks for `Eager.a` of the part `a`"],
        );
    }
    let explained = CRATE.ok("explain sliced_in_vain --disjoint");
    assert!(explained.contains("the parts cannot be searched apart"), "{explained}");
    CRATE.error(2, "count tests::exactly_bounded --disjoint", &["it has no parts", "part = \"name\""]);
}

#[test]
fn a_suite_is_saved_shown_resumed_and_exported() {
    let desk = &CRATE.desk;
    CRATE.ok("run fixture::tests::sets --save whole.suite");
    CRATE.error(2, "run fixture::tests::sets --save whole.suite", &["exists already", "`--force`"]);
    // Two tests have this name, and each finds its own suite.
    CRATE.ok("run pairs::tests::sets --save pairs.suite");
    assert!(CRATE.ok("show whole.suite").contains("items = 3 elements, 0, 1, 2\n"));
    assert!(!CRATE.ok("show pairs.suite").contains("items"));
    CRATE.error(3, "resume pairs.suite", &["complete"]);

    CRATE.ok("run insert_keeps --scope 5 --save whole.suite --force");
    CRATE.ok("run insert_keeps --scope 5 --save parts.suite --force --max 20");
    assert_eq!(CRATE.json("resume parts.suite --json")["valid"], 160);
    let read = |name| fs::read(desk.path(name)).unwrap();
    assert!(read("whole.suite") == read("parts.suite"), "the suites differ");
    assert!(CRATE.ok("show whole.suite --at 160").contains("set: items = 5 elements, 0, 1, 2, 3, 4\nx: 4"));
    assert_eq!(CRATE.ok("export whole.suite --to jsonl").lines().count(), 160);
    assert_eq!(CRATE.ok("export whole.suite --to dot").matches("digraph").count(), 160);

    // From another directory, by its manifest.
    let elsewhere = Desk::new("elsewhere");
    let suite = desk.path("whole.suite");
    let mut command = tool(&elsewhere.0);
    command.envs(CRATE.environment()).arg("show").arg(&suite).args(["--at", "1"]);
    let ended: Ended = command.output().unwrap().into();
    assert!(
        ended.code == 2 && ended.stderr.contains("of the package `fixture`, which is not here"),
        "{ended:?}"
    );
    let ended: Ended = command.arg("--manifest-path").arg(desk.path("Cargo.toml")).output().unwrap().into();
    assert!(ended.code == 0 && ended.stdout.contains("x: 0"), "{ended:?}");
}

#[test]
#[ignore = "builds the crate again, so `.ci/run` does it on its own"]
fn a_suite_is_exported_as_a_test_that_passes() {
    let desk = &CRATE.desk;
    let _changing = changing();
    CRATE.ok("run insert_keeps --scope 5 --save tested.suite");
    let mut command = CRATE.command("export tested.suite --to rust --output src/exported.rs --type");
    let ended: Ended =
        command.arg("smallscope::structures::Product<(crate::SortedSet, u8)>").output().unwrap().into();
    assert_eq!(ended.code, 0, "{ended:?}");
    let output = Command::new(env!("CARGO"))
        .args(["test", "--lib", "--features", "smallscope/suites", "exported"])
        .current_dir(&desk.0)
        .envs(CRATE.environment())
        .output()
        .unwrap();
    let ended = Ended::from(output);
    assert!(ended.code == 0 && ended.stdout.contains("1 passed"), "{ended:?}");
}

/// On Unix, a path is any bytes.
#[test]
fn a_file_has_the_name_that_was_given() {
    let name = |text: &'static [u8]| -> &OsStr { std::os::unix::ffi::OsStrExt::from_bytes(text) };
    let (suite, checkpoint) = (name(b"n\xffme.suite"), name(b"n\xffme.checkpoint"));
    let run = |arguments: &str, file: &OsStr, more: &[&OsStr]| {
        let ended: Ended = CRATE.command(arguments).arg(file).args(more).output().unwrap().into();
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        ended.stdout
    };
    run("run insert_keeps --scope 4 --max 20 --force --save", suite, &["--checkpoint".as_ref(), checkpoint]);
    assert!(CRATE.desk.0.join(suite).exists() && CRATE.desk.0.join(checkpoint).exists());
    run("resume", checkpoint, &[]);
    assert!(run("show", suite, &[]).contains("64 structures: all of them within the bounds"));
    run("sequences run counters --length 2 --force --save", name(b"\xff.txt"), &[]);
    assert!(CRATE.desk.0.join(name(b"\xff.txt")).exists());
    // The same in the tool itself.
    let desk = Desk::new("bytes");
    let run = |arguments: &str, files: &[&OsStr]| {
        let ended: Ended = tool(&desk.0).args(arguments.split(' ')).args(files).output().unwrap().into();
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        ended.stdout
    };
    let option = OsStr::new("--checkpoint");
    run("run search-tree --scope 3 --max 4 --save", &[suite, option, checkpoint]);
    run("resume", &[checkpoint]);
    assert!(run("show", &[suite]).contains("15 structures: all of them within the bounds"));
}

#[test]
fn its_calls_are_counted_run_and_replayed() {
    let count = CRATE.json("sequences count counters --json");
    assert_eq!((&count["distinct_calls"], &count["tests"]), (&json!(4), &json!("256")));
    let twice = "counter[0] = Counter::new(); counter[0].reset(); counter[0].reset()";
    let ended = CRATE.run("sequences run counters --json");
    assert_eq!(ended.code, 1, "{ended:?}");
    let object: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&object["outcome"], &object["result"]), (&json!("first-failure"), &json!("failed")));
    assert_eq!(object["clusters"][0]["sequence"], twice);
    let replay = CRATE.command("sequences replay counters").arg(twice).output().unwrap();
    let replayed = Ended::from(replay);
    assert_eq!(replayed.code, 1, "{replayed:?}");
    let last = "counter[0].reset()           panicked: reset twice (at src/lib.rs:";
    assert!(replayed.stdout.contains(last), "{}", replayed.stdout);
    assert!(replayed.stdout.ends_with("fails after 3 of 3 calls\n"), "{}", replayed.stdout);
    // Another strategy and length than the test's own.
    let all = CRATE.json("sequences run counters --strategy be --length 2 --json");
    assert_eq!((&all["exhaustive"], &all["tests"]), (&json!(true), &json!(16)));
    CRATE.error(2, "sequences run insert_keeps", &["is a test on values", "cargo smallscope run"]);
    CRATE.error(2, "run counters", &["a test of sequences", "sequences run tests::counters"]);
    CRATE.error(2, "sequences run counters --size 3", &["`--size` is for the subjects", "pools of its own"]);
    CRATE.error(2, "sequences replay counters 4:256", &["there is no test 256", "from 0 to 256 - 1"]);
}

#[test]
fn an_exploration_promises_no_more_than_its_comparison_can_tell() {
    let lossy = CRATE.ok("sequences run rings::shown --save rings.txt --force");
    assert!(!lossy.contains("all sequences"), "{lossy}");
    assert!(lossy.contains("5 states by sequences of up to 4 calls, none leads to a new one"), "{lossy}");
    assert!(lossy.contains("states compared by: the `Debug` text of `Ring` (lossy)"), "{lossy}");
    let saved = fs::read_to_string(CRATE.desk.path("rings.txt")).unwrap();
    assert!(
        saved.lines().next().unwrap().ends_with("(lossy)") && !saved.contains("all sequences"),
        "{saved}"
    );
    let json = CRATE.json("sequences run rings::shown --json");
    assert_eq!((&json["outcome"], &json["exhaustive"]), (&json!("lossy"), &json!(false)));
    assert_eq!(json["compared_by"], "the `Debug` text of `Ring` (lossy)");
    // A comparison that loses less finds what is hidden, and so does a complete one.
    for found in ["rings::shown --last-calls 7 --json", "rings::linearized --json"] {
        let ended = CRATE.run(&format!("sequences run {found}"));
        assert_eq!(ended.code, 1, "{found}: {ended:?}");
        assert!(ended.stdout.contains("index out of bounds"), "{found}: {ended:?}");
    }
    let counters = CRATE.ok("sequences run counters --length 2");
    assert!(counters.contains("all sequences of up to 2 calls"), "{counters}");
    assert!(counters.contains("states compared by: the `Hash` of `Counter` (vouched for)"), "{counters}");
    let error = ["a number of last calls is for the strategy `states`"];
    CRATE.error(2, "sequences run rings::shown --strategy be --last-calls 2", &error);
}

#[test]
fn sequences_without_a_call_that_tests_something_fail() {
    for strategy in ["states", "be", "bobw", "random --tests 20"] {
        let ended = CRATE.run(&format!("sequences run narrow_doors --strategy {strategy}"));
        assert_eq!(ended.code, 1, "{strategy}: {ended:?}");
        let why = "`open` takes `Door`, and there was none: `Door::try_new` returned none (";
        assert!(ended.stdout.contains(why), "{strategy}: {ended:?}");
        assert!(ended.stdout.contains("`rings::narrow_doors` has tested nothing"), "{strategy}: {ended:?}");
        assert!(ended.stdout.contains("`allow_empty` lets a run"), "{strategy}: {ended:?}");
        CRATE.ok(&format!("sequences run narrow_doors --strategy {strategy} --allow-empty"));
    }
    let ended = CRATE.run("sequences run narrow_doors --json");
    let json: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(json["result"], "nothing tested");
    assert!(
        json["error"].as_str().unwrap().starts_with("of 3 calls that were tried, only 2 could"),
        "{json}"
    );
    // The same as a test.
    let run = |allowed: &str| {
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(&CRATE.desk.0).envs(CRATE.environment()).env("SMALLSCOPE_ALLOW_EMPTY", allowed);
        command.args(["test", "--lib", "--features", "smallscope/suites", "narrow_doors"]);
        Ended::from(command.output().unwrap())
    };
    let failed = run("0");
    assert!(
        failed.code != 0 && failed.stdout.contains("has tested nothing: of 3 calls that were tried"),
        "{failed:?}"
    );
    let passed = run("1");
    assert!(passed.code == 0 && passed.stdout.contains("1 passed"), "{passed:?}");
}

#[test]
#[ignore = "builds the crate again, so `.ci/run` does it on its own"]
fn sequences_are_saved_as_tests_that_pass() {
    let _changing = changing();
    let states = CRATE.ok("sequences run counters --length 2 --save states.rs --force");
    assert!(states.contains("states.rs, 4 sequences"), "{states}");
    // Sequences for everything that can be reached.
    let saved = CRATE.ok("sequences run counters --length 2 --cover blocks --save src/calls.rs --force");
    assert!(saved.contains("\n3 of 5 blocks, by 3 sequences of up to 2 calls, "), "{saved}");
    assert!(saved.contains("\nno sequence of up to 2 calls reaches:\n  src/lib.rs:"), "{saved}");
    assert!(saved.contains("src/calls.rs, 3 sequences"), "{saved}");
    let source = fs::read_to_string(CRATE.desk.path("src/calls.rs")).unwrap();
    assert!(source.contains("\n// reaches Counter::add: entry\n#[test]\nfn sequence_2() {\n"), "{source}");
    CRATE.error(2, "sequences run counters --cover predicates", &["there are no predicates", "`blocks`"]);
    // Failing sequences are saved, too.
    assert_eq!(
        CRATE.run("sequences run counters --length 3 --cover blocks --save failing.txt --force").code,
        1
    );
    let text = fs::read_to_string(CRATE.desk.path("failing.txt")).unwrap();
    assert_eq!(text.matches("# fails: panicked: reset twice").count(), 1, "{text}");
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(&CRATE.desk.0).envs(CRATE.environment()).args(["test", "--lib", "calls::"]);
    let ended = Ended::from(command.args(["--features", "smallscope/suites"]).output().unwrap());
    assert!(ended.code == 0 && ended.stdout.contains("3 passed"), "{ended:?}");
}

#[test]
#[ignore = "builds everything anew, so `.ci/run` does it on its own"]
fn the_compiler_counts_what_is_run() {
    let counted = Crate::new("counted");
    // Flags of the user stay: without them the build fails.
    let lib = fs::read_to_string(counted.desk.path("src/lib.rs")).unwrap();
    let needs_flag = "#[cfg(not(of_the_user))]\ncompile_error!(\"a flag was lost\");\n";
    // The compiler does not count code from macros.
    let plain = lib.replace("#[cfg_attr(test, smallscope::cover)]\n", "").replace(".covers::<Counter>()", "");
    assert_ne!(plain, lib);
    fs::write(counted.desk.path("src/lib.rs"), format!("{plain}\n{needs_flag}")).unwrap();
    fs::create_dir(counted.desk.path(".cargo")).unwrap();
    let config = "build.rustflags = ['--cfg', 'of_the_user', '-A', 'unexpected_cfgs']\n";
    fs::write(counted.desk.path(".cargo/config.toml"), config).unwrap();
    let json = counted.json("sequences run counters --length 2 --cover llvm --json");
    let coverage = &json["code_coverage"];
    assert_eq!(coverage["of"], "llvm");
    let covered = coverage["covered"].as_u64().unwrap();
    assert!(covered >= 3 && covered < coverage["total"].as_u64().unwrap(), "{json}");
    assert_eq!(coverage["suite"].as_array().unwrap().len(), 3, "{json}");
    // A few functions and tests; with dependencies there would be thousands.
    assert!(coverage["total"].as_u64().unwrap() < 300, "{json}");
    assert!(counted.target.join("smallscope-llvm").exists());
    let files: Vec<_> = fs::read_dir(&counted.desk.0).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.iter().any(|file| file.extension() == Some(OsStr::new("profraw"))), "{files:?}");
}

#[test]
fn its_values_are_looked_at_on_a_page() {
    CRATE.ok("view insert_keeps_the_order --html sets.html");
    let html = fs::read_to_string(CRATE.desk.path("sets.html")).unwrap();
    let (_, data) = html.split_once(r#"id="data">"#).unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let count = CRATE.json("count insert_keeps_the_order --json")["valid"].as_u64().unwrap();
    assert_eq!(data["values"].as_array().unwrap().len() as u64, count);
    assert!(data["values"][1]["svg"].as_str().unwrap().contains("plate"), "{}", data["values"][1]);
    // The values before the invariant misbehaves are shown, and the page says why there are no more.
    CRATE.ok("view the_invariant_panics --html broken.html");
    assert!(fs::read_to_string(CRATE.desk.path("broken.html")).unwrap().contains("the invariant panics"));
    CRATE.error(2, "view insert_keep_the_order", &["did you mean"]);
    // A replayed test that fails says how to have a page.
    let mut replay = CRATE.command("replay no_set_is_full 3:3.0.1.2");
    let ended = Ended::from(replay.env("SMALLSCOPE_HTML", "1").output().unwrap());
    assert!(ended.stderr.contains("page:     "), "{ended:?}");
}

#[test]
fn a_value_is_replayed_by_the_test_itself() {
    let ended = CRATE.run("replay no_set_is_full 3:3.0.1.2");
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(
        ended.stderr.contains("a full set") && ended.stderr.contains("nothing else was run"),
        "{ended:?}"
    );
    assert_eq!(CRATE.run("replay no_set_is_full 3.0.1.2").code, 1, "as `show` prints it");
    assert_eq!(CRATE.run("replay no_set_is_full 3:2.0.1").code, 0);
    assert_eq!(CRATE.run("replay insert_keeps_the_order 2.0.1.0").code, 0);
    let ended = CRATE.run("replay ends_the_process 3:2.0.1");
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(
        ended.stderr.contains("`tests::ends_the_process` has ended the process (exit status: 0)"),
        "{ended:?}"
    );
    assert_eq!(CRATE.run("replay ends_the_process 3:1.0").code, 0);
}

/// `testing/compat/user` was written by an earlier version, in the same crate.
#[test]
#[ignore = "builds the crate again, so `.ci/run` does it on its own"]
fn files_of_an_earlier_version_are_resumed_tried_first_or_refused() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/compat/user");
    let older = Crate::new("older");
    // Otherwise cargo takes it for the other copy of the crate, and both overwrite each other's test binary.
    let manifest = fs::read_to_string(older.desk.path("Cargo.toml")).unwrap();
    fs::write(older.desk.path("Cargo.toml"), manifest.replace("\"0.1.0\"", "\"0.1.1\"")).unwrap();
    fs::create_dir(older.desk.path("smallscope-regressions")).unwrap();
    let records = ["fixture-tests.txt", "fixture-tests-sequences.txt"];
    let records = records.map(|file| format!("smallscope-regressions/{file}"));
    for file in
        ["part.suite", "part.checkpoint", "whole.suite"].into_iter().chain(records.iter().map(|file| &**file))
    {
        fs::copy(kept.join(file), older.desk.path(file)).unwrap();
    }
    // That version read all elements of a sorted vector. The vectors with one element, of which the part is, were found
    // in the same order, but the others were not.
    older.ok("resume part.checkpoint --threads 1");
    let values = older.ok("export part.suite --to jsonl");
    let objects: BTreeSet<&str> =
        values.lines().filter_map(|line| Some(line.split_once("objects")?.1)).collect();
    assert_eq!((values.lines().count(), objects.len()), (160, 160));
    for command in ["export whole.suite --to jsonl", "show whole.suite"] {
        older.error(3, command, &["searched this structure in another order", "save it again"]);
    }

    let mut command = Command::new(env!("CARGO"));
    command.current_dir(&older.desk.0).envs(older.environment());
    command.args(["test", "--lib", "--features", "smallscope/suites", "--"]);
    let ended = Ended::from(command.args(["no_set_is_full", "counters"]).output().unwrap());
    assert!(ended.stdout.contains("2 failed"), "{ended:?}");
    assert!(!ended.stdout.contains("warning") && !ended.stderr.contains("stale"), "{ended:?}");
    for line in [
        "SMALLSCOPE_REPLAY='3:3.0.1.2@548cf1feb5a63506' cargo test -p fixture tests::no_set_is_full -- --exact",
        "sequence: counter[0] = Counter::new(); counter[0].reset(); counter[0].reset()",
        "smallscope-regressions/fixture-tests.txt:3",
        "smallscope-regressions/fixture-tests-sequences.txt:3",
    ] {
        assert!(ended.stdout.contains(line), "`{line}` is not in: {}", ended.stdout);
    }
    for file in &records {
        let read = |directory: &Path| fs::read_to_string(directory.join(file)).unwrap();
        assert_eq!(read(&older.desk.0), read(&kept));
    }
}

#[test]
fn what_goes_wrong_inside_of_the_test_binary_is_reported() {
    CRATE.error(1, "count the_invariant_panics", &["error: ", "the invariant panics"]);
    CRATE.error(
        4,
        "count the_process_aborts",
        &["`tests::the_process_aborts` of `fixture` did not answer", "SIGABRT"],
    );
    CRATE.error(4, "list --features nonsense", &["the tests of `fixture` do not build"]);
}

#[test]
fn an_interrupted_search_in_the_test_binary_is_finished_cleanly() {
    let child = CRATE
        .command("run insert_keeps --scope 40 --save long.suite --json")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !CRATE.desk.path("long.suite").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "the suite does not appear");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
    let ended: Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, 130, "{ended:?}");
    let object: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(object["outcome"], "interrupted");
    let more = CRATE.json("resume long.suite --budget 200ms --json");
    assert!(more["valid"].as_u64() > object["valid"].as_u64(), "{object} {more}");
}

/// Runs a test as cargo does, and returns its output.
fn plain_run(name: &str, scope: &str) -> String {
    plain_run_with(name, scope, &[])
}

/// Runs a test as cargo does, with variables, and returns its output.
fn plain_run_with(name: &str, scope: &str, more: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args([
        "test",
        "--quiet",
        "--package",
        "fixture",
        "--features",
        "smallscope/suites",
        "--lib",
        "--",
    ]);
    command
        .args(["--exact", name, "--nocapture", "--include-ignored"])
        .current_dir(&CRATE.desk.0)
        .envs(CRATE.environment());
    let variables = [("SMALLSCOPE_SCOPE", scope), ("SMALLSCOPE_THREADS", "1"), ("SMALLSCOPE_PROGRESS", "1")];
    command.envs(variables).env("RUST_BACKTRACE", "0").env_remove("NEXTEST").envs(more.iter().copied());
    let output = command.output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_test_runs_in_its_shards() {
    let _unchanged = unchanged();
    let name = "tests::insert_keeps_the_order";
    let merged = |parts: usize| {
        CRATE.ok(&format!("shard plan {name} --scope 4 --parts {parts} --plan insert-{parts}.plan"));
        CRATE.ok(&format!("shard run insert-{parts}.plan"));
        CRATE.ok(&format!("shard merge insert-{parts}.plan"))
    };
    let (one, many) = (merged(1), merged(9));
    let coverage = one.lines().next().unwrap();
    assert!(coverage.contains("scopes 0 to 4 are covered exhaustively: "), "{one}");
    assert_eq!(many.lines().next(), Some(coverage));
    assert!(many.contains("shards: 10 of 10 are there and done"), "{many}");
    let plain = plain_run(name, "4");
    let edges = many.lines().nth(1).unwrap();
    assert!(
        edges.starts_with("edge values: ") && edges.contains("all of those in structures of scope"),
        "{many}"
    );
    assert!(plain.contains(edges) && one.contains(edges), "{plain}\n{one}");
    assert!(
        plain.contains(coverage.trim_start_matches("`tests::insert_keeps_the_order`: ")),
        "{plain}\n{one}"
    );
}

#[test]
fn the_first_failure_of_all_shards_is_that_of_one_run() {
    let _unchanged = unchanged();
    let name = "tests::no_set_is_full";
    let merged = |parts: usize| {
        CRATE.ok(&format!("shard plan {name} --scope 4 --parts {parts} --plan full-{parts}.plan"));
        let ran = CRATE.ok(&format!("shard run full-{parts}.plan"));
        assert!(ran.contains("of them failed, and `shard merge` shows the first failure"), "{ran}");
        let ended = CRATE.run(&format!("shard merge full-{parts}.plan"));
        assert_eq!(ended.code, 1, "{ended:?}");
        ended.stdout
    };
    let (one, many) = (merged(1), merged(6));
    let (report, last) = many.rsplit_once("failed: shard ").unwrap();
    assert!(
        last.ends_with(" has the first failure in the order of the search\n") && !last.contains(" of 2 "),
        "{many}"
    );
    assert_eq!(one.rsplit_once("failed: shard ").unwrap().0, report);
    let plain = plain_run(name, "4");
    for line in report.lines().filter(|line| !line.is_empty()) {
        assert!(plain.contains(line), "`{line}` is not in {plain}");
    }
    for part in
        ["a full set", "set: items = 3 elements, 0, 1, 2", "found:    value ", "replay:   SMALLSCOPE_REPLAY="]
    {
        assert!(report.contains(part), "{report}");
    }
    // Without the shards before it, a failure need not be the first one.
    fs::remove_file(CRATE.desk.path("full-6.shards/00001.shard")).unwrap();
    let ended = CRATE.run("shard merge full-6.plan");
    assert!(ended.code == 1 && ended.stdout.contains("need not be the first one"), "{ended:?}");
    assert!(ended.stdout.contains("shard 1 is missing"), "{ended:?}");
}

/// The merge looks for a value with fewer objects, as one run does.
#[test]
fn a_failure_of_shards_has_the_fewest_objects() {
    let _unchanged = unchanged();
    let name = "tests::no_pair_is_odd";
    CRATE.ok(&format!("shard plan {name} --parts 3 --plan odd.plan"));
    CRATE.ok("shard run odd.plan");
    let merged = CRATE.run("shard merge odd.plan");
    assert_eq!(merged.code, 1, "{merged:?}");
    let (report, last) = merged.stdout.rsplit_once("failed: shard ").unwrap();
    assert!(
        report.contains("none behind one") && report.contains(", a value with 1 object or element"),
        "{merged:?}"
    );
    assert!(last.contains("has the first failure"), "{merged:?}");
    let plain = plain_run_with(name, "2", &[]);
    for line in report.lines().filter(|line| !line.is_empty()) {
        assert!(plain.contains(line), "`{line}` is not in {plain}");
    }
    let json: Value = serde_json::from_str(&CRATE.run("shard merge odd.plan --json").stdout).unwrap();
    assert!(json["failure"].as_str().unwrap().contains("none behind one"), "{json:#}");
}

/// Long lengths are listed after the search, and the summary tells them from what is exhaustive.
#[test]
fn lengths_with_gaps_are_given_on_the_command_line() {
    let name = "tests::short_and_long";
    let own: Value = serde_json::from_str(&CRATE.ok(&format!("count {name} --json"))).unwrap();
    assert_eq!((&own["valid"], &own["exhaustive"]), (&15.into(), &true.into()), "{own:#}");
    assert_eq!(own["filled"]["tested"], 16, "{own:#}");
    let given = CRATE.ok(&format!("run {name} --len items=0..=1,9..=10 --print"));
    let filled = "exhausted: these are all structures within the bounds\n\
                  filled: 16 values with long lengths, 9, 10 of `items`; some of them only: ";
    assert!(given.contains("short_and_long (scope 2): 3 structures; ") && given.contains(filled), "{given}");
    assert!(
        given.contains("long lengths, elements are filled, each with its first value:\n\n#1  "),
        "{given}"
    );
    assert_eq!(given.matches("#16  ").count(), 1, "{given}");
    // Another test has no gap in its attribute, and its crate need not have the feature.
    let sized = CRATE.ok("count fixture::tests::sets --size 1 --len SortedSet.items=0..=1,9");
    assert!(sized.contains("(size 1): ") && sized.contains("\nfilled: "), "{sized}");
    let plain = CRATE.ok(&format!("count {name} --len items=0..=1"));
    assert!(plain.contains(": 3 structures; ") && !plain.contains("filled"), "{plain}");
    let saved = CRATE.ok(&format!("run {name} --save gaps.suite"));
    assert!(saved.contains("; they are not in the suite"), "{saved}");
    let some = CRATE.ok(&format!("count {name} --max 2"));
    assert!(some.contains("; none was listed, because the search has not covered everything else"), "{some}");
    CRATE.error(2, &format!("count {name} --len 0..=3"), &["has no field: write `items=0..=3`"]);
    CRATE.error(2, &format!("count {name} --len items=x"), &["`x` is no length: write a number or a range"]);
    CRATE.error(2, &format!("count {name} --len other=0..=1"), &["other"]);
}

/// One shard tries long lengths, and the merged report tells them from what is exhaustive.
#[test]
fn long_lengths_are_tried_in_one_shard() {
    let _unchanged = unchanged();
    let name = "tests::short_and_long";
    let merged = |parts: usize| {
        let planned = CRATE.ok(&format!("shard plan {name} --parts {parts} --plan long-{parts}.plan"));
        assert!(planned.contains("; one more for long lengths"), "{planned}");
        CRATE.ok(&format!("shard run long-{parts}.plan"));
        CRATE.ok(&format!("shard merge long-{parts}.plan"))
    };
    let (one, many) = (merged(1), merged(3));
    let plain = plain_run_with(name, "2", &[]);
    let filled = "filled: 16 values with long lengths, 64, 65 of `items`; some of them only: ";
    for text in [&one, &many, &plain] {
        assert!(text.contains("scopes 0 to 2 are covered exhaustively: 15 values"), "{text}");
        assert_eq!(text.matches(filled).count(), 1, "{text}");
    }
    let json: Value = serde_json::from_str(&CRATE.ok("shard merge long-3.plan --json")).unwrap();
    assert_eq!((&json["valid"], &json["filled"]["tested"]), (&15.into(), &16.into()), "{json:#}");

    CRATE.ok(&format!("shard plan {name} --len items=0..=1,9 --parts 2 --plan nine.plan"));
    CRATE.ok("shard run nine.plan");
    let merged = CRATE.ok("shard merge nine.plan");
    assert!(
        merged.contains("covered exhaustively: 3 values\nfilled: 8 values with long lengths, 9 of"),
        "{merged}"
    );

    let name = "tests::none_is_long";
    let planned = CRATE.ok(&format!("shard plan {name} --parts 2 --plan none-long.plan"));
    assert!(planned.contains("; one more for edge values and long lengths"), "{planned}");
    CRATE.ok("shard run none-long.plan");
    let ended = CRATE.run("shard merge none-long.plan");
    assert_eq!(ended.code, 1, "{ended:?}");
    let (report, last) = ended.stdout.rsplit_once("failed: shard ").unwrap();
    assert!(last.contains("has the first failure"), "{ended:?}");
    assert!(
        report.contains(
            "found:    value 2 of those with long lengths; elements are filled, each with its first"
        )
    );
    let plain = plain_run_with(name, "2", &[]);
    for line in report.lines().filter(|line| !line.is_empty()) {
        assert!(plain.contains(line), "`{line}` is not in {plain}");
    }
}

/// One shard tries edge values, and the first one tries what was recorded when the plan was made.
#[test]
fn edge_values_and_records_are_tried_in_shards() {
    let _unchanged = unchanged();
    let name = "tests::no_number_is_large";
    let failed = |plan: &str| {
        CRATE.ok(&format!("shard plan {name} --parts 2 --plan {plan}.plan"));
        CRATE.ok(&format!("shard run {plan}.plan"));
        let ended = CRATE.run(&format!("shard merge {plan}.plan"));
        assert_eq!(ended.code, 1, "{ended:?}");
        ended.stdout
    };
    let merged = failed("edges");
    let (report, last) = merged.rsplit_once("failed: shard ").unwrap();
    assert!(report.contains("a large number") && report.contains(" of those with edge values; "), "{merged}");
    let plain = plain_run_with(name, "2", &[]);
    for line in report.lines().filter(|line| !line.is_empty()) {
        assert!(plain.contains(line), "`{line}` is not in {plain}");
    }
    assert!(last.contains("has the first failure"), "{merged}");
    // The plain run has recorded it. Shards do not need the file.
    CRATE.ok(&format!("shard plan {name} --parts 2 --plan records.plan"));
    let file = CRATE.desk.path("smallscope-regressions/fixture-tests.txt");
    let records = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    CRATE.ok("shard run records.plan --shard 1");
    fs::write(&file, records).unwrap();
    let ended = CRATE.run("shard merge records.plan");
    let expected = "recorded in smallscope-regressions/fixture-tests.txt:";
    assert!(ended.code == 1 && ended.stdout.contains(expected), "{ended:?}");
    assert!(ended.stdout.contains("failed: shard 1 of "), "{ended:?}");
}

#[test]
fn the_values_of_a_test_can_be_divided_without_running_it() {
    let _unchanged = unchanged();
    CRATE.ok("shard plan tests::no_set_is_full --scope 4 --parts 5 --plan values.plan --keep-values");
    CRATE.ok("shard run values.plan");
    CRATE.ok("shard merge values.plan --save merged.suite");
    CRATE.ok("run tests::no_set_is_full --scope 4 --save undivided.suite");
    let bytes = |name: &str| fs::read(CRATE.desk.path(name)).unwrap();
    assert!(bytes("merged.suite") == bytes("undivided.suite"));
}

#[test]
fn the_environment_says_which_part_of_a_test_to_run() {
    let run = |more: &[(&str, &str)]| {
        plain_run_with("tests::sets", "3", &[&[("SMALLSCOPE_SHARD", "auto")], more].concat())
    };
    let said = run(&[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]);
    assert!(
        said.contains("smallscope: shard 2/3, as GitLab says in CI_NODE_INDEX and CI_NODE_TOTAL"),
        "{said}"
    );
    assert!(said.contains("covered for shard 2/3 (one value in 3)"), "{said}");
    // The name of the test is on the command line, as the runner of rules_rust writes it.
    let said = run(&[("TEST_SHARD_INDEX", "0"), ("TEST_TOTAL_SHARDS", "3")]);
    assert!(
        said.contains("SMALLSCOPE_SHARD: `auto`: the runner of rules_rust has divided the tests already"),
        "{said}"
    );
}

/// Runs and merges the shards of a plan until there is no further level. Returns the end of it, and the number of merges.
fn run_and_merge(plan: &str, more: &str) -> (Ended, usize) {
    for merges in 1..50 {
        CRATE.ok(&format!("shard run {plan}"));
        let ended = CRATE.run(&format!("shard merge {plan} {more}"));
        if ended.code != 3 {
            return (ended, merges);
        }
    }
    panic!("{plan} has no end");
}

/// Returns what a run in one process prints as JSON.
fn whole_run(test: &str) -> Value {
    let ended = CRATE.run(&format!("sequences run {test} --threads 1 --json"));
    serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{test}: {ended:?}"))
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn call_sequences_in_shards_are_those_of_one_run() {
    let _unchanged = unchanged();
    // Other settings are compared without processes, by the tests of the sequences.
    let tests = [
        ("rings::linearized --length 4", 0),
        ("tests::counters --clusters", 1),
        ("rings::narrow_doors", 1),
        ("rings::linearized --strategy be --length 8", 1),
        ("rings::linearized --strategy bobw --length 5 --seed 3 --tests 100", 0),
    ];
    for (number, (test, code)) in tests.into_iter().enumerate() {
        let plan = format!("calls-{number}.plan");
        CRATE.ok(&format!("shard plan {test} --parts 5 --plan {plan}"));
        let (ended, _) = run_and_merge(&plan, "--json");
        assert_eq!(ended.code, code, "{test}: {ended:?}");
        let mut merged: Value = serde_json::from_str(&ended.stdout).unwrap();
        let mut whole = whole_run(test);
        assert_eq!((&merged["done"], &merged["flaws"]), (&merged["shards"], &json!([])), "{test}");
        for key in ["shards", "done", "flaws", "seconds"] {
            merged.as_object_mut().unwrap().remove(key);
            whole.as_object_mut().unwrap().remove(key);
        }
        assert_eq!(merged, whole, "{test}");
    }
}

#[test]
fn the_report_of_call_sequences_in_shards_is_that_of_the_test() {
    let _unchanged = unchanged();
    CRATE.ok("shard plan tests::counters --parts 3 --plan report.plan");
    let (ended, merges) = run_and_merge("report.plan", "");
    assert_eq!((ended.code, merges), (1, 3), "{ended:?}");
    let mut test = Command::new("cargo");
    test.current_dir(&CRATE.desk.0).envs(CRATE.environment()).env("SMALLSCOPE_THREADS", "1");
    let output = test.args(["test", "--lib", "--features", "smallscope/suites", "tests::counters"]).output();
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    let (report, last) = ended.stdout.rsplit_once("failed: shard ").unwrap();
    assert!(report.contains("reset twice") && report.contains("replay:   SMALLSCOPE_REPLAY="), "{report}");
    assert!(said.contains(report.trim_end()), "{report}\n{said}");
    assert!(last.contains("has the first failure in the order of the sequences"), "{last}");
    // What the test has recorded is tried first by shards of later plans.
    CRATE.ok("shard plan tests::counters --length 1 --parts 3 --plan recorded.plan");
    fs::remove_file(CRATE.desk.path("smallscope-regressions/fixture-tests-sequences.txt")).unwrap();
    let (ended, _) = run_and_merge("recorded.plan", "");
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.stdout.contains(", and tried first; nothing else was run"), "{ended:?}");
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn shards_of_call_sequences_are_certified() {
    let _unchanged = unchanged();
    let desk = &CRATE.desk;
    for (name, test) in [("list", "--strategy be --length 5"), ("levels", "--length 4")] {
        let plan = format!("certified-{name}.plan");
        CRATE.ok(&format!("shard plan rings::linearized {test} --parts 4 --plan {plan}"));
        let (ended, merges) = run_and_merge(&plan, "");
        assert!(ended.stdout.contains("are there and done; their ranges meet"), "{ended:?}");
        assert_eq!((ended.code, merges > 1), (0, name == "levels"), "{ended:?}");
        let folder = desk.path(&format!("certified-{name}.shards"));
        let (second, third) = (folder.join("00002.shard"), folder.join("00003.shard"));
        let (good, other) = (fs::read(&second).unwrap(), fs::read(&third).unwrap());
        let expect = |expected: &str| {
            let ended = CRATE.run(&format!("shard merge {plan}"));
            assert_eq!(ended.code, 3, "{expected}: {ended:?}");
            assert!(
                ended.stdout.contains(expected) && !ended.stdout.contains("all sequences of"),
                "{ended:?}"
            );
        };
        fs::remove_file(&second).unwrap();
        expect("shard 2 is missing: run it");
        assert!(CRATE.ok(&format!("shard status {plan}")).contains("missing: 2"));
        fs::write(&second, &good[..good.len() - 3]).unwrap();
        expect("00002.shard is damaged");
        fs::write(&second, &other).unwrap();
        expect("shard 3 is there twice");
        fs::write(&second, &good).unwrap();
        CRATE.ok(&format!("shard plan rings::linearized {test} --parts 3 --plan foreign-{plan}"));
        CRATE.ok(&format!("shard run foreign-{plan} --shard 1"));
        fs::copy(
            desk.path(&format!("foreign-certified-{name}.shards/00001.shard")),
            folder.join("00001.shard"),
        )
        .unwrap();
        expect("does not belong to the plan");
        // What is missing or foreign is run again, with the same bytes.
        CRATE.ok(&format!("shard run {plan}"));
        assert!(fs::read(&second).unwrap() == good);
        assert_eq!(CRATE.run(&format!("shard merge {plan}")).stdout, ended.stdout);
    }
    // The states of a level are found again by merging.
    CRATE.ok("shard plan rings::linearized --length 5 --parts 4 --plan states.plan");
    CRATE.ok("shard run states.plan");
    assert_eq!(CRATE.run("shard merge states.plan").code, 3);
    fs::write(desk.path("states.shards/states"), "something else").unwrap();
    CRATE.error(3, "shard run states.plan", &["states", "`shard merge` writes it again"]);
    assert_eq!(CRATE.run("shard merge states.plan").code, 3);
    CRATE.ok("shard run states.plan");
    // An interrupted shard is named.
    CRATE.ok("shard plan rings::narrow_doors --strategy be --length 17 --parts 2 --plan slow.plan");
    let ended = CRATE.run("shard run slow.plan --shard 1 --budget 1ms");
    assert!(ended.stderr.contains("shard 1: stopped by the time budget"), "{ended:?}");
    let ended = CRATE.run("shard merge slow.plan");
    assert!(ended.stdout.contains("shard 1 was stopped by the time budget: run it again"), "{ended:?}");
}

#[test]
fn all_levels_of_an_exploration_are_submitted() {
    let _unchanged = unchanged();
    CRATE.ok(
        "shard plan tests::counters --length 4 --last-calls 3 --clusters --parts 3 --plan submitted.plan",
    );
    let ended = CRATE.run("submit submitted.plan --on local --workers 2");
    assert_eq!(ended.code, 1, "{ended:?}");
    let whole = whole_run("tests::counters --length 4 --last-calls 3 --clusters");
    assert!(ended.stdout.contains(whole["covered"].as_str().unwrap()), "{ended:?}");
    let plan = CRATE.json("shard status submitted.plan --json");
    assert!(
        plan["shards"] == plan["done"] && plan["shards"].as_u64() > Some(4),
        "levels have several shards: {plan}"
    );
    let again = CRATE.run("submit submitted.plan --on local");
    assert_eq!((again.code, again.stdout), (1, ended.stdout));
}

#[test]
fn what_call_sequences_in_shards_cannot_do_is_refused() {
    let _unchanged = unchanged();
    for (arguments, expected) in [
        ("rings::linearized --scope 3", "options such as `--scope` and `--keep-values` are about values"),
        (
            "fixture::tests::sets --length 3",
            "options such as `--length` and `--strategy` are about call sequences",
        ),
        ("rings::linearized --strategy be --abstraction shape", "`be` does not explore states"),
        ("rings::linearized --parts 0", "at least one shard"),
        ("rings::liniarized", "there is no smallscope test `rings::liniarized`"),
    ] {
        CRATE.error(2, &format!("shard plan {arguments} --plan refused.plan"), &[expected]);
    }
    CRATE.ok("shard plan rings::linearized --strategy be --length 2 --plan kept.plan");
    CRATE.error(2, "shard plan rings::linearized --plan kept.plan", &["`--force` to replace it"]);
    CRATE.error(2, "shard merge kept.plan --save all.suite", &["`--save` is about values"]);
}
