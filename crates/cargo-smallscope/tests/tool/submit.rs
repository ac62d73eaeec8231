//! Shards on schedulers. Those that are not on every machine are tried by `.ci/schedulers`.
#![cfg(unix)]

use crate::common::{Desk, Ended, tool};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The results of shards in a folder.
fn shards(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut shards = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "shard") {
            shards.insert(path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
    shards
}

/// A plan that takes a while, and its results on one worker.
fn planned(name: &str) -> (Desk, BTreeMap<String, Vec<u8>>) {
    let desk = Desk::new(name);
    desk.ok("shard plan search-tree --args 7,7,7,0,6 --engine korat --parts 64 --plan a.plan --keep-values");
    desk.ok("shard run a.plan --dir whole");
    let whole = shards(&desk.path("whole"));
    (desk, whole)
}

fn submit(desk: &Desk) -> Child {
    let mut command = tool(&desk.0);
    command.args(["submit", "a.plan", "--on", "local", "--workers", "2"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the workers of a process.
fn workers(of: &Child) -> Vec<i32> {
    let children = format!("/proc/{0}/task/{0}/children", of.id());
    let text = fs::read_to_string(children).unwrap_or_default();
    text.split_whitespace().map(|pid| pid.parse().unwrap()).collect()
}

fn signal(name: &str, pid: i32) {
    let _ = Command::new("kill").args([name, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// Waits until some shards are done, and returns the workers then.
fn half_way(child: &mut Child, folder: &Path) -> Vec<i32> {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        let is_begun = folder.exists() && shards(folder).len() > 4;
        let workers = workers(child);
        if is_begun && !workers.is_empty() {
            return workers;
        }
        assert!(child.try_wait().unwrap().is_none(), "it is too quick to be disturbed");
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("no shard was done in a minute");
}

#[test]
#[cfg(target_os = "linux")]
fn a_shard_of_a_lost_worker_is_run_again() {
    let (desk, whole) = planned("submit-lost");
    let mut child = submit(&desk);
    let lost = half_way(&mut child, &desk.path("a.shards"));
    signal("-9", lost[0]);
    let ended = Ended::from(child.wait_with_output().unwrap());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.ends_with("exhausted: these are all structures within the bounds\n"), "{ended:?}");
    assert!(ended.stderr.contains("of 64 shards were lost, and are run again: "), "{ended:?}");
    assert!(shards(&desk.path("a.shards")) == whole);
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_submission_continues() {
    let (desk, whole) = planned("submit-interrupted");
    let mut child = submit(&desk);
    let workers = half_way(&mut child, &desk.path("a.shards"));
    signal("-INT", child.id() as i32);
    let ended = Ended::from(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.stdout.as_str()), (130, ""), "{ended:?}");
    assert!(ended.stderr.contains("of 64 shards are done; the same command continues"), "{ended:?}");
    for worker in workers {
        assert!(!Path::new(&format!("/proc/{worker}")).exists(), "the workers have ended, too");
    }
    let before = shards(&desk.path("a.shards")).len();
    assert!(before < 64, "{before}");
    let merged = desk.ok("submit a.plan --on local --workers 2");
    assert_eq!(merged, desk.ok("shard merge a.plan"));
    assert!(shards(&desk.path("a.shards")) == whole);
}

#[test]
fn a_shard_that_never_ends_well_is_named() {
    let desk = Desk::new("submit-refused");
    desk.ok("shard plan search-tree --scope 2 --parts 3 --plan a.plan");
    // Another build refuses the plan each time.
    let copy = desk.path("another-build");
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_cargo-smallscope")).unwrap();
    bytes.extend_from_slice(b"another");
    fs::write(&copy, bytes).unwrap();
    fs::set_permissions(&copy, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new(&copy);
    command.current_dir(&desk.0).args(["submit", "a.plan", "--on", "local"]);
    let ended = Ended::from(command.output().unwrap());
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(ended.stderr.contains("shards are not done after 4 attempts: 1-"), "{ended:?}");
    assert!(ended.stderr.contains("another build of the program has made this plan"), "{ended:?}");
}

#[test]
fn a_scheduler_that_is_not_there_is_named() {
    let desk = Desk::new("submit-absent");
    desk.ok("shard plan search-tree --scope 2 --parts 3 --plan a.plan");
    for (on, program) in [("hyperqueue", "hq"), ("slurm", "sbatch")] {
        let mut command = tool(&desk.0);
        command.args(["submit", "a.plan", "--on", on]).env("PATH", "/nowhere");
        let ended = Ended::from(command.output().unwrap());
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.stderr.contains(&format!("`{program}` is not in the path")), "{ended:?}");
    }
}
