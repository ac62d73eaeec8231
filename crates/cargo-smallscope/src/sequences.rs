//! The command `sequences`: call sequences on the subjects that come with smallscope, or on a user's tests.

pub(crate) mod cli;
mod density;

use crate::cli::PlaceArgs;
use crate::commands::{Ended, conclude};
use crate::console::Console;
use crate::marks::Kind;
use crate::package::{self, Place};
use crate::problem::Problem;
use crate::user_tests::{self, Test};
use crate::{driver, listing, suggest};
use cli::{RunArgs, SequencesArgs, SequencesCommand, SubjectArgs};
use smallscope_containers::registry::{CONTAINERS, Container};
use smallscope_runner::session::Observer;
use smallscope_runner::session::sequences::{self, Ask, Count, ReplayFile, ReplayTest, Run, Subject};
use smallscope_sequences::{Campaign, Cover};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The default number of calls.
const LENGTH: usize = 5;
/// The default number of keys and values.
const SIZE: u8 = 2;

/// Performs a command, and returns the exit code.
pub(crate) fn perform(args: &SequencesArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    match &args.command {
        SequencesCommand::List => list(place),
        SequencesCommand::Run(args) => {
            let cover = args.coverage.settings.cover.as_deref().unwrap_or("none");
            let place = PlaceArgs { cover: cover.parse().map_err(Problem::usage)?, ..place.clone() };
            let target = Target::find(&args.subject, &place)?;
            target.check_cover(place.cover)?;
            let ask = Ask::Run(request(args, &target)?);
            target.finish(&ask, args.json)
        }
        SequencesCommand::Count(args) => {
            let target = Target::find(&args.subject, place)?;
            let settings = args.given.settings.clone();
            target.finish(&Ask::Count(Count { settings }), args.json)
        }
        SequencesCommand::Replay(args) => {
            let target = Target::find(&args.subject, place)?;
            let replay = match (&args.sequence, &args.file) {
                (Some(text), _) => Ask::Replay(ReplayTest { sequence: text.clone() }),
                (None, Some(path)) => Ask::ReplayFile(ReplayFile { file: target.path(path)? }),
                (None, None) => {
                    return Err(Problem::usage(
                        "say which test: its calls, as in `'map[0] = TreeMap::new()'`, its length and index, as in `3:17`, or \
                         `--file FILE` with saved ones",
                    ));
                }
            };
            target.finish(&replay, args.json)
        }
        SequencesCommand::Density(args) => density::print(args),
    }
}

fn list(place: &PlaceArgs) -> Result<u8, Problem> {
    match package::find(place)? {
        Place::Packages(packages) => listing::list_sequences(&packages, place),
        Place::Catalogue => {
            let mut console = Console::new(true);
            let width = CONTAINERS.iter().map(|subject| subject.name.len()).max().unwrap_or(0);
            for subject in CONTAINERS {
                let context = (subject.context)(SIZE).build().map_err(Problem::usage)?;
                let methods: Vec<&str> = context.methods().collect();
                console.print(&format!("{:width$}  {}\n", subject.name, methods.join(", ")))?;
            }
            console.finish()?;
            Ok(0)
        }
    }
}

fn request(args: &RunArgs, target: &Target) -> Result<Run, Problem> {
    let RunArgs { save, force, uses, .. } = args;
    if save.is_none() && (*force || !uses.is_empty()) {
        return Err(Problem::usage("`--force` and `--use` are about a file; say which: `--save FILE`"));
    }
    let save = save.as_ref().map(|path| target.path(path)).transpose()?;
    Ok(Run { settings: args.settings(), save, force: *force, uses: uses.clone() })
}

/// The subject of a command.
enum Target {
    Container(&'static Container, u8),
    Test(Box<Test>),
}

impl Target {
    fn find(args: &SubjectArgs, place: &PlaceArgs) -> Result<Target, Problem> {
        let name = &args.subject;
        match package::find(place)? {
            Place::Catalogue => Ok(Target::Container(known(name)?, args.size.unwrap_or(SIZE))),
            Place::Packages(_) if args.size.is_some() => Err(Problem::usage(format!(
                "`--size` is for the subjects that come with smallscope; `{name}` has pools of its own"
            ))),
            Place::Packages(packages) => {
                let tests = user_tests::find(&packages, place)?;
                user_tests::choose(&tests, Kind::Calls, name).map(|test| Target::Test(Box::new(test)))
            }
        }
    }

    /// Refuses counters for the tool's own subjects, which are built with probes and without counters.
    fn check_cover(&self, cover: Cover) -> Result<(), Problem> {
        match self {
            Target::Container(known, _) if cover == Cover::Llvm => Err(Problem::usage(format!(
                "the subjects that come with smallscope were built together with this tool, without the compiler's counters; \
                 `--cover llvm` is for tests of your crate, and for `{}` there is `--cover blocks`",
                known.name,
            ))),
            _ => Ok(()),
        }
    }

    /// Returns a path that is valid where the request is performed: test binaries run in their package.
    fn path(&self, path: &Path) -> Result<PathBuf, Problem> {
        match self {
            Target::Container(..) => Ok(path.to_owned()),
            Target::Test(_) => std::path::absolute(path)
                .map_err(|error| Problem::file(format!("{} is no path: {error}", path.display()))),
        }
    }

    /// Performs a request, and prints the answer.
    fn finish(&self, ask: &Ask, json: bool) -> Result<u8, Problem> {
        let mut console = Console::new(false);
        let ended = match self {
            Target::Test(test) => driver::perform(test, &ask.to_line(), &mut console)?,
            Target::Container(known, size) => {
                Ended::Answer(sequences::perform(&subject_of(known, *size)?, ask, &mut console)?)
            }
        };
        conclude(ended, console, json)
    }
}

fn subject_of(known: &Container, size: u8) -> Result<Subject<'static>, Problem> {
    let context = Arc::new((known.context)(size).build().map_err(Problem::usage)?);
    let campaign = Campaign { length: Some(LENGTH), ..Campaign::default() };
    Ok(Subject { name: known.name, context, campaign, uses: vec!["smallscope_containers::*".to_owned()] })
}

/// Performs requests for a container.
type Perform = Box<dyn FnOnce(&Ask, &mut dyn Observer) -> Result<(), Problem> + Send>;

/// Returns what answers for the container with a name, if there is one and no package is meant.
pub(crate) fn of_container(name: &str, place: &PlaceArgs) -> Result<Option<Perform>, Problem> {
    let Place::Catalogue = package::find(place)? else { return Ok(None) };
    let Some(known) = CONTAINERS.iter().find(|container| container.name == name) else { return Ok(None) };
    Ok(Some(Box::new(move |ask, observer| {
        sequences::perform(&subject_of(known, SIZE)?, ask, observer).map(|_| ()).map_err(Problem::from)
    })))
}

fn known(name: &str) -> Result<&'static Container, Problem> {
    CONTAINERS.iter().find(|subject| subject.name == name).ok_or_else(|| {
        let near = suggest::near(name, CONTAINERS.iter().map(|subject| subject.name));
        let hint = match suggest::alternatives(&near) {
            none if none.is_empty() => "`cargo smallscope sequences list` names all of them".to_owned(),
            some => format!("did you mean {some}?"),
        };
        Problem::usage(format!("there is no subject `{name}`; {hint}"))
    })
}
