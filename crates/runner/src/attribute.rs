//! The functions that `#[smallscope::test]` and `#[rep_ok]` expand to calls of.

use crate::check::Check;
use crate::isolate;
use crate::property::TestResult;
use crate::runner::plan::Identity;
use crate::runner::regressions::Regressions;
use crate::runner::{self, Held, Shared, TestBody};
use smallscope_core::{Bounded, Bounds, Hold};
use smallscope_support::miri;
use smallscope_support::panics;
use smallscope_support::text::{annotation, split_once};
use std::io::{self, Write};
use std::path::Path;

/// A test as the attribute describes it.
pub struct TestSite {
    /// The value of `module_path!()`.
    pub module: &'static str,
    /// The function's name.
    pub function: &'static str,
    /// The value of `CARGO_PKG_NAME`.
    pub package: Option<&'static str>,
    /// The value of `CARGO_MANIFEST_DIR`.
    pub directory: Option<&'static str>,
    /// Whether it has `#[ignore]`.
    pub is_ignored: bool,
    /// Whether it has `#[should_panic]`; its failures are not recorded then.
    pub should_panic: bool,
    /// The text by which `cargo smallscope` finds the test in the binary. It stands between two U+001E; its fields,
    /// with U+001F between them, are `smallscope-test`, `smallscope-sequences` or `smallscope-agree`, module, function, file, line, types
    /// of the arguments, and arguments of the attribute.
    pub mark: &'static str,
}

impl TestSite {
    /// Returns the name of the test in its harness, which leaves out the name of the crate.
    pub fn harness_name(&self) -> String {
        match split_once(self.module, "::") {
            Some((_, module)) => format!("{module}::{}", self.function),
            None => self.function.to_owned(),
        }
    }

    /// Returns the name of the crate that the test is in.
    #[cfg(feature = "suites")]
    pub(crate) fn crate_name(&self) -> &str {
        self.module.split("::").next().unwrap_or_default()
    }

    /// Returns the source file and the line, as the mark has them.
    pub(crate) fn place(&self) -> (&str, u64) {
        let mut fields = self.mark.split('\u{1f}').skip(3);
        let file = fields.next().unwrap_or_default();
        (file, fields.next().and_then(|line| line.parse().ok()).unwrap_or(1))
    }

    /// Annotates the place of a failure, where GitHub runs the test: that of the panic, or that of the test if the panic
    /// is in another crate.
    pub(crate) fn annotate(&self, location: Option<&str>, report: &str) {
        if self.should_panic {
            return;
        }
        let of_panic = location.filter(|location| !Path::new(location).is_absolute()).and_then(|location| {
            let mut parts = location.rsplitn(3, ':').skip(1);
            Some((parts.next()?.parse().ok()?, parts.next()?))
        });
        let (file, line) = of_panic.map_or_else(|| self.place(), |(line, file)| (file, line));
        if let Some(annotation) = annotation("error", file, line, report) {
            // Past the capture. Nothing can be done if stderr is closed.
            let _ = writeln!(io::stderr().lock(), "{annotation}");
        }
    }

    pub(crate) fn identity(&self) -> Identity {
        let name = self.harness_name();
        let directory = self.directory.filter(|_| !self.should_panic && !miri::IS_RUNNING);
        Identity {
            harness_name: Some(name.clone()),
            name,
            is_anonymous: false,
            package: self.package.map(str::to_owned),
            is_ignored: self.is_ignored,
            is_quiet: false,
            regressions: directory.map(|directory| Regressions::new(Path::new(directory), self.module)),
        }
    }
}

/// The arguments with their texts. The text is none if the type is not `Debug`.
pub type Shows = Vec<(&'static str, Option<String>)>;

/// Runs a test function on every valid value, and panics with a report if it fails.
#[track_caller]
pub fn run_test<T: Bounded, P: Hold<T>, R: TestResult>(
    site: &TestSite,
    check: Check,
    case: fn(&mut P) -> R,
    show: fn(&T) -> Shows,
) {
    // Keeps the mark in the binary.
    std::hint::black_box(site.mark);
    let owned = |(name, text): (&str, Option<String>)| (name.to_owned(), text);
    let check = check.suite_in(site.directory.map(Path::new)).with_identity(site.identity());
    let run = |place: &mut P| case(place).into_result();
    let show = |value: &T| show(value).into_iter().map(owned).collect();
    let show: &runner::Show<'_> = &|search| runner::show(search, &show);
    let shared = Shared::<T, _, _>::new(run);
    let mut held = Held::<T, _, _>::new(run);
    let lay_out = runner::lay_out::<T>;
    let body = TestBody { lay_out, case: &mut held, shared: Some(&shared), show, tally: None };
    #[cfg(feature = "suites")]
    if let Some(request) = crate::session::request_of_process() {
        let open = |bounds: &Bounds, options: smallscope_core::Options| {
            Ok(smallscope_core::Search::<T>::new(bounds, options)?.into_any())
        };
        return crate::session::serve(site, &check, &open, body, &request);
    }
    run_body(site, check, body);
}

/// Runs a test, and panics with its report if it fails.
#[track_caller]
fn run_body(site: &TestSite, check: Check, body: TestBody<'_>) {
    let Some(report) = isolate::run(site, check, body) else { return };
    if site.should_panic && !report.is_about_a_value() {
        // The test function did not panic: a panic with this report would make the harness say that it did.
        return runner::say(&report.to_string());
    }
    if !report.is_ok() {
        let location = report.failure().and_then(|failure| failure.location.as_deref());
        site.annotate(location, &report.to_string());
    }
    report.expect_ok();
}

/// Keeps the panic hook silent about conjuncts that panic out of turn. The search asks for the conjuncts of an invariant
/// before it evaluates one out of turn, and their table calls this.
pub fn ignore_panics_out_of_turn() {
    panics::ignore_if(smallscope_core::conjuncts::is_out_of_turn);
}

/// Returns the bounds that the expression in the attribute gives.
pub fn bounds(bounds: impl Into<Bounds>) -> Bounds {
    bounds.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_known_as_the_harness_knows_it() {
        let site = TestSite {
            module: "app::tree::tests",
            function: "works",
            package: Some("app"),
            directory: Some("/src/app"),
            is_ignored: false,
            should_panic: false,
            mark: "",
        };
        let identity = site.identity();
        assert_eq!((identity.name.as_str(), identity.is_anonymous), ("tree::tests::works", false));
        let file = identity.regressions.map(|r| r.path());
        assert_eq!(file, Some("/src/app/smallscope-regressions/app-tree-tests.txt".into()));
        assert!(TestSite { should_panic: true, ..site }.identity().regressions.is_none());
        assert_eq!(TestSite { module: "app", ..site }.identity().name, "works");
    }
}
