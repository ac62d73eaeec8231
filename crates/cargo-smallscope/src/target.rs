//! The target of a command: a structure of the catalogue, or a test of the user.

use crate::cli::{BoundsArgs, PlaceArgs};
use crate::commands::Ended;
use crate::console::Console;
use crate::marks::{Kind, Mark};
use crate::package::{self, Package, Place};
use crate::problem::Problem;
use crate::user_tests::{self, Test};
use crate::{catalogue, driver};
use smallscope::Bounds;
use smallscope_catalogue::Structure;
use smallscope_runner::session::shard::Plan;
use smallscope_runner::session::{Request, Space, SuiteOrigin};
use smallscope_runner::settings::Settings;
use std::path::{Path, PathBuf};

/// The scope in which a structure is explained by default.
pub(crate) const SCOPE_TO_EXPLAIN: u32 = 3;

pub(crate) enum Target {
    Structure(&'static Structure),
    Test(Box<Test>),
}

/// Drops the tests that do not fit, if there are several, and if some do.
fn keep_if_several(tests: &mut Vec<Test>, fits: impl Fn(&Test) -> bool) {
    if tests.len() > 1 && tests.iter().any(&fits) {
        tests.retain(fits);
    }
}

impl Target {
    /// Returns the target with a name.
    pub(crate) fn find(name: &str, place: &PlaceArgs) -> Result<Target, Problem> {
        match package::find(place)? {
            Place::Catalogue => Ok(Target::Structure(catalogue::find(name)?)),
            Place::Packages(packages) => {
                let tests = user_tests::find(&packages, place)?;
                Ok(Target::Test(Box::new(user_tests::choose(&tests, Kind::Values, name)?)))
            }
        }
    }

    /// Returns the target with a name that is run: a comparison of an invariant with methods, too.
    pub(crate) fn to_run(name: &str, place: &PlaceArgs) -> Result<Target, Problem> {
        let Place::Packages(packages) = package::find(place)? else { return Target::find(name, place) };
        let tests = user_tests::find(&packages, place)?;
        let test = user_tests::choose(&tests, Kind::Values, name)
            .or_else(|problem| user_tests::choose(&tests, Kind::Agree, name).map_err(|_| problem))?;
        Ok(Target::Test(Box::new(test)))
    }

    /// Returns the target with a name whose run can be divided: call sequences, too.
    pub(crate) fn to_divide(name: &str, place: &PlaceArgs) -> Result<Target, Problem> {
        let Place::Packages(packages) = package::find(place)? else { return Target::find(name, place) };
        let tests = user_tests::find(&packages, place)?;
        let test = user_tests::choose(&tests, Kind::Values, name)
            .or_else(|problem| user_tests::choose(&tests, Kind::Calls, name).map_err(|_| problem))?;
        Ok(Target::Test(Box::new(test)))
    }

    /// Whether it is a test of call sequences.
    pub(crate) fn is_sequences(&self) -> bool {
        matches!(self, Target::Test(test) if test.mark.kind == Kind::Calls)
    }

    /// Performs a request that only a test binary can perform.
    pub(crate) fn perform_line(&self, request: &str, console: &mut Console) -> Result<Ended, Problem> {
        match self {
            Target::Test(test) => driver::perform(test, request, console),
            Target::Structure(structure) => {
                Err(Problem::usage(format!("`{}` is a structure, and has no call sequences", structure.name)))
            }
        }
    }

    /// Returns the target that a suite or checkpoint was made from.
    pub(crate) fn of_file(file: &Path, place: &PlaceArgs) -> Result<Target, Problem> {
        let SuiteOrigin { structure, package, place: made_in } = smallscope_runner::session::origin(file)?;
        let Some(package) = package else {
            return Ok(Target::Structure(catalogue::find(&structure)?));
        };
        let Some(found) = package::named(place, &package)? else {
            return Err(Problem::usage(format!(
                "{} was made by the test `{structure}` of the package `{package}`, which is not here; go to that \
                 package, or give its `--manifest-path`",
                file.display()
            )));
        };
        let mut tests = user_tests::find(&[found], place)?;
        // Within a crate, tests of both kinds have different names.
        tests.retain(|test| test.mark.harness_name() == structure);
        if let Some(made_in) = made_in {
            // Most packages have one test of that name; then it may have moved.
            let in_crate = |test: &Test| test.mark.crate_name() == made_in.crate_name;
            keep_if_several(&mut tests, in_crate);
            keep_if_several(&mut tests, |test| test.mark.file == made_in.file);
        }
        match &tests[..] {
            [test] => Ok(Target::Test(Box::new(test.clone()))),
            [] => Err(Problem::usage(format!(
                "{} was made by the test `{structure}` of the package `{package}`, which no longer has such a test; \
                 give the test its name back, or make the suite again with `cargo smallscope run`",
                file.display()
            ))),
            _ => Err(Problem::usage(format!(
                "{} was made by the test `{structure}`, and the package `{package}` has several of that name in \
                 different targets; rename all but one, or make the suite again with `cargo smallscope run`",
                file.display()
            ))),
        }
    }

    /// Returns the target of a plan of shards. If the test binary that has made it is there, nothing is built.
    pub(crate) fn of_plan(file: &Path, plan: &Plan, place: &PlaceArgs) -> Result<Target, Problem> {
        let text = |key: &str| plan.identity.get(key).unwrap_or_default().to_owned();
        let Some((binary, directory)) = plan.program.clone().filter(|(binary, _)| binary.is_file()) else {
            return Target::of_file(file, place);
        };
        let name = text("structure");
        let (modules, function) = name.rsplit_once("::").map_or(("", name.as_str()), |(m, f)| (m, f));
        let between = if modules.is_empty() { "" } else { "::" };
        let mark = Mark {
            kind: if plan.is_sequences() { Kind::Calls } else { Kind::Values },
            module: format!("{}{between}{modules}", text("crate")),
            function: function.to_owned(),
            file: text("file"),
            line: 0,
            types: String::new(),
            bounds: String::new(),
        };
        let package = Package {
            name: text("package"),
            manifest: directory.join("Cargo.toml"),
            dependency: String::new(),
            target: PathBuf::new(),
        };
        Ok(Target::Test(Box::new(Test { package, binary, mark })))
    }

    /// Returns the space that the arguments describe. `scope` is the default for a structure; a test has its own
    /// bounds.
    pub(crate) fn space(&self, args: &BoundsArgs, scope: Option<u32>) -> Result<Space, Problem> {
        match self {
            Target::Structure(structure) => {
                let Settings { scope: given, size, engine, disjoint, summaries, .. } = args.given.settings;
                let len = args.given.settings.len.clone();
                if given.is_some() && size.is_some() {
                    return Err(Problem::usage(
                        "`--scope` bounds each type on its own and `--size` the whole value: give one of them",
                    ));
                }
                let number = size.map(Bounds::size).or(given.or(scope).map(Bounds::scope));
                let mut space = catalogue::space(structure, args.args.as_deref(), number)?;
                space.settings = Settings { engine, disjoint, summaries, len, ..Settings::default() };
                Ok(space)
            }
            Target::Test(test) if args.args.is_some() => Err(Problem::usage(format!(
                "`--args` is for structures of the catalogue, and `{}` is a test; give `--scope N` or `--size N`, or nothing for \
                 the bounds that the test says ({})",
                test.mark.harness_name(),
                test.mark.bounds
            ))),
            Target::Test(_) => Ok(Space { settings: args.given.settings.clone(), ..Space::default() }),
        }
    }

    /// Returns the scope number or the size of a test, if its attribute has it in plain digits, and whether it is a size.
    pub(crate) fn own_number(&self) -> Option<(u32, bool)> {
        match self {
            Target::Structure(_) => None,
            Target::Test(test) => test.mark.number(),
        }
    }

    /// Returns a path that is valid where the request is performed: test binaries run in their package.
    pub(crate) fn path(&self, path: &Path) -> Result<PathBuf, Problem> {
        match self {
            Target::Structure(_) => Ok(path.to_owned()),
            Target::Test(_) => std::path::absolute(path)
                .map_err(|error| Problem::file(format!("{} is no path: {error}", path.display()))),
        }
    }

    /// Performs a request.
    pub(crate) fn perform(&self, request: &Request, console: &mut Console) -> Result<Ended, Problem> {
        match self {
            Target::Structure(structure) => catalogue::perform(structure, request, console),
            Target::Test(test) => driver::perform(test, &request.to_line(), console),
        }
    }
}
