//! Call sequences that end their process. This binary is started again, as harnesses do it.

use smallscope::sequences::{Builder, Context, Pool, by_mut, nothing};
use std::path::PathBuf;
use std::process::Command;

/// The variable that says how calls die. Otherwise they do not.
const DIE: &str = "CRASHES_DIE";

#[derive(Clone, Debug, smallscope::sequences::Linearize)]
pub struct Stack {
    items: Vec<u8>,
}

#[smallscope::api]
impl Stack {
    pub fn new() -> Self {
        Stack { items: vec![] }
    }

    pub fn push(&mut self, item: u8) {
        self.items.push(item);
        if self.items.ends_with(&[1, 0]) {
            match std::env::var(DIE).as_deref() {
                Ok("abort") => std::process::abort(),
                Ok("exit") => std::process::exit(0),
                Ok("endless") => loop {
                    std::hint::spin_loop();
                },
                Ok("panic") => panic!("no crash"),
                _ => {}
            }
        }
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }
}

fn stacks() -> Builder {
    Context::builder()
        .pool(Pool::<Stack>::empty(2).cloned().linearized().shown())
        .pool(Pool::of([0u8, 1]))
        .api::<Stack>()
}

#[smallscope::sequences(length = 4)]
fn states() -> Builder {
    stacks()
}

#[smallscope::sequences(length = 30, strategy = "bobw", tests = 200)]
fn lists() -> Builder {
    stacks()
}

/// Has many states, and dies after many calls.
#[derive(Clone, Debug, smallscope::sequences::Linearize)]
pub struct Deep(Vec<u8>);

#[smallscope::api(into_empty, pool(item = 0..4))]
impl Deep {
    pub fn new() -> Self {
        Deep(vec![])
    }
    pub fn push(&mut self, item: u8) {
        // Otherwise it has few states, whatever the time budget is.
        let is_deep = std::env::var_os(DIE).is_some_and(|way| way == "abort");
        if is_deep || self.0.len() < 3 {
            self.0.push(item);
        }
        if self.0.len() == 12 {
            std::process::abort();
        }
    }
}

#[smallscope::sequences(length = 14, budget = "2s")]
fn deep() -> Builder {
    Context::builder().pool(Pool::<Deep>::empty(1).cloned().linearized()).api::<Deep>()
}

/// Dies in one way and panics in another, behind it.
#[smallscope::sequences(length = 4, strategy = "states", clusters)]
fn both() -> Builder {
    stacks().method("drain", (by_mut::<Stack>(),), nothing(), |(stack,)| {
        let is_wanted = std::env::var_os(DIE).is_some();
        assert!(!is_wanted || stack.items != [1, 1], "behind the crash");
    })
}

/// Each number that is pushed ends the process, so there are many crashes in few calls.
#[smallscope::sequences(length = 30, strategy = "bobw", tests = 300, clusters)]
fn often() -> Builder {
    stacks()
}

fn check_that_a_run_with_clusters_goes_on_behind_crashes() {
    let text = run("both", "abort", true);
    for part in [
        "`green::crashes::both` fails after 3 calls\n",
        "    stack_0.push(1);\n    stack_0.push(0);\n    // the process was ended by signal 6 (SIGABRT)",
        "crashes in all",
        "\n\nwithout these calls:\n",
        "`green::crashes::both` fails after 4 calls\n",
        "// panicked: behind the crash",
        "nothing was tried after calls that fail",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(!text.contains("all sequences of"), "{text}");
    // `push(0)` on both stacks is left out after three crashes each; the rest of the list is run.
    let text = run("often", "abort", true);
    for part in [
        "like it:  6 crashes in all",
        "(and without `stack[0].push(u8_[0])` everywhere: it ends the process often)",
        "(and without `stack[1].push(u8_[0])` everywhere: it ends the process often)",
        "`green::crashes::often`: 300 of ",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

fn records() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("smallscope-regressions/green-green-crashes-sequences.txt")
}

fn remove_records() {
    let _ = std::fs::remove_file(records());
    let _ = std::fs::remove_dir(records().parent().unwrap());
}

fn run(test: &str, way: &str, isolate: bool) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SMALLSCOPE_") {
            command.env_remove(name);
        }
    }
    command.args(["--exact", &format!("green::crashes::{test}"), "--nocapture"]).env(DIE, way);
    command.env("SMALLSCOPE_ISOLATE", if isolate { "1" } else { "0" }).env("SMALLSCOPE_CALL_LIMIT", "500ms");
    let output = command.output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// One test, because the records of all are in one file.
#[test]
fn calls_that_end_the_process_are_failures_with_their_sequence() {
    let sequence = "sequence: stack[0] = Stack::new(); stack[0].push(u8_[1]); stack[0].push(u8_[0])\n";
    for (test, way, how) in [
        ("states", "abort", "the process was ended by signal 6 (SIGABRT)"),
        ("lists", "abort", "the process was ended by signal 6 (SIGABRT)"),
        ("states", "exit", "the process exited with code 0"),
        ("states", "endless", "does not return: it was given up after 500ms"),
        ("lists", "panic", "panicked: no crash"),
    ] {
        remove_records();
        let text = run(test, way, true);
        let name = format!("`green::crashes::{test}` fails after 3 calls\n");
        let source = "    let mut stack_0 = Stack::new();\n    stack_0.push(1);\n    stack_0.push(0);\n";
        let source = format!("{source}    // {how}");
        for part in
            [&name, &source, sequence, "replay:   SMALLSCOPE_REPLAY='stack[0] = Stack::new();", "recorded: "]
        {
            assert!(text.contains(part), "{test}, {way}: {part:?} is not in\n{text}");
        }
        assert!(text.contains(", made smaller") == (test == "lists"), "{text}");
        let recorded = std::fs::read_to_string(records()).unwrap();
        assert!(recorded.contains("push(u8_[1]); stack[0].push(u8_[0]) #"), "{recorded}");
    }
    // Found by the long sequences of the default strategy.
    let text = run("deep", "abort", true);
    assert!(text.contains("`green::crashes::deep` fails after 13 calls\n"), "{text}");
    assert!(text.contains("    deep.push(0);\n    // the process was ended by signal 6 (SIGABRT)"), "{text}");
    remove_records();
    check_that_a_run_with_clusters_goes_on_behind_crashes();
    remove_records();
    // Without isolation, the next run says where the last one ended.
    for test in ["states", "lists"] {
        run(test, "abort", false);
        let text = run(test, "abort", false);
        assert!(text.contains("smallscope: `green::crashes::"), "{text}");
        assert!(text.contains("an earlier run ended, or was stopped, in "), "{text}");
        assert!(text.contains(".push(u8_[0])\n"), "{text}");
        let text = run(test, "", false);
        assert!(text.contains("an earlier run ended") && text.contains("test result: ok"), "{text}");
        let text = run(test, "", false);
        assert!(!text.contains("an earlier run ended"), "{text}");
    }
    remove_records();
}
