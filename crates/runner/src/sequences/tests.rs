use super::*;
use smallscope_sequences::{Builder, Pool, Which, by_mut, into, nothing, value};
use std::time::Duration;

/// The last few numbers that were pushed. It fails with a capacity of 0.
/// A run that is not recorded.
fn run_unrecorded(
    identity: &Identity,
    campaign: Campaign,
    context: Result<Context, Error>,
    variables: &Settings,
) -> Result<String, NotPassed> {
    run(identity, campaign, context, variables, &Watch::default()).map(|passed| passed.text)
}

fn recent() -> Builder {
    Context::builder()
        .pool(Pool::<(Vec<u8>, u8)>::empty(1).named("recent").cloned().hashed().shown())
        .pool(Pool::of([0u8, 1]))
        .function("recent", (value::<u8>(),), into(), |(capacity,)| (Vec::<u8>::new(), capacity))
        .method("push", (by_mut::<(Vec<u8>, u8)>(), value::<u8>()), nothing(), |(recent, item)| {
            if recent.0.len() == usize::from(recent.1) {
                recent.0.remove(0);
            }
            recent.0.push(item);
        })
}

fn identity() -> Identity {
    Identity {
        name: "tests::recent".into(),
        harness_name: Some("tests::recent".into()),
        package: Some("app".into()),
        ..Identity::default()
    }
}

fn run_with(campaign: Campaign, variables: &[(&str, &str)]) -> Result<String, String> {
    let env = Settings::from_variables(variables.iter().map(|(name, value)| (name.into(), value.into())))?;
    words(run_unrecorded(&identity(), campaign, recent().into_context(), &env))
}

fn words(verdict: Result<String, NotPassed>) -> Result<String, String> {
    verdict.map_err(|bad| match bad {
        NotPassed::Failure(text) | NotPassed::NothingTested(text) => text,
        NotPassed::Error(text) => format!("error: {text}"),
    })
}

fn of(which: Which, length: usize) -> Campaign {
    Campaign { which, length: Some(length), ..Campaign::default() }
}

#[test]
fn a_failure_comes_with_rust_to_paste_and_a_command() {
    let text = run_with(of(Which::States, 5), &[]).unwrap_err();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "`tests::recent` fails after 2 calls",
            "",
            "    let mut recent: (Vec<u8>, u8) = recent(0);",
            "    recent.push(0);",
            lines[4],
        ]
    );
    assert!(lines[4].starts_with("    // panicked: removal index"), "{text}");
    // Calls: recent(0), recent(1), push(0), push(1); so the index is 0 + 2 * 4.
    assert_eq!(
        lines[6..9],
        [
            "sequence: recent[0] = recent(u8_[0]); recent[0].push(u8_[0])",
            "index:    2:8",
            "replay:   SMALLSCOPE_REPLAY='recent[0] = recent(u8_[0]); recent[0].push(u8_[0])' cargo test -p app tests::recent -- --exact",
        ]
    );
    assert!(lines[9].starts_with("covered:  stopped at the first failure, after "), "{text}");
}

#[test]
fn a_sequence_is_replayed_by_its_calls_and_by_its_index() {
    for replay in ["recent[0] = recent(u8_[0]); recent[0].push(u8_[0])", "2:8"] {
        let text = run_with(of(Which::States, 1), &[("SMALLSCOPE_REPLAY", replay)]).unwrap_err();
        assert!(text.contains("fails after 2 calls") && text.contains("nothing else was run"), "{text}");
    }
    let passes = run_with(of(Which::States, 1), &[("SMALLSCOPE_REPLAY", "2:9")]).unwrap();
    assert!(passes.ends_with("the replayed sequence passes; nothing else was run"), "{passes}");
    let wrong = run_with(of(Which::States, 1), &[("SMALLSCOPE_REPLAY", "2:16")]).unwrap_err();
    assert!(wrong.contains("numbered from 0 to 16 - 1"), "{wrong}");
    let wrong = run_with(of(Which::States, 1), &[("SMALLSCOPE_REPLAY", "recent[0].pop()")]).unwrap_err();
    assert!(wrong.contains("expected one of recent, push"), "{wrong}");
}

#[test]
fn the_environment_goes_over_the_test() {
    let all = run_with(of(Which::Be, 3), &[("SMALLSCOPE_LENGTH", "1")]).unwrap();
    assert_eq!(all, "`tests::recent`: all 4 sequences of 1 call");
    let few = run_with(of(Which::Bobw, 1), &[("SMALLSCOPE_MAX", "3"), ("SMALLSCOPE_THREADS", "1")]).unwrap();
    assert_eq!(few, "`tests::recent`: 3 of 4 sequences of 1 call, stopped by the limit on tests");
    let part = run_with(of(Which::Be, 1), &[("SMALLSCOPE_SHARD", "2/2")]).unwrap();
    assert_eq!(part, "`tests::recent`: 2 sequences of 1 call, up to position 4 of 4; no call could be made");
    let late = run_with(of(Which::States, 1), &[("SMALLSCOPE_MAX", "2")]).unwrap();
    let expected = "`tests::recent`: stopped by the limit on states, after 1 call in 2 states; states compared by: all values \
                    (complete)";
    assert_eq!(late, expected);
    let clusters = run_with(of(Which::Be, 3), &[("SMALLSCOPE_CLUSTERS", "1")]).unwrap_err();
    assert!(
        clusters.contains("failures in all") && clusters.contains("covered:  all 64 sequences"),
        "{clusters}"
    );
}

#[test]
fn only_what_is_exhaustive_is_called_so() {
    let passes = |campaign: Campaign| run_with(campaign, &[]).unwrap();
    let all = "`tests::recent`: all sequences of up to 1 call: they lead to 3 states, and 2 calls were made; states compared \
               by: all values (complete)";
    assert_eq!(passes(of(Which::States, 1)), all);
    let sample = passes(Campaign { tests: Some(5), seed: 9, ..of(Which::Random, 1) });
    assert_eq!(sample, "`tests::recent`: 5 random sequences of 1 call, drawn with seed 9");
}

/// A pair of numbers, of which there is one slot, so that `swap` cannot be called.
fn pairs() -> Builder {
    type Pair = (u8, u8);
    Context::builder()
        .pool(Pool::<Pair>::empty(1).named("pair").cloned().hashed())
        .function("pair", (), into(), |()| (0u8, 1u8))
        .method("swap", (by_mut::<Pair>(), by_mut::<Pair>()), nothing(), |(a, b)| std::mem::swap(a, b))
}

#[test]
fn a_test_without_a_call_that_tests_something_fails() {
    let run = |campaign: Campaign| {
        words(run_unrecorded(&identity(), campaign, pairs().into_context(), &Settings::default()))
    };
    let text = run(of(Which::States, 4)).unwrap_err();
    let expected =
        "`tests::recent` has tested nothing: of 4 calls that were tried, only 2 could be made, to construct values
  `swap` needs 2 different values of `(u8, u8)`, and the pool has 1 slot: make it larger
`allow_empty` lets a run that tests nothing pass

covered:  all sequences of calls, of any length: they lead to 2 states, and 2 calls were made; ";
    assert!(text.starts_with(expected), "{text}");
    assert!(run(Campaign { allow_empty: true, ..of(Which::States, 4) }).is_ok());
    // A sample that makes no call.
    let sample = Campaign { tests: Some(1), ..of(Which::Random, 1) };
    let unlucky = |seed: &u64| {
        let drawn = Campaign { seed: *seed, ..sample.clone() };
        words(run_unrecorded(&identity(), drawn, recent().into_context(), &Settings::default())).is_err()
    };
    let seed = (0..99).find(unlucky).unwrap();
    let text = words(run_unrecorded(
        &identity(),
        Campaign { seed, ..sample },
        recent().into_context(),
        &Settings::default(),
    ));
    let text = text.unwrap_err();
    let expected = "`tests::recent` has tested nothing: no call could be made: 1 call was tried
  `push` takes `(Vec<u8>, u8)`, and there was none: `recent` was not called
";
    assert!(text.starts_with(expected) && text.contains("; no call could be made\n"), "{text}");
}

#[test]
fn reports_are_lines_of_json() {
    let folder = std::env::temp_dir().join(format!("smallscope-sequences-{}", std::process::id()));
    let path = folder.with_extension("jsonl");
    let report = [("SMALLSCOPE_REPORT", path.to_str().unwrap())];
    run_with(of(Which::States, 5), &report).unwrap_err();
    run_with(of(Which::Be, 1), &report).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains(r#""result":"failed","outcome":"first-failure""#), "{text}");
    assert!(lines[0].contains(r#""exhaustive":false"#) && lines[0].contains(r#""index":"2:8""#), "{text}");
    assert!(lines[1].contains(r#""exhaustive":true,"covered":"all 4 sequences of 1 call""#), "{text}");
}

#[smallscope_cover::cover(static STEP)]
fn step(count: &mut u8, by: u16) {
    if by == 0 {
        *count = 0;
    }
    if by > 9 {
        *count = 9;
    }
    *count += by as u8;
}

fn counter(most: u8) -> Builder {
    Context::builder()
        .pool(Pool::empty(1).and(0u8).named("count").cloned().hashed().shown().invariant(move |c| *c < most))
        .pool(Pool::of([0u16, 1]).named("by"))
        .method("step", (by_mut::<u8>(), value::<u16>()), nothing(), |(count, by)| step(count, by))
        .covers_region(&STEP)
}

fn count_with(most: u8, variables: &[(&str, &str)]) -> Result<String, String> {
    let env = Settings::from_variables(variables.iter().map(|(name, value)| (name.into(), value.into())))?;
    words(run_unrecorded(&identity(), of(Which::States, 3), counter(most).into_context(), &env))
}

#[test]
fn coverage_of_the_code_is_reported_on_request() {
    let plain = count_with(9, &[]).unwrap();
    assert!(!plain.contains("blocks"), "{plain}");
    let passed = count_with(9, &[("SMALLSCOPE_COVER", "blocks")]).unwrap();
    let lines: Vec<&str> = passed.lines().collect();
    assert!(lines[0].starts_with("`tests::recent`: all sequences of up to 3 calls"), "{passed}");
    assert!(lines[1].starts_with("2 of 3 blocks, by 1 sequence of 1 call; "), "{passed}");
    assert_eq!(lines[2], "no sequence of up to 3 calls reaches:");
    assert!(lines[3].ends_with(": step: then of `if by > 9`") && lines.len() == 4, "{passed}");
    let failed = count_with(2, &[("SMALLSCOPE_COVER", "blocks")]).unwrap_err();
    assert!(failed.contains("\ncode:     2 of 3 blocks, by ") && failed.contains("\n          not covered:"));
    let error = count_with(9, &[("SMALLSCOPE_COVER", "predicates")]).unwrap_err();
    assert!(error.starts_with("error: there are no predicates"), "{error}");
    let error = run_with(of(Which::States, 1), &[("SMALLSCOPE_COVER", "blocks")]).unwrap_err();
    assert!(error.contains("add `.covers::<MyType>()` to the context"), "{error}");

    let path = std::env::temp_dir().join(format!("smallscope-coverage-{}.jsonl", std::process::id()));
    count_with(9, &[("SMALLSCOPE_COVER", "blocks"), ("SMALLSCOPE_REPORT", path.to_str().unwrap())]).unwrap();
    let json = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(
        json.contains(r#""code_coverage":{"of":"blocks","covered":2,"total":3,"not_covered":[{"place":""#)
    );
    assert!(
        json.contains(r#""suite":[{"sequence":"count[0].step(by[0])","length":1,"reaches":2,"#),
        "{json}"
    );
    assert!(json.contains(r#""longest":1,"average_length":1.000}"#), "{json}");
}

#[test]
fn failures_are_recorded_and_tried_first() {
    let directory = std::env::temp_dir().join(format!("smallscope-records-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let identity = Identity { regressions: Some(Regressions::new(&directory, "app::tests")), ..identity() };
    let run = |length: usize| {
        words(run_unrecorded(
            &identity,
            of(Which::States, length),
            recent().into_context(),
            &Settings::default(),
        ))
    };
    run(1).unwrap();
    let found = run(5).unwrap_err();
    assert!(found.ends_with("recorded: smallscope-regressions/app-tests-sequences.txt"), "{found}");
    let path = directory.join("smallscope-regressions/app-tests-sequences.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let line = text.lines().last().unwrap();
    assert!(
        line.starts_with(
            "tests::recent recent[0] = recent(u8_[0]); recent[0].push(u8_[0]) # panicked: removal"
        ),
        "{text}"
    );
    // The record is tried where the search does not reach it, and is written once.
    let again = run(1).unwrap_err();
    assert!(
        again.contains("recorded in smallscope-regressions/app-tests-sequences.txt:3, and tried first"),
        "{again}"
    );
    let report = directory.join("report.jsonl");
    let env = Settings { report: Some(report.clone()), ..Settings::default() };
    words(run_unrecorded(&identity, of(Which::States, 1), recent().into_context(), &env)).unwrap_err();
    let line = std::fs::read_to_string(report).unwrap();
    assert!(line.contains(r#""result":"failed""#) && line.contains(r#""index":"2:8""#), "{line}");
    // A stale record is skipped.
    std::fs::write(&path, "tests::recent recent[0].pop()\ntests::other recent[0] = no(\n").unwrap();
    run(1).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn wrong_contexts_and_requests_are_errors() {
    let error = words(run_unrecorded(
        &identity(),
        of(Which::Be, 2),
        Context::builder().into_context(),
        &Settings::default(),
    ));
    let error = error.unwrap_err();
    assert_eq!(error, "error: the context is wrong: there is nothing to call; add functions or methods");
    let error = run_with(Campaign::default(), &[]).unwrap_err();
    assert!(error.starts_with("error: an exploration needs a limit"), "{error}");
    // 4 to the power of 20, times 20, is more than ten million million.
    let error = run_with(of(Which::Bobw, 20), &[]).unwrap_err();
    assert!(error.starts_with("error: these tests have 21990232555520 calls"), "{error}");
    let limited = run_with(Campaign { tests: Some(2), ..of(Which::Bobw, 20) }, &[]).unwrap_err();
    assert!(limited.contains("fails after 2 calls"), "{limited}");
}

/// A counter whose `wait` does not return after two steps.
fn waiting() -> Builder {
    Context::builder()
        .pool(Pool::empty(1).and(0u8).named("n").cloned().hashed().written_by(u8::to_string))
        .method("add", (by_mut::<u8>(),), nothing(), |(n,)| *n += 1)
        .method("wait", (by_mut::<u8>(),), nothing(), |(n,)| {
            while std::hint::black_box(*n) == 2 {
                std::thread::sleep(Duration::from_millis(1));
            }
        })
}

#[test]
fn a_call_that_does_not_return_is_a_failure() {
    let which = [Which::States, Which::Be, Which::Bobw];
    let reports = which.map(|which| {
        let campaign = Campaign { call_limit: Some(Duration::from_millis(300)), ..of(which, 3) };
        words(run_unrecorded(&identity(), campaign, waiting().into_context(), &Settings::default()))
            .unwrap_err()
    });
    for text in &reports {
        assert!(text.contains("n.wait();\n    // does not return: it was given up after 300ms\n"), "{text}");
        assert!(text.contains("covered:  nothing more is known"), "{text}");
        assert!(text.contains("cargo test -p app tests::recent"), "{text}");
    }
    let shortest = "`tests::recent` fails after 3 calls\n\n    let mut n: u8 = 0;\n    n.add();\n    n.add();\n    n.wait();\n";
    assert!(reports[0].starts_with(shortest), "{}", reports[0]);
}

#[test]
fn a_replayed_call_that_does_not_return_is_a_failure_and_a_long_one_is_not() {
    let replayed = |limit: &str, calls: &str| {
        let variables = [("SMALLSCOPE_CALL_LIMIT", limit), ("SMALLSCOPE_REPLAY", calls)];
        let env =
            Settings::from_variables(variables.map(|(name, value)| (name.into(), value.into()))).unwrap();
        words(run_unrecorded(&identity(), of(Which::Be, 1), waiting().into_context(), &env))
    };
    let text = replayed("300ms", "n[0].add(); n[0].add(); n[0].wait(); n[0].add()").unwrap_err();
    assert!(text.contains("// does not return: it was given up after 300ms"), "{text}");
    assert!(replayed("300ms", "n[0].add(); n[0].wait()").is_ok());
}

/// Vectors of four numbers: there are many, and one of twelve numbers is a failure.
fn vectors() -> Builder {
    Context::builder()
        .pool(Pool::<Vec<u8>>::empty(1).named("v").cloned().hashed().shown())
        .pool(Pool::of([0u8, 1, 2, 3]))
        .function("Vec::new", (), into(), |()| Vec::<u8>::new())
        .into_empty()
        .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| {
            v.push(x);
            assert!(v.len() < 12, "too long");
        })
}

#[test]
fn states_that_are_many_give_way_to_long_sequences() {
    let run = |mixes, budget| {
        let budget = Some(Duration::from_millis(budget));
        let campaign = Campaign { mixes, budget, ..of(Which::States, 20) };
        words(run_unrecorded(&identity(), campaign, vectors().into_context(), &Settings::default()))
    };
    let text = run(true, 1000).unwrap_err();
    assert!(text.contains("`tests::recent` fails after 13 calls"), "{text}");
    assert!(
        text.contains("made smaller")
            && text.contains("1 random sequence of 50 calls, stopped at the first failure"),
        "{text}"
    );
    // Breadth first alone does not get there in this time.
    let text = run(false, 300).unwrap();
    assert!(text.contains("stopped by the time budget") && !text.contains("before that"), "{text}");
    assert_eq!(text.contains("this is a debug build"), cfg!(debug_assertions));
}

#[test]
fn without_a_comparison_of_states_the_default_runs_long_sequences() {
    // A vector that is neither cloned nor compared, and fails with twelve numbers.
    let stacks = |most: usize| {
        Context::builder()
            .pool(Pool::<Vec<u8>>::empty(1).named("v"))
            .pool(Pool::of([0u8, 1]))
            .function("Vec::new", (), into(), |()| Vec::<u8>::new())
            .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), move |(v, x)| {
                v.push(x);
                assert_ne!(v.len(), most, "too long");
            })
            .into_context()
    };
    let campaign = Campaign { length: Some(5), mixes: true, ..Campaign::default() };
    let variables = Settings { budget: Some(Duration::from_secs(6)), ..Settings::default() };
    let text = words(run_unrecorded(&identity(), campaign.clone(), stacks(12), &variables)).unwrap_err();
    assert!(text.starts_with("`tests::recent` fails after 13 calls\n"), "{text}");
    // A message of several lines is a comment in each.
    assert!(
        text.contains("    // panicked: assertion `left != right` failed: too long\n    //   left: 12\n"),
        "{text}"
    );
    let variables = Settings { budget: Some(Duration::from_millis(300)), ..Settings::default() };
    let text = words(run_unrecorded(&identity(), campaign.clone(), stacks(1000), &variables)).unwrap();
    assert!(text.contains(" random sequences of 50 calls, stopped by the time budget"), "{text}");
    assert!(
        text.contains("; states were not explored, because the pools do not say how to compare them"),
        "{text}"
    );
    // A strategy that was named is taken at its word.
    let named = Campaign { mixes: false, ..campaign };
    let text = words(run_unrecorded(&identity(), named, stacks(12), &variables)).unwrap_err();
    assert!(text.contains("states cannot be compared"), "{text}");
}
