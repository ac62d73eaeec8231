//! What runs on mutants: a test of the user's crate, or an operation of a structure of the catalogue.
//!
//! The mutants of operations are part of this program, so its own processes run them: the program is started with the
//! operation in a variable of the environment, and answers queries as a test binary does.

use crate::cli::PlaceArgs;
use crate::marks::Kind;
use crate::problem::Problem;
use crate::target::Target;
use crate::user_tests::Test;
use crate::{catalogue, driver, suggest};
use smallscope::Bounds;
use smallscope_operations::{OPERATIONS, Operation};
use smallscope_runner::session::{ListedMutant, REQUEST, Space};
use std::process::{Command, ExitCode};

/// The variable with the structure, the operation, and the arguments of the structure.
const OPERATION: &str = "CARGO_SMALLSCOPE_OPERATION";
/// The scope if none is given.
const SCOPE: u32 = 3;

/// What runs on mutants.
pub(crate) enum Subject {
    Test(Box<Test>),
    Operation(Operated),
}

/// An operation, and where its inputs are from.
pub(crate) struct Operated {
    pub(crate) operation: &'static Operation,
    /// The arguments of the structure; none if the bounds are a scope or a size.
    pub(crate) args: Option<String>,
}

impl Subject {
    /// Returns the test with a name, or the operation of a structure.
    pub(crate) fn find(
        name: &str,
        operation: Option<&str>,
        args: Option<&str>,
        place: &PlaceArgs,
    ) -> Result<Subject, Problem> {
        if let Some(operation) = operation {
            return Ok(Subject::Operation(Operated::find(name, operation, args)?));
        }
        match Target::to_divide(name, place)? {
            Target::Test(_) if args.is_some() => Err(Problem::usage(
                "`--args` is for structures of the catalogue: give the structure and its operation, or `--scope N` for a test",
            )),
            Target::Test(test) => Ok(Subject::Test(test)),
            Target::Structure(structure) => Err(match names(structure.name) {
                none if none.is_empty() => Problem::usage(format!(
                    "the catalogue has no operation of `{name}` with mutants; it has {}. For your own code, go to a crate with a \
                     `#[smallscope::test]` of code that has `#[smallscope::mutate]`",
                    all()
                )),
                names => Problem::usage(format!(
                    "name the operation of `{name}`, too: {}",
                    suggest::alternatives(&names)
                )),
            }),
        }
    }

    /// Its name in results.
    pub(crate) fn name(&self) -> String {
        match self {
            Subject::Test(test) => test.mark.harness_name(),
            Subject::Operation(Operated { operation, .. }) => {
                format!("{} {}", operation.structure, operation.name)
            }
        }
    }

    /// Whether it is a test of call sequences.
    pub(crate) fn is_calls(&self) -> bool {
        self.test().is_some_and(|test| test.mark.kind == Kind::Calls)
    }

    /// Why a mutant does the same as the original, if its author says so.
    pub(crate) fn reason(&self, mutant: &ListedMutant) -> Option<String> {
        let here = match self {
            Subject::Test(_) => None,
            Subject::Operation(Operated { operation, .. }) => operation.reason(&mutant.id).map(str::to_owned),
        };
        mutant.equivalent.clone().or(here)
    }

    /// The test, if it is one.
    pub(crate) fn test(&self) -> Option<&Test> {
        match self {
            Subject::Test(test) => Some(test),
            Subject::Operation(_) => None,
        }
    }

    /// A process that answers a request about it.
    pub(crate) fn process(&self) -> Result<Command, Problem> {
        match self {
            Subject::Test(test) => Ok(driver::harness(test)),
            Subject::Operation(Operated { operation, args }) => {
                let program = std::env::current_exe().map_err(|error| self.not_started(&error))?;
                let mut command = Command::new(program);
                let args = args.as_deref().unwrap_or_default();
                command.env(OPERATION, format!("{}\n{}\n{args}", operation.structure, operation.name));
                Ok(command)
            }
        }
    }

    pub(crate) fn not_started(&self, error: &std::io::Error) -> Problem {
        match self {
            Subject::Test(test) => driver::not_started(test, error),
            Subject::Operation(_) => Problem::of_crate(format!("this program cannot be started: {error}")),
        }
    }
}

impl Operated {
    pub(crate) fn find(structure: &str, name: &str, args: Option<&str>) -> Result<Operated, Problem> {
        let found = catalogue::find(structure)?;
        let Some(operation) = smallscope_operations::operation(structure, name) else {
            let hint = match names(structure) {
                none if none.is_empty() => format!("the catalogue has {}", all()),
                names => format!("there is {}", suggest::alternatives(&names)),
            };
            return Err(Problem::usage(format!(
                "`{structure}` has no operation `{name}` with mutants; {hint}"
            )));
        };
        // Errors in the arguments are those of this process.
        let Space { args, .. } = catalogue::space(found, args, Some(Bounds::scope(SCOPE)))?;
        Ok(Operated { operation, args })
    }
}

/// The operations of a structure.
fn names(structure: &str) -> Vec<&'static str> {
    let of = |operation: &&Operation| operation.structure == structure;
    OPERATIONS.iter().filter(of).map(|operation| operation.name).collect()
}

/// All operations, for messages.
fn all() -> String {
    let name = |operation: &Operation| format!("`{} {}`", operation.structure, operation.name);
    OPERATIONS.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Answers requests about an operation, if that is what this process is for.
pub(crate) fn as_worker() -> Option<ExitCode> {
    std::env::var_os(REQUEST)?;
    let text = std::env::var(OPERATION).ok()?;
    let mut parts = text.split('\n');
    let mut next = || parts.next().unwrap_or_default();
    let (structure, name, args) = (next(), next(), next());
    let operation = smallscope_operations::operation(structure, name)?;
    let args = Some(args).filter(|args| !args.is_empty());
    let space = catalogue::space(catalogue::find(structure).ok()?, args, Some(Bounds::scope(SCOPE))).ok()?;
    let bounds = space.bounds?;
    // A thread of its own has the stack that the environment says.
    let run = std::thread::spawn(move || (operation.test)(&bounds)).join();
    Some(if run.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
