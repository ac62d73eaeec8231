use super::*;
use crate::runner::regressions::Regressions;
use smallscope::{Bounded, rep_ok};
use smallscope_sequences::{Builder, Linearize, Pool, by_mut, into, nothing, value};
use std::path::Path;

/// A list without equal neighbours. Its invariant forgets that, and wants the list to begin with a zero.
#[derive(Bounded, Clone, Debug, Linearize)]
#[linearize(crate = smallscope_sequences)]
struct List {
    items: Vec<u8>,
}

#[rep_ok]
impl List {
    fn rep_ok(&self) -> bool {
        self.items.len() < 9 && (self.items.is_empty() || self.items[0] == 0)
    }
}

impl List {
    fn push(&mut self, item: u8) {
        if self.items.len() < 2 && self.items.last() != Some(&item) {
            self.items.push(item);
        }
    }
}

fn lists(numbers: &[u8]) -> Builder {
    Context::builder()
        .pool(Pool::<List>::empty(1).cloned().linearized())
        .pool(Pool::of(numbers.to_vec()))
        .function("List::new", (), into(), |()| List { items: vec![] })
        .method("push", (by_mut::<List>(), value::<u8>()), nothing(), |(list, item)| list.push(item))
}

fn identity(directory: Option<&Path>) -> Identity {
    Identity {
        name: "tests::lists".into(),
        harness_name: Some("tests::lists".into()),
        package: Some("app".into()),
        regressions: directory.map(|directory| Regressions::new(directory, "app::tests")),
        ..Identity::default()
    }
}

fn run_with(
    identity: &Identity,
    numbers: &[u8],
    settings: Agree,
    variables: &[(&str, &str)],
) -> Result<String, String> {
    let variables =
        Settings::from_variables(variables.iter().map(|(name, value)| (name.into(), value.into())))?;
    run::<List>(identity, &with_variables(settings, &variables), lists(numbers), &variables).map_err(|bad| {
        match bad {
            NotPassed::Failure(text) => text,
            NotPassed::Error(text) => format!("error: {text}"),
        }
    })
}

const BOTH_ZERO: &str = "items = 2 elements, 0, 0\n";

/// The text between quotes after a variable.
fn replayed(text: &str, number: usize) -> String {
    let line = text.lines().filter(|line| line.starts_with("replay:")).nth(number).expect("a replay line");
    line.split('\'').nth(1).expect("a quoted text").to_owned()
}

#[test]
fn both_directions_are_drawn_and_can_be_replayed() {
    let text = run_with(&identity(None), &[0, 1], Agree::new(2), &[]).unwrap_err();
    let expected = "`tests::lists`: the invariant and the methods of `List` do not agree\n\nreached:  5 values of `List`, by \
                    sequences of any length; the invariant rejects 2\naccepted: 4 values within the bounds; 1 are not reached";
    assert!(text.starts_with(expected), "{text}");
    // Pushing 1 onto the empty list, and `[0, 0]`, which no call makes.
    let rejected = "    let mut list = List::new();\n    list.push(1);\n\nthe value is\n\n    List {\n        items: [\n            1,\n        \
                    ],\n    }\n\nthe invariant rejects it, because `(self.items.is_empty() || self.items[0] == 0)` in line ";
    assert!(text.contains(rejected), "{text}");
    assert_eq!(text.matches("\nobject graph:\n").count(), 2, "{text}");
    assert!(text.contains("items = 1 element, 1\n") && text.contains(BOTH_ZERO), "{text}");
    assert!(!text.contains("recorded:") && !text.contains("page:"), "{text}");

    let (calls, candidate) = (replayed(&text, 0), replayed(&text, 1));
    assert_eq!(calls, "list[0] = List::new(); list[0].push(u8_[1])");
    let again =
        run_with(&identity(None), &[0, 1], Agree::new(2), &[("SMALLSCOPE_REPLAY", &calls)]).unwrap_err();
    assert!(
        again.contains("reachable but rejected: after") && again.ends_with("nothing else was run"),
        "{again}"
    );
    let again =
        run_with(&identity(None), &[0, 1], Agree::new(2), &[("SMALLSCOPE_REPLAY", &candidate)]).unwrap_err();
    assert!(again.contains("accepted but not reached within the bounds: the value is"), "{again}");
    assert!(again.contains(BOTH_ZERO) && again.contains("no other value was looked up"), "{again}");

    // A sequence that the invariant agrees with.
    let fine = "list[0] = List::new(); list[0].push(u8_[0])";
    let text = run_with(&identity(None), &[0, 1], Agree::new(2), &[("SMALLSCOPE_REPLAY", fine)]).unwrap();
    assert!(text.contains("accepts the values after the replayed sequence"), "{text}");
}

#[test]
fn disagreements_are_recorded_and_tried_first() {
    let directory = std::env::temp_dir().join(format!("smallscope-agree-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let identity = identity(Some(&directory));
    let (values, sequences) =
        ("smallscope-regressions/app-tests.txt", "smallscope-regressions/app-tests-sequences.txt");
    let text = run_with(&identity, &[0, 1], Agree::new(2), &[]).unwrap_err();
    assert!(text.contains(&format!("\nrecorded: {sequences}, {values}")), "{text}");
    let of_file = |file: &str| std::fs::read_to_string(directory.join(file)).unwrap();
    let expected = "tests::lists list[0] = List::new(); list[0].push(u8_[1]) # reachable but rejected";
    assert!(of_file(sequences).lines().any(|line| line == expected), "{}", of_file(sequences));
    assert!(of_file(values).contains(" # accepted but not reached"), "{}", of_file(values));

    // The sequence is run before anything else.
    let text = run_with(&identity, &[0, 1], Agree::new(2), &[]).unwrap_err();
    assert!(
        text.contains(&format!("recorded in {sequences}:3, and tried first; nothing else was run")),
        "{text}"
    );

    // Without the number 1, the sequence is stale, and the value is looked up before all others.
    std::fs::remove_file(directory.join(sequences)).unwrap();
    let text = run_with(&identity, &[0], Agree::new(2), &[]).unwrap_err();
    assert!(
        text.contains(&format!("recorded in {values}:3, and tried first; no other value was looked up")),
        "{text}"
    );
    assert!(text.contains(BOTH_ZERO), "{text}");
    let text = run_with(&identity, &[0], Agree::new(2).allow_unreached(), &[]).unwrap();
    assert!(text.contains("accepted: 4 values within the bounds; 2 are not reached"), "{text}");
    // With other bounds, the candidate has another meaning.
    let text = run_with(&identity, &[0], Agree::new(3), &[]).unwrap_err();
    assert!(text.contains(&format!("recorded in {values}:3")), "the scope is a part of the record: {text}");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn values_without_a_place_within_the_bounds_have_no_graph() {
    // The number 200 is not within the bounds, nor within slightly larger ones.
    let text = run_with(&identity(None), &[0, 200], Agree::new(2).allow_unreached(), &[]).unwrap_err();
    assert!(text.contains("            200,\n        ],\n    }\n\naccepted but"), "{text}");
    assert!(
        text.contains("replay:   SMALLSCOPE_REPLAY='list[0] = List::new(); list[0].push(u8_[1])'"),
        "{text}"
    );
}

#[test]
fn results_are_written_as_json() {
    let file = std::env::temp_dir().join(format!("smallscope-agree-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let path = file.to_str().unwrap();
    let _ = run_with(&identity(None), &[0, 1], Agree::new(2), &[("SMALLSCOPE_REPORT", path)]);
    let line = std::fs::read_to_string(&file).unwrap();
    let expected = r#"{"test":"tests::lists","kind":"agree","result":"failed","type":"List","sequences":"sequences of any length","all_sequences":true,"all_values":true,"reached":5,"rejected":2,"accepted":4,"unreached":1,"outside":0,"first_rejected":{"#;
    assert!(line.starts_with(expected) && line.lines().count() == 1, "{line}");
    std::fs::remove_file(&file).unwrap();
}

#[cfg(feature = "html")]
#[test]
fn the_page_draws_both() {
    let text = run_with(&identity(None), &[0, 1], Agree::new(2), &[("SMALLSCOPE_HTML", "1")]).unwrap_err();
    let page = text.lines().find_map(|line| line.strip_prefix("page:     ")).expect("a page").to_owned();
    let html = std::fs::read_to_string(&page).unwrap();
    for part in ["reachable but rejected", "accepted but not reached", "list.push(1);", "digraph value_2"] {
        assert!(html.contains(part), "{part} is not in {page}");
    }
    std::fs::remove_file(&page).unwrap();
}
