//! Mistakes that only a run can find: one report each, whose first line says what is wrong and what to write.

use super::tree::check;
use smallscope::{Bounded, Bounds, Report, rep_ok};

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Record {
    id: u8,
    tags: Vec<u16>,
    name: String,
    next: Option<Box<Record>>,
}

#[derive(Bounded, Debug)]
struct Contradictory {
    a: u8,
}

#[rep_ok]
impl Contradictory {
    #[expect(clippy::impossible_comparisons, reason = "the mistake")]
    fn rep_ok(&self) -> bool {
        self.a > 3 && self.a < 2
    }
}

#[derive(Bounded, Debug)]
struct Fragile {
    items: Vec<u8>,
}

#[rep_ok]
impl Fragile {
    fn rep_ok(&self) -> bool {
        self.items[0] < 9
    }
}

#[derive(Bounded, Debug)]
struct Endless {
    items: Vec<u8>,
}

#[rep_ok]
impl Endless {
    fn rep_ok(&self) -> bool {
        let mut i = 0;
        while i < self.items.len() {
            i += usize::from(self.items[i] > 200);
        }
        true
    }
}

fn bounds(bounds: Bounds) -> Report {
    check("t", bounds).run(|_: Record| ())
}

fn variable(name: &'static str, value: &'static str) -> Report {
    check("t", 1).environment([(name, value)]).run(|_: u8| ())
}

fn scope() -> Bounds {
    Bounds::scope(1)
}

#[test]
fn the_first_line_says_what_is_wrong_and_what_to_write() {
    #[expect(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    let none = 3..=2;
    let mistakes = [
        ("unknown field", bounds(scope().ints("Record.ident", 0..=3)), ["`Record.ident`", "`Record.id`"]),
        ("unknown type", bounds(scope().objects("Node", 3)), ["`Node`", "`Record`"]),
        (
            "unknown variable",
            variable("SMALLSCOPE_SCOPES", "2"),
            ["SMALLSCOPE_SCOPES", "did you mean SMALLSCOPE_SCOPE?"],
        ),
        ("value of a variable", variable("SMALLSCOPE_SCOPE", "two"), ["`two`", "number"]),
        ("time without a unit", variable("SMALLSCOPE_BUDGET", "10"), ["`10`", "10s"]),
        ("engine", variable("SMALLSCOPE_ENGINE", "fast"), ["`fast`", "lazy"]),
        ("threads", variable("SMALLSCOPE_THREADS", "0"), ["`0`", "1"]),
        ("shard", variable("SMALLSCOPE_SHARD", "5/4"), ["`5/4`", "such as `2/8`"]),
        ("replay line", variable("SMALLSCOPE_REPLAY", "hello"), ["`hello`", "such as `3:1.0.2`"]),
        (
            "stale replay line",
            variable("SMALLSCOPE_REPLAY", "1:9.9"),
            ["stale", "run the test without it to search again"],
        ),
        ("integer", bounds(scope().ints("Record.id", 0..=300)), ["256 does not fit", "`0..=255`"]),
        ("element", bounds(scope().ints("Record.tags", [70_000])), ["70000 does not fit", "`0..=65535`"]),
        ("no integer", bounds(scope().ints("Record.id", none.clone())), ["is empty", "`0..=9`"]),
        ("no length", bounds(scope().len("Record.tags", none)), ["is empty", "`0..=3`"]),
        ("negative length", bounds(scope().len("Record.tags", -1..=2)), ["-1 is not a length", "`0..=3`"]),
        ("no alphabet", bounds(scope().alphabet("Record.name", "")), ["alphabet is empty", "`\"ab\"`"]),
        (
            "length of a number",
            bounds(scope().len("Record.id", 0..=2)),
            ["has no length", "leave the bound out"],
        ),
        ("range too large", bounds(scope().len("Record.tags", 0..=9_999_999)), ["Record.tags", "give fewer"]),
        (
            "text too long",
            bounds(scope().len("Record.name", 30..=30).alphabet("Record.name", "abc")),
            ["Record.name", "lower the length"],
        ),
        (
            "no scope number",
            check("t", Bounds::exact()).run(|_: u8| ()),
            ["`input.value`", "ints(\"input.value\""],
        ),
    ];
    for (name, report, parts) in &mistakes {
        let text = report.to_string();
        let first = text.lines().next().unwrap_or_default();
        for part in parts {
            assert!(first.contains(part), "{name}: expected {part} in the first line of\n{text}");
        }
        assert!(!report.is_ok(), "{name}: {text}");
    }
}

#[test]
fn reports_about_invariants_name_the_place() {
    let report = check("t", 3).run(|_: Contradictory| ()).to_string();
    assert!(report.starts_with("`t` has tested nothing: no value within the bounds is valid\n"), "{report}");
    assert!(report.contains("`self.a > 3`, which was never true"), "{report}");
    let report = check("t", 1).run(|_: Fragile| ()).to_string();
    assert!(report.contains("`t`: the invariant misbehaves on a candidate\n"), "{report}");
    assert!(report.contains("the invariant panicked: index out of bounds"), "{report}");
    // The place is the user's, not that of the vector's mirror.
    assert!(report.contains("/runner/mistakes.rs:"), "{report}");
    let report = check("t", 1).run(|_: Endless| ()).to_string();
    assert!(
        report.contains("a loop over links needs a visited set (smallscope::Visited) or a count"),
        "{report}"
    );
}

#[cfg(not(feature = "isolate"))]
mod isolated {
    #[smallscope::test(scope = 1, isolate)]
    #[ignore = "cannot be run, on purpose"]
    fn runs_alone(_: u8) {}

    #[test]
    fn a_process_of_its_own_needs_a_feature() {
        let report = std::panic::catch_unwind(runs_alone).unwrap_err();
        let report = report.downcast::<String>().unwrap();
        assert!(report.contains("a test in a process of its own needs a feature"), "{report}");
        assert!(report.contains("features = [\"isolate\"]"), "{report}");
    }
}
