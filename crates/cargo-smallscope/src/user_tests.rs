//! The smallscope tests of the user's packages: builds their test binaries, finds the tests, and chooses one.

use crate::cli::PlaceArgs;
use crate::marks::{self, Kind, Mark};
use crate::package::{Package, cargo};
use crate::problem::Problem;
use crate::{instrument, suggest};
use serde_json::Value;
use smallscope_sequences::Cover;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A test with its binary.
#[derive(Debug, Clone)]
pub(crate) struct Test {
    pub(crate) package: Package,
    pub(crate) binary: PathBuf,
    pub(crate) mark: Mark,
}

/// Builds the tests of the packages, and returns those of smallscope.
pub(crate) fn find(packages: &[Package], args: &PlaceArgs) -> Result<Vec<Test>, Problem> {
    let mut tests: Vec<Test> = vec![];
    for package in packages {
        for binary in build(package, args)? {
            for mark in tests_in(&binary)? {
                // A library and a program may share a module; one copy of its tests is enough.
                let is_new = |t: &Test| t.package != *package || t.mark != mark;
                if tests.iter().all(is_new) {
                    tests.push(Test { package: package.clone(), binary: binary.clone(), mark });
                }
            }
        }
    }
    // Cargo's messages come in any order.
    tests.sort_by(|a, b| (&a.mark.file, a.mark.line).cmp(&(&b.mark.file, b.mark.line)));
    Ok(tests)
}

/// Returns the tests of one kind, in the same order.
pub(crate) fn of_kind(tests: &[Test], kind: Kind) -> Vec<Test> {
    tests.iter().filter(|test| test.mark.kind == kind).cloned().collect()
}

/// Returns a name for each test: that in its harness, with the crate if the name is not unique.
pub(crate) fn names(tests: &[Test]) -> Vec<String> {
    let is_unique =
        |name: &String| tests.iter().filter(|test| test.mark.harness_name() == *name).count() == 1;
    let name = |test: &Test| Some(test.mark.harness_name()).filter(is_unique).unwrap_or(test.mark.path());
    tests.iter().map(name).collect()
}

/// Builds the test binaries of a package. The feature `suites` of smallscope lets them answer requests.
fn build(package: &Package, args: &PlaceArgs) -> Result<Vec<PathBuf>, Problem> {
    let mut command = cargo();
    // Warnings would be repeated by each command, so diagnostics are printed only if the build fails.
    let is_terminal = std::io::stderr().is_terminal();
    let format = if is_terminal { "json-diagnostic-rendered-ansi" } else { "json" };
    command.args(["test", "--no-run", "--message-format", format]);
    command.arg("--manifest-path").arg(&package.manifest).arg("--package").arg(&package.name);
    command.arg("--features").arg(format!("{}/suites", package.dependency));
    if args.criteria {
        command.arg("--features").arg(format!("{}/criteria", package.dependency));
    }
    if args.filled {
        command.arg("--features").arg(format!("{}/filled", package.dependency));
    }
    if args.mutate {
        command.arg("--features").arg(format!("{}/mutate", package.dependency));
    }
    if args.cover != Cover::Nothing {
        command.arg("--features").arg(format!("{}/cover", package.dependency));
    }
    if args.cover == Cover::Llvm {
        instrument::build(&mut command, &package.target)?;
    }
    for features in &args.features {
        command.arg("--features").arg(features);
    }
    if args.release {
        command.arg("--release");
    }
    if !is_terminal {
        command.arg("--quiet");
    }
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Problem::of_crate(format!("cargo cannot be run: {error}")))?;
    if !output.status.success() {
        let _ = std::io::stderr().write_all(diagnostics(&output.stdout).as_bytes());
        return Err(Problem::of_crate(format!(
            "the tests of `{}` do not build; cargo says above why. They have to build with the feature `suites` of \
             smallscope, as `cargo test --no-run -p {} --features {}/suites` does",
            package.name, package.name, package.dependency
        )));
    }
    Ok(executables(&output.stdout))
}

/// Returns the diagnostics of the compiler in cargo's messages, as the compiler prints them.
fn diagnostics(messages: &[u8]) -> String {
    let rendered = |message: Value| message["message"]["rendered"].as_str().map(str::to_owned);
    parsed(messages).filter_map(rendered).collect()
}

fn parsed(messages: &[u8]) -> impl Iterator<Item = Value> {
    messages.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

/// Returns the test binaries in cargo's messages.
fn executables(messages: &[u8]) -> Vec<PathBuf> {
    let is_test = |message: &Value| message["profile"]["test"] == true;
    let path = |message: Value| message["executable"].as_str().map(PathBuf::from);
    parsed(messages).filter(is_test).filter_map(path).collect()
}

/// Returns the marks of tests that the harness of a binary knows. A binary without marks is not started, because it may
/// have its own harness.
fn tests_in(binary: &Path) -> Result<Vec<Mark>, Problem> {
    let no_answer = |error: std::io::Error| {
        Problem::of_crate(format!("the test binary {} cannot be used: {error}", binary.display()))
    };
    let mut marks = marks::find(&std::fs::read(binary).map_err(no_answer)?);
    if !marks.is_empty() {
        let mut command = Command::new(binary);
        command.args(["--list", "--format", "terse"]);
        instrument::without_profile(&mut command);
        let list = command.stdin(Stdio::null()).stderr(Stdio::null()).output().map_err(no_answer)?;
        let list = String::from_utf8_lossy(&list.stdout).into_owned();
        let known: Vec<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
        marks.retain(|mark| known.contains(&mark.harness_name().as_str()));
    }
    Ok(marks)
}

/// Returns the one test of a kind that a name or a part of it refers to.
pub(crate) fn choose(tests: &[Test], kind: Kind, name: &str) -> Result<Test, Problem> {
    let (wanted, others): (Vec<Test>, Vec<Test>) =
        tests.iter().cloned().partition(|test| test.mark.kind == kind);
    let chosen = choose_among(&wanted, name);
    let other = others.iter().find(|test| test.mark.path().contains(name)).map(|test| &test.mark);
    if let (Err(_), Some(other)) = (&chosen, other)
        && !wanted.iter().any(|test| test.mark.path().contains(name))
    {
        let (kind, other) = (other.kind, other.harness_name());
        return Err(Problem::usage(match kind {
            Kind::Calls => format!(
                "`{other}` is a test of sequences of calls; use `cargo smallscope sequences run {other}`"
            ),
            Kind::Values => format!("`{other}` is a test on values; use `cargo smallscope run {other}`"),
            Kind::Agree => format!(
                "`{other}` compares an invariant with methods; only `cargo smallscope run {other}` is for such a test"
            ),
        }));
    }
    chosen.cloned().map_err(|problem| match (kind, wanted.is_empty()) {
        (Kind::Calls, true) => Problem::usage(format!(
            "there is no test of sequences `{name}` in this crate, nor any other; mark a function that returns a context with \
             `#[smallscope::sequences(length = 5)]`, or use `--catalogue` for the subjects that come with smallscope"
        )),
        _ => problem,
    })
}

fn choose_among<'a>(tests: &'a [Test], name: &str) -> Result<&'a Test, Problem> {
    let is_suffix = |full: &str| full.strip_suffix(name).is_some_and(|rest| rest.ends_with("::"));
    let ways: [&dyn Fn(&Mark) -> bool; 4] = [
        &|mark| mark.path() == name,
        &|mark| mark.harness_name() == name,
        &|mark| is_suffix(&mark.path()),
        &|mark| mark.path().contains(name),
    ];
    for fits in ways {
        let fitting: Vec<&Test> = tests.iter().filter(|test| fits(&test.mark)).collect();
        match fitting[..] {
            [] => {}
            [test] => return Ok(test),
            _ => return Err(ambiguous(name, &fitting)),
        }
    }
    Err(unknown(name, tests))
}

fn ambiguous(name: &str, fitting: &[&Test]) -> Problem {
    let mut paths: Vec<String> = fitting.iter().map(|test| test.mark.path()).collect();
    paths.dedup();
    let is_one_package = fitting.windows(2).all(|pair| pair[0].package == pair[1].package);
    if let ([path], true) = (&paths[..], is_one_package) {
        let places: Vec<String> =
            fitting.iter().map(|test| format!("{}:{}", test.mark.file, test.mark.line)).collect();
        let places = places.join(" and ");
        return Problem::usage(format!("there are several tests `{path}`, in {places}; rename all but one"));
    }
    if let [path] = &paths[..] {
        let packages: Vec<&str> = fitting.iter().map(|test| test.package.name.as_str()).collect();
        let packages = suggest::alternatives(&packages);
        return Problem::usage(format!("several packages have a test `{path}`; choose with `-p` {packages}"));
    }
    let alternatives = suggest::alternatives(&paths);
    Problem::usage(format!(
        "several tests can be meant by `{name}`; give one of them in full: {alternatives}"
    ))
}

fn unknown(name: &str, tests: &[Test]) -> Problem {
    let mut message = format!("there is no smallscope test `{name}` in this crate");
    let names = names(tests);
    let near = suggest::near(name, names.iter().map(String::as_str));
    if smallscope_catalogue::structure(name).is_some() {
        message += "; the catalogue has a structure of that name, which `--catalogue` selects";
    } else if !near.is_empty() {
        message += &format!("; did you mean {}?", suggest::alternatives(&near));
    } else if tests.is_empty() {
        message += ", nor any other; mark one with `#[smallscope::test(scope = 3)]`, or use `--catalogue` for \
                    the structures that come with smallscope";
    } else {
        message += "; `cargo smallscope list` names all of them";
    }
    Problem::usage(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(package: &str, module: &str, function: &str) -> Test {
        let package = Package {
            name: package.to_owned(),
            manifest: "/ws/Cargo.toml".into(),
            dependency: "smallscope".to_owned(),
            target: "/ws/target".into(),
        };
        let mark = Mark {
            kind: Kind::Values,
            module: module.to_owned(),
            function: function.to_owned(),
            file: "src/lib.rs".to_owned(),
            line: 1,
            types: "u8".to_owned(),
            bounds: "scope = 3".to_owned(),
        };
        Test { package, binary: PathBuf::new(), mark }
    }

    fn chosen(tests: &[Test], name: &str) -> String {
        match choose(tests, Kind::Values, name) {
            Ok(test) => test.mark.path(),
            Err(problem) => format!("{problem:?}"),
        }
    }

    #[test]
    fn a_name_may_be_shortened_as_long_as_it_means_one_test() {
        let tests = [
            test("a", "a::tests", "insert"),
            test("a", "a::tests", "insert_twice"),
            test("a", "it", "remove"),
        ];
        assert_eq!(chosen(&tests, "a::tests::insert"), "a::tests::insert");
        assert_eq!(chosen(&tests, "tests::insert"), "a::tests::insert");
        assert_eq!(chosen(&tests, "insert"), "a::tests::insert");
        assert_eq!(chosen(&tests, "twice"), "a::tests::insert_twice");
        assert_eq!(chosen(&tests, "remove"), "it::remove");
        assert!(chosen(&tests, "ins").contains("`a::tests::insert` or `a::tests::insert_twice`"));
    }

    #[test]
    fn names_that_mean_nothing_are_answered_with_what_there_is() {
        let tests =
            [test("a", "a::tests", "insert_keeps_order"), test("b", "a::tests", "insert_keeps_order")];
        assert!(chosen(&tests, "insert_keeps").contains("choose with `-p` `a` or `b`"));
        assert!(
            chosen(&tests[..1], "insert_kept_order").contains("did you mean `tests::insert_keeps_order`")
        );
        assert!(chosen(&tests, "zzz").contains("`cargo smallscope list` names all"));
        assert!(chosen(&tests, "search-tree").contains("`--catalogue`"));
        assert!(chosen(&[], "zzz").contains("nor any other"));
    }

    #[test]
    fn tests_of_another_kind_are_pointed_to() {
        let mut calls = test("a", "a::tests", "all_calls");
        calls.mark.kind = Kind::Calls;
        let tests = [test("a", "a::tests", "insert"), calls];
        assert!(chosen(&tests, "all_calls").contains("`cargo smallscope sequences run tests::all_calls`"));
        let wrong = |name| format!("{:?}", choose(&tests, Kind::Calls, name).unwrap_err());
        assert!(wrong("insert").contains("use `cargo smallscope run tests::insert`"));
        assert_eq!(choose(&tests, Kind::Calls, "calls").unwrap().mark.function, "all_calls");
        let none = choose(&tests[..1], Kind::Calls, "calls").unwrap_err();
        assert!(format!("{none:?}").contains("nor any other; mark a function"));
    }

    #[test]
    fn comparisons_of_invariants_are_only_run() {
        let mut agree = test("a", "a::tests", "invariant_agrees");
        agree.mark.kind = Kind::Agree;
        let tests = [test("a", "a::tests", "insert"), agree];
        for kind in [Kind::Values, Kind::Calls] {
            let problem = format!("{:?}", choose(&tests, kind, "agrees").unwrap_err());
            assert!(
                problem.contains("only `cargo smallscope run tests::invariant_agrees` is for"),
                "{problem}"
            );
        }
        assert_eq!(choose(&tests, Kind::Agree, "agrees").unwrap().mark.function, "invariant_agrees");
    }

    #[test]
    fn only_test_binaries_are_taken_from_the_messages() {
        let messages = r#"{"reason":"compiler-artifact","profile":{"test":false},"executable":"/t/app"}
{"reason":"compiler-artifact","profile":{"test":true},"executable":"/t/app-1"}
{"reason":"compiler-artifact","profile":{"test":true},"executable":null}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executables(messages.as_bytes()), [PathBuf::from("/t/app-1")]);
        assert_eq!(diagnostics(messages.as_bytes()), "");
    }

    #[test]
    fn diagnostics_are_printed_as_the_compiler_renders_them() {
        let messages = r#"{"reason":"compiler-message","message":{"rendered":"error: one\n","level":"error"}}
{"reason":"compiler-message","message":{"rendered":"warning: two\n","level":"warning"}}
{"reason":"build-finished","success":false}"#;
        assert_eq!(diagnostics(messages.as_bytes()), "error: one\nwarning: two\n");
    }
}
