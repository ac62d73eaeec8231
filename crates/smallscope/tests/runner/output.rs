//! What people see: fixtures run in processes of their own.

use std::process::{Command, Output};

struct Seen {
    ok: bool,
    text: String,
}

/// Runs a fixture and shows what it prints.
fn run(fixture: &str, variables: &[(&str, &str)]) -> Seen {
    run_by(Command::new(std::env::current_exe().unwrap()), fixture, variables)
}

fn run_by(mut command: Command, fixture: &str, variables: &[(&str, &str)]) -> Seen {
    command.args(["--exact", &format!("runner::fixtures::{fixture}"), "--include-ignored", "--nocapture"]);
    run_command(command, variables)
}

fn run_command(mut command: Command, variables: &[(&str, &str)]) -> Seen {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SMALLSCOPE_") {
            command.env_remove(name);
        }
    }
    command.env_remove("NEXTEST").env("RUST_BACKTRACE", "0").envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    Seen { ok: status.success(), text }
}

impl Seen {
    #[track_caller]
    fn shows(&self, part: &str) -> &Seen {
        assert!(self.text.contains(part), "`{part}` is missing:\n{}", self.text);
        self
    }

    fn panics(&self) -> usize {
        self.text.matches("panicked at").count()
    }

    fn replay(&self) -> &str {
        self.text.split("SMALLSCOPE_REPLAY='").nth(1).unwrap().split('\'').next().unwrap()
    }
}

#[test]
fn a_failing_test_panics_once_and_says_everything() {
    let seen = run("fails_in_scope_three", &[]);
    assert!(seen.ok);
    assert_eq!(seen.panics(), 1, "{}", seen.text);
    seen.shows("`runner::fixtures::fails_in_scope_three` fails for a valid value")
        .shows("fixtures.rs:")
        .shows("tree = Tree {\n    root: Some(\n        Node {\n            key: 1,")
        .shows("\nkey = 1\n")
        .shows("tree: root = Node#0, size = 3\n  Node#0: key = 1, left = Node#1, right = Node#2\n")
        .shows("in scope 3 of 5, ")
        .shows("' cargo test -p smallscope runner::fixtures::fails_in_scope_three -- --exact --include-ignored\n");
    let replayed = run("fails_in_scope_three", &[("SMALLSCOPE_REPLAY", seen.replay())]);
    assert_eq!(replayed.panics(), 1);
    replayed.shows("found:    replayed; nothing else was run").shows("the tree is broken");
}

/// The backtrace of the test comes first, and that of the report not at all.
#[test]
fn a_backtrace_does_not_bury_the_report() {
    let seen = run("fails_as_a_closure", &[("RUST_BACKTRACE", "1")]);
    assert!(!seen.ok);
    assert_eq!((seen.panics(), seen.text.matches("stack backtrace:").count()), (1, 1), "{}", seen.text);
    let place = |part: &str| seen.text.find(part).unwrap_or_else(|| panic!("no {part}: {}", seen.text));
    assert!(place("panicked at ") < place("stack backtrace:"));
    assert!(place("stack backtrace:") < place("` fails for a valid value"));
    assert!(!seen.text.contains("expect_ok"), "{}", seen.text);
}

#[test]
fn a_closure_fails_under_the_name_of_its_test() {
    let seen = run("fails_as_a_closure", &[]);
    assert!(!seen.ok);
    assert_eq!(seen.panics(), 1, "{}", seen.text);
    seen.shows("fixtures.rs:").shows("argument 0: root = Node#0, size = 3");
    let replayed = run("fails_as_a_closure", &[("SMALLSCOPE_REPLAY", seen.replay())]);
    assert!(!replayed.ok);
    replayed.shows("SMALLSCOPE_REPLAY is for another check than").shows("found:    replayed");
}

#[test]
fn what_a_budget_left_out_is_said_on_stderr() {
    let seen = run("is_stopped_by_its_budget", &[]);
    assert!(seen.ok);
    seen.shows(
        "smallscope: `runner::fixtures::is_stopped_by_its_budget`: stopped by the limit on values in scope 3, \
         after 10 values in all: scopes 0 to 2 are covered exhaustively, scope 3 is not, scopes 4 to 9 were not begun\n",
    );
    let seen = run("is_stopped_by_its_budget", &[("SMALLSCOPE_MAX", "5000"), ("SMALLSCOPE_SCOPE", "2")]);
    assert!(seen.ok && !seen.text.contains("smallscope:"), "{}", seen.text);
}

#[test]
fn a_scope_that_does_not_fit_into_the_budget_is_announced() {
    let seen = run("takes_hours", &[]);
    assert!(seen.ok);
    // 1 + 3 + 9 + 27 strings in scope 3, three times, without the combinations of scope 2.
    seen.shows("`runner::fixtures::takes_hours`: scope 3, which has 63657 combinations of arguments or parts, takes about ")
        .shows(" at this rate; the time budget of 2s ends before that: raise it with `budget = \"..\"` or SMALLSCOPE_BUDGET, or lower the bounds\n")
        .shows("stopped by the time budget in scope 3, after ")
        .shows(": scopes 0 to 2 are covered exhaustively, scope 3 is not, scope 4 was not begun\n");
    assert_eq!(seen.text.matches("at this rate").count(), 1, "{}", seen.text);
}

#[test]
fn what_was_left_out_on_request_is_said_on_stderr() {
    let seen = run("gets_one_value_of_each_order", &[]);
    seen.shows("smallscope: `runner::fixtures::gets_one_value_of_each_order`: scopes 0 to 3 are covered, with one value for");
    let seen = run("engine_and_order_can_be_chosen", &[]);
    assert!(!seen.text.contains("smallscope:"), "{}", seen.text);
    run("engine_and_order_can_be_chosen", &[("SMALLSCOPE_SHARD", "1/2")])
        .shows("the bounds are covered for shard 1/2 (one value in 2): 20 values");
}

#[test]
fn progress_is_shown_when_asked_for() {
    let seen = run("is_stopped_by_its_budget", &[("SMALLSCOPE_PROGRESS", "1"), ("SMALLSCOPE_SCOPE", "2")]);
    seen.shows("scopes 0 to 2 are covered exhaustively: 7 values");
}

/// The workspace has no debug information, so no line is shown; and there is no terminal, so no bar is.
#[test]
fn a_run_with_many_candidates_per_value_says_which_call_reads_them() {
    let seen = run("reads_every_element", &[]);
    assert!(seen.ok, "{}", seen.text);
    seen.shows("smallscope: `runner::fixtures::reads_every_element`: stopped by the time budget in scope ")
        .shows(" values: `collect` in `are_different`, in the conjunct `self.are_different()`, reads every element of `Different.items`, so that each of their values is tried")
        .shows(": compare the elements where they stand (`a[i] < a[j]`, `iter().all(..)`)");
    assert!(!seen.text.contains("% of scope"), "{}", seen.text);
}

/// A bar appears after two seconds, and only on a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_long_run_on_a_terminal_shows_a_bar() {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no `script`, which runs programs on a terminal");
        return;
    }
    let seen = run_on_terminal("reads_every_element", &[]);
    assert!(seen.ok, "{}", seen.text);
    seen.shows("\r\u{1b}[K…eads_every_element [").shows(" % of scope ");
    assert!([" left\r", ", stops in "].iter().any(|end| seen.text.contains(end)), "{}", seen.text);
    // It is gone before anything else is printed.
    seen.shows("\r\u{1b}[Ksmallscope: `runner::fixtures::reads_every_element`: stopped by the time budget");
}

#[cfg(target_os = "linux")]
fn run_on_terminal(fixture: &str, variables: &[(&str, &str)]) -> Seen {
    let mut script = Command::new("script");
    let exe = std::env::current_exe().unwrap();
    let command = format!(
        "{} --exact runner::fixtures::{fixture} --include-ignored --nocapture --test-threads=2",
        exe.display()
    );
    script.args(["--quiet", "--return", "--command", &command, "/dev/null"]);
    run_command(script, variables)
}

#[test]
fn a_bad_variable_fails_the_test() {
    for (name, value, message) in [
        ("SMALLSCOPE_SCOPE", "many", "SMALLSCOPE_SCOPE is `many`, but must be a number of objects"),
        ("SMALLSCOPE_SKOPE", "3", "SMALLSCOPE_SKOPE is no variable of smallscope"),
        ("SMALLSCOPE_REPLAY", "9:1.2.3", "SMALLSCOPE_REPLAY=9:1.2.3: the recorded candidate is stale"),
    ] {
        let seen = run("is_stopped_by_its_budget", &[(name, value)]);
        assert!(!seen.ok);
        seen.shows("cannot be run: ").shows(message);
    }
}

#[test]
fn a_test_without_values_fails() {
    let seen = run("has_no_value", &[]);
    assert!(!seen.ok);
    assert_eq!(seen.panics(), 1, "{}", seen.text);
    seen.shows(
        "`runner::fixtures::has_no_value` has tested nothing: no value of the argument `never` within the bounds is valid",
    )
    .shows("`self.b < self.a`, which was never true");
    assert!(run("has_no_value", &[("SMALLSCOPE_ALLOW_EMPTY", "1")]).ok);
    assert!(run("may_have_no_value", &[]).ok);
}

#[test]
fn a_test_that_should_panic_fails_without_values() {
    for variables in [[].as_slice(), &[("SMALLSCOPE_SCOPE", "many")]] {
        let seen = run("should_panic_and_has_no_value", variables);
        assert!(!seen.ok, "{}", seen.text);
        seen.shows("test did not panic as expected");
    }
    run("should_panic_and_has_no_value", &[])
        .shows("has tested nothing: no value within the bounds is valid");
}

#[test]
fn destructors_that_panic_are_reported() {
    let seen = run("has_destructors_that_panic", &[]);
    assert!(seen.ok, "{}", seen.text);
    assert_eq!(seen.panics(), 1, "{}", seen.text);
    seen.shows("`runner::fixtures::has_destructors_that_panic`: the destructor of a valid value panics")
        .shows("boom")
        .shows("_a = Bomb {\n    x: 0,\n}\n_b = Bomb {\n    x: 1,\n}\n");
    let replayed = run("has_destructors_that_panic", &[("SMALLSCOPE_REPLAY", seen.replay())]);
    assert!(replayed.ok);
    replayed.shows("found:    replayed; nothing else was run").shows("boom");
}

#[test]
fn an_abort_still_says_what_was_going_on() {
    let seen = run("aborts", &[]);
    assert!(!seen.ok);
    seen.shows("while unwinding").shows("panic in a destructor during cleanup");
}

/// Trying other orders of conjuncts is nothing that a user has to see, and takes no backtraces.
#[test]
fn conjuncts_that_panic_out_of_turn_do_so_in_silence() {
    for backtrace in ["0", "1"] {
        let seen = run("conjuncts_rely_on_those_before_them", &[("RUST_BACKTRACE", backtrace)]);
        assert!(seen.ok, "{}", seen.text);
        assert_eq!(seen.panics(), 0, "{}", seen.text);
        seen.shows("test runner::fixtures::conjuncts_rely_on_those_before_them ... ok");
    }
}

/// The sizes are those of the resident memory, which is measured on Linux only.
#[cfg(target_os = "linux")]
mod memory {
    use super::{run, run_by};
    use std::process::Command;

    const LIMIT: (&str, &str) = ("SMALLSCOPE_MEMORY", "150 MB");
    const RAISE: &str =
        ": lower the bounds, or raise the limit with `memory = \"2 GB\"` or SMALLSCOPE_MEMORY\n";

    #[test]
    fn a_run_that_uses_all_memory_says_what_was_covered() {
        for threads in ["1", "2"] {
            let seen = run("keeps_a_megabyte_per_value", &[LIMIT, ("SMALLSCOPE_THREADS", threads)]);
            assert!(seen.ok, "{}", seen.text);
            seen.shows("keeps_a_megabyte_per_value`: stopped by the memory limit in scope 4, after ")
                .shows(" values in all: scopes 0 to 3 are covered exhaustively, scope 4 is not, scopes 5 to 9 were not begun")
                .shows(" in memory, and the limit is 150.0 MB")
                .shows(RAISE);
            assert_eq!(seen.text.matches("smallscope: memory limit: 150.0 MB\n").count(), 1, "{}", seen.text);
            assert!(!seen.text.contains("exhausted"), "{}", seen.text);
        }
    }

    #[test]
    fn without_a_limit_a_run_leaves_as_much_as_it_takes() {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -v 450000 && exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
        let seen = run_by(limited, "keeps_a_megabyte_per_value", &[("SMALLSCOPE_THREADS", "1")]);
        assert!(seen.ok, "{}", seen.text);
        seen.shows("stopped by the memory limit in scope ")
            .shows(" in memory, more than it leaves free")
            .shows("B, as much as is left free; `memory` or SMALLSCOPE_MEMORY sets another\n");
    }

    #[test]
    fn parts_and_classes_respect_the_limit() {
        let seen = run("has_large_parts", &[]);
        assert!(!seen.ok, "{}", seen.text);
        seen.shows("has_large_parts` has tested nothing: stopped by the memory limit before the test ran on the first value")
            .shows(" in memory, and the limit is 30.0 MB, which `memory = \"2 GB\"` or SMALLSCOPE_MEMORY sets\n\nraise the limit");
        let seen = run("has_a_class_per_value", &[]);
        assert!(seen.ok, "{}", seen.text);
        seen.shows("has_a_class_per_value`: stopped by the memory limit after ");
        seen.shows(": the bounds are not covered by class");
    }

    #[test]
    fn bounds_that_do_not_fit_are_not_laid_out() {
        let seen = run("has_a_large_table", &[]);
        assert!(!seen.ok, "{}", seen.text);
        seen.shows(
            "the bounds of `text` are too large: to lay it out takes more memory than the limit allows",
        );
        let seen = run("has_a_large_table", &[("SMALLSCOPE_MEMORY", "2 GB"), ("SMALLSCOPE_MAX", "10")]);
        assert!(seen.ok, "{}", seen.text);
    }

    #[test]
    fn the_limit_is_printed_with_the_progress() {
        let seen =
            run("is_stopped_by_its_budget", &[("SMALLSCOPE_PROGRESS", "1"), ("SMALLSCOPE_MEMORY", "2 GB")]);
        seen.shows("smallscope: memory limit: 2.0 GB\n");
    }
}
