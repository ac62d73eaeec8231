//! Mutants of a user's crate, from end to end.
#![cfg(unix)]

use crate::common::{Desk, Ended, link_to, tool};
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
    let mut command = tool_here();
    command.arg("mutate").args(arguments.split_whitespace());
    command
}

/// The tool in the crate. All builds share the target directory.
fn tool_here() -> Command {
    let mut command = tool(&CRATE.0);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    command.env_remove("GITHUB_ACTIONS");
    // What the fixture of `user_crate` has, so that nothing is built twice.
    command.args(["--features", "smallscope/cover,smallscope/sequences"]);
    command
}

/// The book's chapter, followed literally. A line `..` stands for lines that it leaves out.
#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn the_chapter_of_the_book_is_as_it_says() {
    let chapter = include_str!("../../../../book/src/mutants.md");
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
        // With the features of the builds above, so that only this crate is built.
        manifest.replace(
            "smallscope\" }",
            "smallscope\", features = [\"cover\", \"mutate\", \"sequences\", \"suites\"] }",
        ),
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
    let output = cargo.args(["build", "--quiet", "--offline"]).current_dir(&desk.0).output().unwrap();
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
#[ignore = "takes long, so `.ci/run` does it on its own"]
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
#[ignore = "takes long, so `.ci/run` does it on its own"]
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
    // In the matrix, the values after one that ends the process are tried, too.
    let matrix = json("everything_ends --json --timeout 2s --matrix");
    assert_eq!((&matrix["values"], &matrix["killed"]), (&2.into(), &results["killed"]));
    for (function, kills) in
        [("aborts", [1, 2]), ("exits", [1, 2]), ("waits_until", [1, 2]), ("recurses", [2, 2])]
    {
        let changes = [("aborts", "false", "true"), ("exits", "false", "true"), ("waits_until", "0", "1")];
        let change = changes.iter().find(|change| change.0 == function).unwrap_or(&("", "n - 1", "n * 1"));
        let mutant = find(&matrix, function, change.1, change.2);
        assert_eq!(
            (&mutant["kills"][0], &mutant["tried"]),
            (&kills.to_vec().into(), &2.into()),
            "{mutant:#}"
        );
    }
}

/// Every mutant on every value, against runs of single mutants and a brute force over all sets of values.
#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn the_matrix_has_every_mutant_on_every_value() {
    let matrix = json("insert_keeps_the_order --matrix --json --threads 1");
    let first = json("insert_keeps_the_order --json");
    let mutants = matrix["mutants"].as_array().unwrap();
    let values = matrix["values"].as_u64().unwrap();
    assert_eq!(first["mutants"].as_array().unwrap().len(), mutants.len());
    let mut rows = vec![];
    for (mutant, other) in mutants.iter().zip(first["mutants"].as_array().unwrap()) {
        assert_eq!((&mutant["id"], &mutant["verdict"]), (&other["id"], &other["verdict"]));
        assert_eq!((&mutant["value"], &mutant["scope"]), (&other["value"], &other["scope"]));
        let Some(ranges) = mutant["kills"].as_array() else { continue };
        assert_eq!((&mutant["tried"], &mutant["problem"]), (&values.into(), &Value::Null));
        let mut row = vec![];
        for range in ranges {
            row.extend(range[0].as_u64().unwrap()..=range[1].as_u64().unwrap());
        }
        let is_killed = mutant["verdict"] == "killed" && mutant["scope"] != "edges";
        assert_eq!(row.is_empty(), !is_killed, "{mutant:#}");
        rows.push(row);
    }
    // The 8 sets of numbers below 3, each with 3 numbers, of which it has half on average. Edge values are left out.
    assert_eq!(values, 24);
    let row = |before: &str, after: &str| {
        let kills = &find(&matrix, "SortedSet::insert", before, after)["kills"];
        kills
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r[1].as_u64().unwrap() + 1 - r[0].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(row("self.items.insert(at, x);", ""), 12);
    assert_eq!((row("true", "false"), row("false", "true")), (12, 12));
    let suite = |name: &str| {
        let suites = matrix["suites"].as_array().unwrap();
        suites.iter().find(|suite| suite["name"] == name).unwrap_or_else(|| panic!("{name}: {suites:?}"))
    };
    rows.retain(|row| !row.is_empty());
    let killed = Value::from(rows.len());
    assert_eq!((&suite("all")["size"], &suite("all")["killed"]), (&values.into(), &killed));
    assert_eq!(suite("minimal")["killed"], killed);
    for name in ["10 %, by class", "1 %, by class", "one per class", "one per path"] {
        let (size, killed) = (suite(name)["size"].as_u64().unwrap(), suite(name)["killed"].as_u64().unwrap());
        assert!((1..values).contains(&size) && killed <= matrix["killed"].as_u64().unwrap(), "{name}");
        assert!(suite(name)["random"].as_f64().unwrap() <= matrix["killed"].as_f64().unwrap(), "{name}");
    }
    let minimal = matrix["minimal"]["values"].as_array().unwrap();
    assert_eq!(matrix["minimal"]["smallest"], true);
    assert!(minimal.iter().all(|value| value["value"].as_str().unwrap().starts_with("set = SortedSet")));
    let numbers: Vec<u64> = minimal.iter().map(|value| value["number"].as_u64().unwrap()).collect();
    assert!(rows.iter().all(|row| row.iter().any(|number| numbers.contains(number))), "{numbers:?}");
    let is_needed = |left_out: &u64| {
        rows.iter().any(|row| !row.iter().any(|number| number != left_out && numbers.contains(number)))
    };
    assert!(numbers.iter().all(is_needed), "{numbers:?}");
    let scopes = matrix["scopes"]["up_to"].as_array().unwrap();
    assert_eq!(scopes.len(), 4);
    assert_eq!(scopes[3]["killed"], killed);
    assert_eq!(matrix["scopes"], first["scopes"]);
    assert_eq!(ok("insert_keeps_the_order --matrix --json --threads 2"), matrix.to_string() + "\n");
    let text = ok("insert_keeps_the_order --matrix --threads 2");
    assert!(text.contains("\nscope      values  reached  killed\n"), "{text}");
    assert!(text.contains("\nall  ") && text.contains("; no fewer do:\n  value "), "{text}");
}

/// Each shard runs some mutants, and together they say what one run says.
#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn mutants_in_shards_are_those_of_one_run() {
    let shard = |arguments: &str| -> Ended {
        tool_here().arg("shard").args(arguments.split_whitespace()).output().unwrap().into()
    };
    let done = |arguments: &str| {
        let ended = shard(arguments);
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        ended.stdout
    };
    let _ = fs::remove_dir_all(CRATE.path("m.shards"));
    let planned = done("plan insert_keeps_the_order --mutants --matrix --parts 5 --plan m.plan --force");
    assert_eq!(planned, "m.plan: 5 shards of 61 mutants\n");
    let again = shard("plan insert_keeps_the_order --mutants --plan m.plan");
    assert!(again.code == 2 && again.stderr.contains("m.plan exists already"), "{again:?}");
    done("run m.plan --shard 1,3-5");
    let part = shard("merge m.plan");
    assert_eq!(part.code, 3, "{part:?}");
    assert!(
        part.stdout.contains("not all mutants were run: 4 of 5 shards are done\n  shard 2 is missing"),
        "{part:?}"
    );
    assert!(done("status m.plan").starts_with("4 of 5 shards are done in m.shards: "));
    done("run m.plan");
    assert_eq!(done("merge m.plan"), ok("insert_keeps_the_order --matrix"));
    assert_eq!(done("merge m.plan --json"), ok("insert_keeps_the_order --matrix --json"));
    let file = CRATE.path("m.shards/00002.shard");
    let bytes = fs::read(&file).unwrap();
    done("run m.plan --shard 2 --force");
    assert!(fs::read(&file).unwrap() == bytes, "the file of a shard is always the same");
    fs::copy(CRATE.path("m.shards/00003.shard"), &file).unwrap();
    let doubled = shard("merge m.plan");
    assert!(doubled.code == 3 && doubled.stdout.contains("shard 3 is there twice"), "{doubled:?}");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    fs::write(&file, damaged).unwrap();
    let ended = shard("merge m.plan");
    assert!(ended.code == 3 && ended.stdout.contains("is damaged"), "{ended:?}");
    fs::write(&file, bytes).unwrap();
    let saved = shard("merge m.plan --save m.suite");
    assert!(saved.code == 2 && saved.stderr.contains("this plan is of mutants; leave it out"), "{saved:?}");
    let limited = shard("run m.plan --budget 1s");
    assert!(limited.code == 2 && limited.stderr.contains("are those of the plan"), "{limited:?}");
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn a_diff_selects_the_mutants_on_changed_lines() {
    let source = fs::read_to_string(CRATE.path("src/lib.rs")).unwrap();
    let line = 1 + source.lines().position(|line| line.contains("self.items[at] == x")).unwrap();
    let diff = format!("--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -{line} +{line} @@\n-old\n+new\n");
    let file = CRATE.path("changed.diff");
    fs::write(&file, diff).unwrap();
    let results = json(&format!("insert_keeps_the_order --json --in-diff {}", file.display()));
    let mutants = results["mutants"].as_array().unwrap();
    assert!(!mutants.is_empty() && mutants.iter().all(|mutant| mutant["line"] == line as u64), "{results:#}");
    fs::write(&file, "").unwrap();
    let text = ok(&format!("insert_keeps_the_order --in-diff {}", file.display()));
    assert!(text.contains("the diff changes no line with a mutant"), "{text}");
    fs::write(&file, "no diff").unwrap();
    error(
        3,
        &format!("insert_keeps_the_order --in-diff {}", file.display()),
        &["it is no diff; make it with"],
    );
    error(3, "insert_keeps_the_order --in-diff missing", &["the diff missing cannot be read"]);
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn a_suite_of_the_test_is_run_and_one_of_another_structure_is_refused() {
    let path = |name: &str| CRATE.path(name).display().to_string();
    let save = |structure: &str, file: &str| {
        let mut run = tool(&CRATE.0);
        run.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap());
        run.args(["run", "--catalogue", structure, "--scope", "2", "--force", "--save", file]);
        assert!(run.output().unwrap().status.success());
    };
    save("search-tree", &path("trees.suite"));
    let other = format!("insert_keeps_the_order --suite {}", path("trees.suite"));
    error(2, &other, &["the suite ", "trees.suite: "]);
    error(2, "insert_keeps_the_order --suite missing.suite", &["cannot be read", "cargo smallscope run"]);
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
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
    error(
        2,
        "insert_keeps_the_order --mutant nonsense",
        &["the test never runs the function", "`--list` prints the ids"],
    );
    let one = id("`self.items[at] < x` becomes `self.items[at] <= x`");
    let text = ok(&format!("insert_keeps_the_order --mutant {one}"));
    assert!(text.starts_with("`tests::insert_keeps_the_order`: 1 of 1 mutants killed (100.0 %)"), "{text}");
    assert!(text.contains("\n#[test]\nfn kills_lib_sortedset_insert_ror_"), "{text}");
    let desk = Desk::new("mutants-elsewhere");
    let elsewhere = desk.error(2, "mutate search-tree --catalogue");
    assert!(
        elsewhere.contains("the catalogue has no operation of `search-tree` with mutants"),
        "{elsewhere}"
    );
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn mutants_run_on_call_sequences() {
    let results = json("the_dial_stays_in_its_range --threads 2 --json");
    assert_eq!(results["bound"], "length 5");
    let of = |before: &str, after: &str| find(&results, "Dial::up", before, after)["verdict"].clone();
    assert_eq!(of("self.at == 3", "self.at != 3"), "killed");
    assert_eq!(of("self.at == 3", "self.at >= 3"), "equivalent");
    let late = find(&results, "Dial::up", "3", "4");
    assert_eq!(late["verdict"], "killed");
    // Four calls are the fewest.
    assert_eq!(late["value"].as_str().unwrap().matches("dial.up();").count(), 4, "{late}");
    // A loop that does not end is stopped by its steps.
    let endless = find(&results, "Dial::reset", "self.down();", "");
    assert_eq!(
        (&endless["verdict"], &endless["how"]),
        (&"killed".into(), &"does not end".into()),
        "{endless}"
    );
    assert_eq!(
        ok("the_dial_stays_in_its_range --threads 1 --json"),
        ok("the_dial_stays_in_its_range --json")
    );
    let text = ok("the_dial_stays_in_its_range --length 1");
    assert!(text.contains("equivalent up to length 1: the test passes on everything there"), "{text}");
    error(2, "the_dial_stays_in_its_range --matrix", &["`--matrix` is for tests on values"]);
    error(2, "the_dial_stays_in_its_range --scope 2", &["give `--length N`"]);
    error(2, "insert_keeps_the_order --length 2", &["`--length` is for call sequences"]);
}

/// The tool on the catalogue, in an empty folder.
fn of_catalogue(arguments: &str) -> Ended {
    let desk = Desk::new("operations");
    let mut command = tool(&desk.0);
    command
        .env_remove("GITHUB_ACTIONS")
        .arg("mutate")
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
        .into()
}

#[test]
fn operations_of_the_catalogue_have_mutants() {
    let ended = of_catalogue("search-tree-value delete --args 3,0,3,3 --matrix --json");
    let results: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{ended:?}"));
    assert_eq!((&results["test"], &results["tested"]), (&"search-tree-value delete".into(), &45.into()));
    assert_eq!((&results["marked"], &results["equivalent"]), (&2.into(), &0.into()));
    let suites = results["suites"].as_array().unwrap();
    let of = |name: &str| suites.iter().find(|suite| suite["name"] == name).unwrap();
    assert_eq!(of("all")["killed"], results["killed"]);
    assert_eq!(of("pruned by class")["killed"], results["killed"]);
    assert!(of("pruned by class")["size"].as_u64() < of("all")["size"].as_u64());
    // In one process, the same mutants die.
    let delete = smallscope_operations::operation("search-tree-value", "delete").unwrap();
    let bounds = smallscope_catalogue::search_tree_value::bounds(3, 0, 3, 3);
    let all = [(1..=45).collect()];
    let options = smallscope::search::Options::default();
    let (values, measured) = smallscope_operations::measure(delete, &bounds, options, &all, 2).unwrap();
    assert_eq!(values, 45);
    let rows = results["mutants"].as_array().unwrap();
    let mut killed: Vec<&str> = vec![];
    for row in rows.iter().filter(|row| row["verdict"] == "killed") {
        killed.extend(row["id"].as_str());
    }
    let dead = measured.iter().filter(|measured| measured.first[0].is_some());
    assert_eq!(killed, dead.map(|measured| measured.known.id.as_str()).collect::<Vec<_>>());
    let text = of_catalogue("list-as-set list-to-set --scope 2 --by-scope").stdout;
    assert!(text.contains("scope      values  reached  killed"), "{text}");
    for (arguments, expected) in [
        ("binomial-heap-pair", "name the operation of `binomial-heap-pair`, too: `merge`"),
        ("binomial-heap-pair meld", "there is `merge`"),
        ("digraph", "has no operation of `digraph` with mutants; it has `avl-list add-all`"),
        ("digraph merge", "`digraph` has no operation `merge` with mutants"),
        ("binomial-heap-pear merge", "did you mean `binomial-heap-pair`"),
        ("binomial-heap-pair merge --args 1,2", "takes 1 argument"),
        ("binomial-heap-pair merge --args 2 --mutant x", "has no mutant `x`"),
        ("binomial-heap-pair merge --args 2 --suite none", "none"),
    ] {
        let ended = of_catalogue(arguments);
        assert!(ended.code != 0 && ended.stderr.contains(expected), "{arguments}: {ended:?}");
    }
}
