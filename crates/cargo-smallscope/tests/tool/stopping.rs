//! Runs that are stopped or killed, and resumed.
//!
//! The number of moments at which a run is killed is in the variable `KILLS`:
//! `KILLS=100 cargo test --release -p cargo-smallscope --test tool killed`.
#![cfg(unix)]

use crate::common::{Desk, Ended, tool};
use serde_json::{Value, json};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Takes some tenths of a second, and fills more than one block of a suite.
const SPACE: &str = if cfg!(debug_assertions) {
    "sorted-list --args 8,8,9,8 --engine owned"
} else {
    "sorted-list --args 11,11,12,11 --engine owned"
};
/// The same with the lazy engine, which finds all values on one path.
const LEAF: &str =
    if cfg!(debug_assertions) { "sorted-list --args 10,10,11,10" } else { "sorted-list --args 13,13,14,13" };
/// Takes much longer than the test.
const ENDLESS: &str = "fibonacci-heap --scope 9 --engine owned";

fn start(desk: &Desk, arguments: &str) -> Child {
    let mut command = tool(&desk.0);
    command.args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
}

fn wait_for(file: &Path) {
    let start = Instant::now();
    while !file.exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "{} does not appear", file.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn end(child: Child) -> Ended {
    child.wait_with_output().unwrap().into()
}

#[test]
fn an_interrupted_run_sums_up_and_can_be_resumed() {
    let desk = Desk::new("interrupted");
    for signal in ["-INT", "-TERM"] {
        let child = start(&desk, &format!("run {ENDLESS} --save a.suite --force --json"));
        wait_for(&desk.path("a.suite"));
        std::thread::sleep(Duration::from_millis(300));
        send(&child, signal);
        let ended = end(child);
        assert_eq!(ended.code, 130, "{ended:?}");
        let object: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&object["outcome"], &object["exhaustive"]), (&json!("interrupted"), &json!(false)));
        let more = desk.json("resume a.suite --budget 200ms --json");
        assert!(more["explored"].as_u64() > object["explored"].as_u64(), "{object} {more}");
        assert!(more["valid"].as_u64() >= object["valid"].as_u64(), "{object} {more}");
        fs::remove_file(desk.path("a.suite")).unwrap();
    }
}

#[test]
fn interrupted_sequences_are_summed_up() {
    let desk = Desk::new("interrupted-sequences");
    for arguments in [
        "sequences run tree-map --size 30 --strategy bobw --length 50 --budget 1h --threads 2",
        "sequences run tree-map --size 60 --length 50",
    ] {
        let child = start(&desk, &format!("{arguments} --json"));
        std::thread::sleep(Duration::from_millis(300));
        send(&child, "-INT");
        let ended = end(child);
        assert_eq!(ended.code, 130, "{ended:?}");
        let object: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&object["outcome"], &object["exhaustive"]), (&json!("interrupted"), &json!(false)));
        // A list of tests continues where it stopped, and no test is lost.
        assert_eq!(object["next"].as_str().unwrap_or("0"), object["tests"].as_u64().unwrap_or(0).to_string());
        assert!(object["calls"].as_u64() > Some(0), "{object}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_reaches_its_memory_limit_sums_up_and_can_be_resumed() {
    let desk = Desk::new("memory");
    desk.ok(&format!("run {SPACE} --save whole.suite"));
    for threads in [1, 2] {
        let limits = format!("--memory 1MB --threads {threads}");
        let ended = desk.run(&format!("run {SPACE} --save part.suite --force {limits}"));
        assert_eq!(ended.code, 0, "{ended:?}");
        let said = "stopped by the memory limit: there may be more; `resume part.suite` continues; this process has ";
        assert!(ended.stdout.contains(said), "{ended:?}");
        assert!(
            ended.stdout.contains(" in memory, and the limit is 1.0 MB: raise the limit with `--memory "),
            "{ended:?}"
        );
        assert_eq!(ended.stderr, "smallscope: memory limit: 1.0 MB\n");
        let object = desk.json(&format!("resume part.suite {limits} --json"));
        assert_eq!((&object["outcome"], &object["exhaustive"]), (&json!("memory"), &json!(false)));
        assert!(desk.ok("show part.suite").contains("; the run ended early (memory)"));
        desk.ok("resume part.suite");
        assert!(fs::read(desk.path("part.suite")).unwrap() == fs::read(desk.path("whole.suite")).unwrap());
    }
    let ended = desk.run("reduce whole.suite --criterion path --per-class 1 --memory 1MB");
    assert!(ended.stdout.contains("stopped by the memory limit"), "{ended:?}");
    let run = "sequences run tree-map --size 9 --length 99 --max-states 100000000 --memory 1MB";
    for threads in [1, 2] {
        let object = desk.json(&format!("{run} --threads {threads} --json"));
        assert_eq!((&object["outcome"], &object["exhaustive"]), (&json!("limit"), &json!(false)));
        assert_eq!(object["stop"], "stopped by the memory limit");
        let covered = object["covered"].as_str().unwrap();
        assert!(covered.contains(" are covered exhaustively, of "), "{covered}");
        assert!(covered.contains(" in memory, and the limit is 1.0 MB: raise the limit"), "{covered}");
    }
    let error = desk.error(2, "run sorted-list --scope 3 --memory 2");
    assert!(error.contains("`2` is not a size of memory, such as `500 MB` or `2 GB`"), "{error}");
}

#[test]
fn an_interrupted_export_leaves_no_half_file() {
    let desk = Desk::new("interrupted-export");
    desk.ok(&format!("run {SPACE} --save a.suite"));
    let child = start(&desk, "export a.suite --to dot --output a.dot");
    wait_for(&desk.path("a.dot.part"));
    send(&child, "-INT");
    let ended = end(child);
    // The run may have ended before.
    let is_complete = ended.code == 0;
    assert!(is_complete || ended.code == 130, "{ended:?}");
    assert_eq!(desk.path("a.dot").exists(), is_complete);
    assert!(!desk.path("a.dot.part").exists());
}

#[test]
fn long_runs_say_on_standard_error_how_far_they_are() {
    let desk = Desk::new("progress");
    let ended = desk.run(&format!("count {ENDLESS} --budget 2500ms"));
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stderr.contains("% of the space by position (rough)"), "{ended:?}");
    assert!(!ended.stdout.contains('%'), "{ended:?}");
    assert_eq!(desk.run(&format!("count {ENDLESS} --budget 500ms")).stderr, "", "not worth a word");
}

/// Kills a run at a random moment, resumes it, kills that, and so on until it is done.
struct Killing<'a> {
    desk: &'a Desk,
    /// What is searched.
    space: &'static str,
    whole: Vec<u8>,
    /// How long the run takes.
    time: Duration,
    random: u64,
    /// How many runs continued where they were killed.
    resumed: usize,
}

impl Killing<'_> {
    fn moment(&mut self) -> Duration {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.time.mul_f64((self.random >> 32) as f64 / f64::from(u32::MAX))
    }

    fn kill(&mut self, arguments: &str) {
        let moment = self.moment();
        let mut child = start(self.desk, arguments);
        std::thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// With one way to run and to resume.
    fn round(&mut self, options: &str, file: &str) {
        for name in ["killed.suite", "killed.checkpoint"] {
            let _ = fs::remove_file(self.desk.path(name));
        }
        let space = self.space;
        self.kill(&format!("run {space} --save killed.suite {options}"));
        if self.desk.path(file).exists() {
            self.kill(&format!("resume {file}"));
        }
        let again = format!("run {space} --save killed.suite --force");
        if self.desk.path(file).exists() {
            let ended = self.desk.run(&format!("resume {file}"));
            let said = |text| ended.code == 3 && ended.stderr.contains(text);
            match ended.code {
                0 => self.resumed += 1,
                // Killed before the first bytes of the file were written, so nothing was found, either.
                _ if said("inside of the") => drop(self.desk.ok(&again)),
                _ => assert!(said("complete"), "{ended:?}"),
            }
        } else {
            // Killed before the first checkpoint, or after the end, when it is removed.
            self.desk.ok(&again);
        }
        let killed = fs::read(self.desk.path("killed.suite")).unwrap();
        assert!(killed == self.whole, "a suite of {} bytes in place of {}", killed.len(), self.whole.len());
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_ends_up_with_the_same_suite() {
    let kills: usize = std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let desk = Desk::new("killed");
    let mut resumed = 0;
    for (space, kills) in [(SPACE, kills / 2), (LEAF, kills - kills / 2)] {
        let begin = Instant::now();
        desk.ok(&format!("run {space} --save whole.suite --force"));
        let time = begin.elapsed();
        let whole = fs::read(desk.path("whole.suite")).unwrap();
        let random = RandomState::new().hash_one(());
        let mut killing = Killing { desk: &desk, space, whole, time, random, resumed: 0 };
        for i in 0..kills {
            match i % 3 {
                0 => killing.round("", "killed.suite"),
                1 => killing.round("--threads 2", "killed.suite"),
                _ => killing
                    .round("--checkpoint killed.checkpoint --checkpoint-every 5ms", "killed.checkpoint"),
            }
        }
        resumed += killing.resumed;
    }
    println!("{resumed} of {kills} runs went on where they were killed");
}
