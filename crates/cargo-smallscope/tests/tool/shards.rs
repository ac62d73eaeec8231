//! Shards of structures of the catalogue, from end to end.

use crate::common::{Desk, Ended, tool};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entry = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
    };
    fs::read_dir(folder).unwrap().map(entry).collect()
}

fn put(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir(folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn the_suite_of_all_shards_is_that_of_one_run() {
    let desk = Desk::new("shards-suite");
    for (name, space) in [
        ("korat", "search-tree --args 6,6,6,0,5 --engine korat"),
        ("lazy", "red-black-tree --scope 4"),
        ("owned", "sorted-list --args 6,6,7,6 --engine owned"),
        // Few runs of the invariant stand for many values, so cuts are inside of their sets.
        ("sets", "search-tree-value --args 2,2,2,30"),
    ] {
        desk.ok(&format!("shard plan {space} --parts 33 --plan {name}.plan --keep-values"));
        desk.ok(&format!("shard run {name}.plan --shard 2/3"));
        let ended = desk.run(&format!("shard merge {name}.plan"));
        assert!(ended.code == 3 && ended.stdout.contains("shard 1 is missing: run it"), "{ended:?}");
        assert!(!ended.stdout.contains("exhausted") && !ended.stdout.contains("these are all"), "{ended:?}");
        desk.ok(&format!("shard run {name}.plan"));
        let merged = desk.ok(&format!("shard merge {name}.plan"));
        assert!(merged.ends_with("exhausted: these are all structures within the bounds\n"), "{merged}");
        desk.ok(&format!("shard merge {name}.plan --save merged-{name}.suite"));
        desk.ok(&format!("run {space} --save whole-{name}.suite"));
        let suite = |which: &str| fs::read(desk.path(&format!("{which}-{name}.suite"))).unwrap();
        assert!(suite("merged") == suite("whole"), "{name}");
        let (merged, whole) = (
            desk.json(&format!("shard merge {name}.plan --json")),
            desk.json(&format!("count {space} --json")),
        );
        for key in ["explored", "valid", "exhaustive"] {
            assert_eq!(merged[key], whole[key], "{name}: {key}");
        }
    }
}

#[test]
fn classes_are_counted_over_all_shards() {
    let desk = Desk::new("shards-classes");
    desk.ok("shard plan list-as-set --args 4,4,3 --classes all --parts 9 --plan a.plan");
    desk.ok("shard run a.plan");
    let merged = desk.json("shard merge a.plan --json");
    let whole = desk.json("count list-as-set --args 4,4,3 --classes all --json");
    assert_eq!(merged["class_table"], whole["class_table"]);
    assert!(merged["class_table"].as_array().unwrap().len() > 3, "{merged}");
    let error = desk.error(2, "shard plan list-as-set --args 4,4,3 --classes one --plan b.plan");
    assert!(error.contains("use `--classes all`"), "{error}");
}

#[test]
#[ignore = "takes long, so `.ci/run` does it on its own"]
fn shards_have_about_equal_work() {
    let desk = Desk::new("shards-work");
    desk.ok("shard plan search-tree --args 8,8,8,0,7 --engine korat --parts 64 --plan a.plan");
    desk.ok("shard run a.plan");
    let work = desk.json("shard simulate a.plan --workers 1,16,64 --json");
    assert_eq!(work["total"], 2_606_968);
    assert!(work["largest_percent"].as_f64().unwrap() < 8.0, "{work}");
    assert!(work["planning_percent"].as_f64().unwrap() < 2.0, "{work}");
    let speed_up = |i: usize| work["speed_ups"][i]["speed_up"].as_f64().unwrap();
    assert!(speed_up(0) == 1.0 && speed_up(1) > 11.0 && speed_up(2) > 12.0, "{work}");
    let text = desk.ok("shard simulate a.plan");
    assert!(text.contains("2606968 units of work"), "{text}");
}

#[test]
fn a_plan_does_not_depend_on_the_number_of_threads() {
    let desk = Desk::new("shards-threads");
    for (name, space) in [
        ("korat", "search-tree --args 7,7,7,0,6 --engine korat"),
        ("lazy", "red-black-tree --scope 6 --keep-values"),
    ] {
        let plan = |threads: usize| {
            desk.ok(&format!(
                "shard plan {space} --parts 200 --plan {name}-{threads}.plan --threads {threads}"
            ));
            fs::read(desk.path(&format!("{name}-{threads}.plan"))).unwrap()
        };
        assert!(plan(1) == plan(4), "{name}");
    }
    desk.ok("shard plan search-tree --scope 3 --parts 4 --plan a.plan");
    desk.ok("shard run a.plan");
    let speed_up = |more: &str| {
        let work = desk.json(&format!("shard simulate a.plan --workers 2 --json {more}"));
        work["speed_ups"][0]["with_planning"].as_f64().unwrap()
    };
    assert!(speed_up("") < speed_up("--planning-threads 8"));
    assert!(speed_up("--planning-threads 8") < speed_up("--planning-threads 8 --times 100"));
    assert!(desk.error(2, "shard simulate a.plan --times 0").contains("it is a positive number"));
}

/// The bars of the plan: slow without optimisation.
#[test]
#[ignore = "searches 160 million candidates; run it with `--release`"]
fn the_largest_of_256_shards_has_at_most_two_percent() {
    let desk = Desk::new("shards-bars");
    for (name, space, total) in [
        ("trees", "search-tree --args 10,10,10,0,9 --engine korat", 155_455_872),
        ("red", "red-black-tree --args 11,11,11,11", 2_961_598),
    ] {
        desk.ok(&format!("shard plan {space} --parts 256 --plan {name}.plan"));
        desk.ok(&format!("shard run {name}.plan"));
        let work = desk.json(&format!("shard simulate {name}.plan --json"));
        assert_eq!(work["total"], total);
        println!("{name}: {work}");
        assert!(work["largest_percent"].as_f64().unwrap() <= 2.0, "{work}");
        assert!(work["planning_percent"].as_f64().unwrap() <= 2.0, "{work}");
    }
}

/// A random number below a limit.
fn random(state: &mut u64, below: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % below as u64) as usize
}

#[test]
fn no_damage_is_merged_silently() {
    damage("shards-damage", 80);
}

#[test]
#[ignore = "500 processes; `.ci/run` runs it"]
fn no_damage_of_many_is_merged_silently() {
    damage("shards-more-damage", 500);
}

fn damage(desk: &str, rounds: usize) {
    let desk = Desk::new(desk);
    let plan = |name: &str, space: &str, parts: usize| {
        desk.ok(&format!("shard plan search-tree {space} --parts {parts} --plan {name}.plan --keep-values"));
        desk.ok(&format!("shard run {name}.plan"));
        files(&desk.path(&format!("{name}.shards")))
    };
    let good = plan("good", "--scope 3", 8);
    let others = [
        plan("bounds", "--scope 2", 8),
        plan("engine", "--scope 3 --engine owned", 8),
        plan("cuts", "--scope 3", 5),
        // What another build writes differs in the fingerprint of the program, which is part of the record.
        plan("args", "--args 3,3,3,0,2", 8),
    ];
    assert!(desk.ok("shard merge good.plan").contains("exhausted"));
    let folder = desk.path("good.shards");
    let names: Vec<&String> = good.keys().collect();
    let mut seed = 0x5eed;
    let mut kinds = BTreeMap::new();
    for round in 0..rounds {
        let mut bad = good.clone();
        let (a, b) = (random(&mut seed, names.len()), random(&mut seed, names.len() - 1));
        let (name, other) = (names[a], names[(a + 1 + b) % names.len()]);
        let bytes = good[name].clone();
        let (kind, expected) = match round % 8 {
            0 => {
                bad.insert(name.clone(), bytes[..random(&mut seed, bytes.len())].to_vec());
                ("cut", "is damaged")
            }
            1 => {
                bad.insert(format!("copy-{name}"), bytes);
                ("doubled", "is there twice")
            }
            2 => {
                bad.insert(other.clone(), bytes);
                bad.insert(name.clone(), good[other].clone());
                ("swapped", "under another name")
            }
            3 => {
                let mut bytes = bytes;
                let at = random(&mut seed, bytes.len());
                bytes[at] ^= 1 << random(&mut seed, 8);
                bad.insert(name.clone(), bytes);
                ("flipped", "is damaged")
            }
            4 => {
                let others = &others[random(&mut seed, others.len())];
                let foreign = others.values().nth(random(&mut seed, others.len())).unwrap();
                bad.insert(name.clone(), foreign.clone());
                ("foreign", "does not belong to the plan")
            }
            5 => {
                bad.remove(name);
                ("missing", "is missing")
            }
            6 => {
                bad.insert(other.clone(), bytes);
                ("copied over another", "is there twice")
            }
            _ => {
                let mut bytes = bytes;
                bytes.extend(good[other].iter().take(1 + random(&mut seed, 40)));
                bad.insert(name.clone(), bytes);
                ("longer", "is damaged")
            }
        };
        *kinds.entry(kind).or_insert(0) += 1;
        put(&folder, &bad);
        // One process for all would be quicker, but what a user sees is the command.
        let ended = desk.run("shard merge good.plan --json");
        let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(ended.code, 3, "{kind}: {ended:?}");
        assert_eq!(
            (&answer["exhaustive"], &answer["outcome"]),
            (&false.into(), &"incomplete".into()),
            "{kind}"
        );
        let flaws = answer["flaws"].to_string();
        assert!(flaws.contains(expected), "{kind} {name}: {flaws}");
        if round < 8 {
            assert_eq!(desk.run("shard merge good.plan --save never.suite --force").code, 3, "{kind}");
            assert!(!desk.path("never.suite").exists(), "{kind}");
        }
    }
    assert_eq!(kinds.len(), 8);
    put(&folder, &good);
    assert!(desk.ok("shard merge good.plan").contains("exhausted"));
}

#[test]
fn a_shard_of_another_build_is_refused() {
    let desk = Desk::new("shards-build");
    desk.ok("shard plan search-tree --scope 3 --parts 4 --plan a.plan");
    let copy = desk.path("another-build");
    fs::copy(env!("CARGO_BIN_EXE_cargo-smallscope"), &copy).unwrap();
    let mut bytes = fs::read(&copy).unwrap();
    bytes.extend_from_slice(b"another");
    fs::write(&copy, bytes).unwrap();
    let run = |arguments: &str| {
        let mut command = std::process::Command::new(&copy);
        let output = command.current_dir(&desk.0).args(arguments.split(' ')).output().unwrap();
        Ended::from(output)
    };
    let ended = run("shard run a.plan");
    assert!(
        ended.code == 3 && ended.stderr.contains("another build of the program has made this plan"),
        "{ended:?}"
    );
    // With a plan of its own, its shards do not belong to the plan of the first build.
    assert_eq!(run("shard plan search-tree --scope 3 --parts 4 --plan b.plan").code, 0);
    assert_eq!(run("shard run b.plan --dir a.shards").code, 0);
    let ended = desk.run("shard merge a.plan");
    assert!(ended.code == 3 && ended.stdout.contains("another build of the program has run it"), "{ended:?}");
}

#[test]
#[cfg(unix)]
fn killed_anywhere_and_started_again_the_bytes_are_the_same() {
    let desk = Desk::new("shards-killed");
    desk.ok("shard plan search-tree --args 6,6,6,0,5 --engine korat --parts 24 --plan a.plan --keep-values");
    desk.ok("shard run a.plan --dir whole");
    let mut pause = 500;
    for _ in 0..12 {
        let mut child = tool(&desk.0).args(["shard", "run", "a.plan"]).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(pause));
        child.kill().unwrap();
        let is_over = child.wait().unwrap().success();
        if is_over {
            break;
        }
        pause = pause * 3 / 2;
    }
    desk.ok("shard run a.plan");
    let mut resumed = files(&desk.path("a.shards"));
    // What a killed process was writing has another name, and is ignored.
    resumed.retain(|name, _| name.ends_with(".shard"));
    assert!(resumed == files(&desk.path("whole")));
    assert!(desk.ok("shard merge a.plan").contains("exhausted"));
    // What is damaged is run again.
    let path = desk.path("a.shards/00007.shard");
    fs::write(&path, b"nothing").unwrap();
    assert!(desk.ok("shard run a.plan").contains("1 shard of 24 done; 23 shards were done before"));
    assert_eq!(fs::read(path).unwrap(), resumed["00007.shard"]);
}

#[test]
fn an_interrupted_shard_is_named_and_run_again() {
    let desk = Desk::new("shards-stopped");
    desk.ok("shard plan search-tree --args 9,9,9,0,8 --engine korat --parts 2 --plan a.plan");
    let ended = desk.run("shard run a.plan --shard 1 --budget 1ms");
    assert!(ended.code == 2 && ended.stderr.contains("stopped by the time budget"), "{ended:?}");
    let merged = desk.run("shard merge a.plan");
    assert!(merged.stdout.contains("shard 1 was stopped by the time budget: run it again"), "{merged:?}");
    assert!(desk.ok("shard status a.plan").contains("missing: 2"));
}

#[test]
fn the_environment_says_which_shards_to_run() {
    let desk = Desk::new("shards-auto");
    desk.ok("shard plan search-tree --scope 3 --parts 6 --plan a.plan");
    let run_with = |variables: &[(&str, &str)]| {
        let mut command = tool(&desk.0);
        command.args(["shard", "run", "a.plan", "--shard", "auto"]).env_remove("NEXTEST");
        Ended::from(command.envs(variables.iter().copied()).output().unwrap())
    };
    let run = run_with;
    let ended = run(&[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")]);
    assert!(
        ended.stderr.contains("shard 2/3, as GitLab says in CI_NODE_INDEX and CI_NODE_TOTAL"),
        "{ended:?}"
    );
    let status_text = desk.ok("shard status a.plan");
    assert!(status_text.contains("missing: 1,3-4,6"), "{status_text}");
    let status = desk.path("bazel-status");
    let bazel = [
        ("TEST_SHARD_INDEX", "0"),
        ("TEST_TOTAL_SHARDS", "3"),
        ("TEST_SHARD_STATUS_FILE", status.to_str().unwrap()),
    ];
    assert_eq!(run(&bazel).code, 0);
    assert!(status.exists() && desk.ok("shard status a.plan").contains("missing: 3,6"));
    let ended = run_with(&[("NEXTEST", "1"), ("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "3")]);
    assert!(ended.code == 2 && ended.stderr.contains("nextest has divided the tests already"), "{ended:?}");
    assert!(run(&[]).stderr.contains("no variable of the environment says which part to run"));
}

#[test]
fn usage_errors_say_what_to_do() {
    let desk = Desk::new("shards-usage");
    desk.ok("shard plan search-tree --scope 2 --parts 3 --plan a.plan");
    for (code, arguments, expected) in [
        (2, "shard plan search-tree --scope 2 --plan a.plan", "`--force` to replace it"),
        (2, "shard plan search-tree --scope 2 --parts 0 --plan b.plan", "at least one shard"),
        (2, "shard run a.plan --shard 9", "counted from 1"),
        (2, "shard run a.plan --shard 3-1", "`1-16`"),
        (3, "shard run nothing.plan", "nothing.plan"),
        (3, "shard merge Cargo.toml", "Cargo.toml"),
        (3, "shard simulate a.plan", "shard 1 is missing"),
        (3, "shard merge a.plan --save a.suite", "keep no values"),
    ] {
        let error = desk.error(code, arguments);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
}
