//! Tests that end their process. Each is executed by itself, as the harness does it: this binary is started again.

use smallscope::{Bounded, rep_ok};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The variable that makes the tests below die. Otherwise they pass.
const DIE: &str = "CRASHES_DIE";

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Pair {
    a: u8,
    b: u8,
}

impl Pair {
    fn is_fatal(&self) -> bool {
        self.a == 1 && self.b >= 1 && is_on()
    }
}

fn is_on() -> bool {
    std::env::var_os(DIE).is_some()
}

/// Fails when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a destructor panics");
    }
}

#[expect(unconditional_recursion, reason = "that is what is tested")]
fn endless_recursion() -> u64 {
    std::hint::black_box(endless_recursion()) + 1
}

macro_rules! ways_to_die {
    ($($name:ident: $how:expr;)*) => {
        $(mod $name {
            use super::*;

            #[smallscope::test(scope = 3)]
            fn dies(pair: Pair) {
                if pair.is_fatal() {
                    $how
                }
            }
        })*
    };
}

ways_to_die! {
    abort: std::process::abort();
    segfault: {
        // SAFETY: none; that is the point.
        unsafe { std::ptr::without_provenance_mut::<u8>(8).write_volatile(1) };
    };
    stack_overflow: {
        endless_recursion();
    };
    exit_0: std::process::exit(0);
    exit_1: std::process::exit(1);
    out_of_memory: {
        std::hint::black_box(vec![1_u8; 1 << 40]);
    };
    double_panic: {
        let _bomb = Bomb;
        panic!("the first panic");
    };
    panic_in_drop: drop((Bomb, Bomb));
    endless: loop {
        std::hint::spin_loop();
    };
    killed: {
        fs::write(std::env::var_os(DIE).unwrap(), std::process::id().to_string()).unwrap();
        std::thread::sleep(Duration::from_secs(60));
    };
    plain_failure: panic!("no crash");
    stopped: std::process::abort();
    annotated: panic!("no crash");
}

mod clustered {
    use super::*;

    #[smallscope::test(scope = 3, clusters, isolate, edges = false)]
    fn dies(pair: Pair) {
        match pair.b {
            1 if pair.is_fatal() => std::process::abort(),
            _ => assert!(!pair.is_fatal(), "not fatal"),
        }
    }
}

/// Its invariant swallows the limit on its time.
#[derive(Bounded, Debug)]
struct Swallows {
    a: u8,
}

#[rep_ok]
impl Swallows {
    fn rep_ok(&self) -> bool {
        self.a < 2 || swallow()
    }
}

fn swallow() -> bool {
    static IS_HELD: AtomicBool = AtomicBool::new(true);
    while is_on() && IS_HELD.load(Ordering::Relaxed) {
        let _ = std::panic::catch_unwind(std::hint::spin_loop);
    }
    true
}

mod swallows {
    use super::*;

    #[smallscope::test(scope = 4, edges = false)]
    fn dies(_: Swallows) {}
}

fn records(way: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("smallscope-regressions");
    folder.join(format!("runner-runner-crashes-{way}.txt"))
}

/// Removes the records of a test.
struct Clean(&'static str);

impl Drop for Clean {
    fn drop(&mut self) {
        let _ = fs::remove_file(records(self.0));
        // If it is empty.
        let _ = fs::remove_dir(records(self.0).parent().unwrap());
    }
}

/// How a test is executed.
fn command(way: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    // As `cargo nextest` does it, which is tested in `.ci/run`; libtest differs only in that it captures.
    command.args(["--exact", &format!("runner::crashes::{way}::dies"), "--nocapture"]);
    command.env(DIE, "1").stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SMALLSCOPE_") {
            command.env_remove(name);
        }
    }
    command
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The report of an isolated test that has failed.
fn report(mut command: Command) -> String {
    let output = command.env("SMALLSCOPE_ISOLATE", "1").output().unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(101), "{text}");
    text
}

/// Executes an isolated test, and checks that its report has everything.
fn reported(way: &'static str, how: &str) -> String {
    let clean = Clean(way);
    drop(Clean(way));
    let mut command = command(way);
    if way == "endless" {
        command.env("SMALLSCOPE_CALL_LIMIT", "500ms");
    }
    let text = report(command);
    for part in [
        &format!("`runner::crashes::{way}::dies` fails for a valid value\n\n  {how}"),
        "pair = Pair {\n    a: 1,\n    b: 1,\n}\n",
        "replay:   SMALLSCOPE_REPLAY='2:1.1@",
        &format!("recorded: smallscope-regressions/runner-runner-crashes-{way}.txt\n"),
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    let record = fs::read_to_string(records(way)).unwrap();
    assert!(record.lines().any(|line| line.contains("dies 2:1.1@")), "{record}");
    drop(clean);
    text
}

#[test]
fn ways_to_die_are_failures_with_their_value() {
    for (way, how) in [
        ("abort", "the process was ended by signal 6 (SIGABRT)\n"),
        ("segfault", "the process was ended by signal 11 (SIGSEGV)\n"),
        ("stack_overflow", "the process was ended by signal 6 (SIGABRT); it had written:\n"),
        ("exit_0", "the process exited with code 0\n"),
        ("exit_1", "the process exited with code 1\n"),
        ("double_panic", "the process was ended by signal 6 (SIGABRT); it had written:\n"),
        ("panic_in_drop", "the process was ended by signal 6 (SIGABRT); it had written:\n"),
        ("endless", "does not return: it was given up after 500ms\n"),
    ] {
        reported(way, how);
    }
    assert!(reported("stack_overflow", "").contains("has overflowed its stack"));
    // A test that only fails is as before.
    assert!(reported("plain_failure", "no crash\n  at ").contains("panicked at"));
}

#[test]
fn out_of_memory_is_a_failure_with_its_value() {
    let _clean = Clean("out_of_memory");
    let direct = command("out_of_memory");
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""])
        .arg(direct.get_program())
        .args(direct.get_args());
    limited.env(DIE, "1");
    let text = report(limited);
    assert!(text.contains("memory allocation of 1099511627776 bytes failed"), "{text}");
    assert!(text.contains("pair = Pair {\n    a: 1,\n    b: 1,\n}\n"), "{text}");
}

#[test]
fn a_kill_from_outside_is_a_failure_with_its_value() {
    let _clean = Clean("killed");
    let file = std::env::temp_dir().join(format!("smallscope-killed-{}", std::process::id()));
    let mut command = command("killed");
    command.env(DIE, &file).env("SMALLSCOPE_ISOLATE", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = command.spawn().unwrap();
    // The process that runs on the first fatal value is killed.
    let begun = Instant::now();
    let killer = std::thread::spawn({
        let file = file.clone();
        move || {
            for _ in 0..2000 {
                if let Some(id) = fs::read_to_string(&file).ok().filter(|id| !id.is_empty()) {
                    let _ = fs::remove_file(&file);
                    Command::new("kill").args(["-9", &id]).status().unwrap();
                    return;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    });
    let output = running.wait_with_output().unwrap();
    killer.join().unwrap();
    let _ = fs::remove_file(file);
    let text = text(&output);
    assert!(text.contains("the process was ended by signal 9 (SIGKILL)"), "{text}");
    assert!(text.contains("pair = Pair {\n    a: 1,\n    b: 1,\n}\n"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(50));
}

#[test]
fn a_run_goes_on_behind_crashes_if_clusters_are_wanted() {
    let _clean = Clean("clustered");
    let text = report(command("clustered"));
    assert!(text.contains("fails for 2 valid values, in 2 clusters"), "{text}");
    assert!(text.contains("the process was ended by signal 6 (SIGABRT)"), "{text}");
    assert!(text.contains("not fatal"), "{text}");
    assert!(text.contains("are covered exhaustively"), "{text}");
}

#[test]
fn an_invariant_that_swallows_its_time_limit_is_stopped() {
    let _clean = Clean("swallows");
    let mut command = command("swallows");
    command.env("SMALLSCOPE_CALL_LIMIT", "300ms").env("SMALLSCOPE_BUDGET", "300ms");
    let text = report(command);
    for part in ["does not return: it was given up after 300ms", "it was in the invariant", "a: 1"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn without_isolation_the_next_run_says_where_the_last_one_ended() {
    // So that the same test in the process of this one has other circumstances.
    let command = |way| {
        let mut command = command(way);
        command.env("SMALLSCOPE_SCOPE", "3");
        command
    };
    // What an earlier run of this test has left behind is said once, and then forgotten.
    for scope in ["3", "4"] {
        command("stopped").env("SMALLSCOPE_SCOPE", scope).env_remove(DIE).output().unwrap();
    }
    let first = command("stopped").output().unwrap();
    assert_eq!(first.status.code(), None);
    let second = text(&command("stopped").output().unwrap());
    for part in [
        "smallscope: `runner::crashes::stopped::dies`: an earlier run ended, or was stopped, while the test ran on this value:\n",
        "  pair = Pair {\n      a: 1,\n      b: 1,\n  }\n  pair: a = 1, b = 1\n",
        "SMALLSCOPE_ISOLATE=1",
    ] {
        assert!(second.contains(part), "{part:?} is not in\n{second}");
    }
    // The same with another number of values.
    let other = text(&command("stopped").env("SMALLSCOPE_SCOPE", "4").output().unwrap());
    assert!(!other.contains("an earlier run"), "{other}");
    // A test that passes says it once.
    for said in [true, false] {
        let passed = text(&command("stopped").env_remove(DIE).output().unwrap());
        assert_eq!(passed.contains("an earlier run"), said, "{passed}");
    }
    let _clean = Clean("stopped");
}

#[test]
fn a_test_that_passes_is_as_quiet_as_before() {
    let mut command = command("abort");
    let output = command.env_remove(DIE).env("SMALLSCOPE_ISOLATE", "1").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn failures_are_annotated_on_github() {
    let _clean = Clean("annotated");
    let run = |variable: &str| {
        let mut command = command("annotated");
        command.env("GITHUB_ACTIONS", "true").env(variable, "1").env("SMALLSCOPE_SCOPE", "2");
        text(&command.output().unwrap())
    };
    for (variable, line) in
        [("SMALLSCOPE_PROGRESS", "no crash"), ("SMALLSCOPE_ISOLATE", "fails for a valid value")]
    {
        let text = run(variable);
        let mut annotations = text.lines().filter(|line| line.starts_with("::error file="));
        let annotation = annotations.next().unwrap_or_else(|| panic!("{text}"));
        assert!(
            annotation.starts_with("::error file=crates/smallscope/tests/runner/crashes.rs,line="),
            "{text}"
        );
        assert!(annotation.contains(line) && annotation.contains("%0Apair = Pair {%0A"), "{annotation}");
        assert_eq!(annotations.next(), None);
    }
}
