//! The commands: each makes a request from its arguments, and performs it where its structure is.

use crate::cli::{
    BoundsArgs, Cli, Command, CountArgs, CountingArgs, ExportArgs, PlaceArgs, ReduceArgs, ReductionArgs,
    ReplayArgs, ResumeArgs, RunArgs, ShowArgs,
};
use crate::console::Console;
use crate::driver;
use crate::problem::{FAILED, INTERRUPTED, Problem};
use crate::target::Target;
use crate::{catalogue, listing, mutate, reproduce, sequences, shard, submit, target, view};
use smallscope::Bounds;
use smallscope::search::Candidate;
use smallscope::summaries::Summaries;
use smallscope_runner::criteria::Reduction;
use smallscope_runner::internal::ReplayCandidate;
use smallscope_runner::session::{
    Answer, Export, Format, Nth, Reduce, Replay, Request, Resume, Run, Show, Table,
};
use smallscope_runner::settings::Settings;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// How a request ended.
pub(crate) enum Ended {
    /// With an answer to print.
    Answer(Answer),
    /// Everything is printed already.
    Done,
}

/// Performs a command, and returns the exit code.
pub(crate) fn perform(cli: &Cli) -> Result<u8, Problem> {
    let place = &PlaceArgs {
        criteria: cli.command.has_criterion(),
        filled: cli.command.has_gaps(),
        ..cli.place.clone()
    };
    match &cli.command {
        Command::List => listing::list(place),
        Command::Run(args) => run(args, place),
        Command::Count(args) => count(args, place),
        Command::Size(args) => {
            refuse_summaries(&args.bounds, "`size` does not search")?;
            let target = Target::find(&args.structure, place)?;
            let request = Request::Size(target.space(&args.bounds, None)?);
            finish(&target, &request, Console::new(false), false)
        }
        Command::Explain(args) => {
            let target = Target::find(&args.structure, place)?;
            let request = Request::Explain(target.space(&args.bounds, Some(target::SCOPE_TO_EXPLAIN))?);
            finish(&target, &request, Console::new(false), false)
        }
        Command::Show(args) => show(args, place),
        Command::Export(args) => export(args, place),
        Command::Replay(args) => replay(args, place),
        Command::Resume(args) => resume(args, place),
        Command::Reduce(args) => reduce(args, place),
        Command::View(args) => view::view(args, place),
        Command::Sequences(args) => sequences::perform(args, place),
        Command::Mutate(args) => mutate::perform(args, place),
        Command::Reproduce(args) => reproduce::perform(args),
        Command::Shard(args) => shard::perform(args, place),
        Command::Submit(args) => submit::submit(args, place),
    }
}

fn run(args: &RunArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::to_run(&args.count.space.structure, place)?;
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| target.path(path)).transpose();
    let settings = reduction(&args.reduction)?;
    let mut request = Run {
        print: args.print,
        save: path(&args.save)?,
        force: args.force,
        checkpoint: path(&args.checkpoint)?,
        checkpoint_every: args.rhythm.checkpoint_every,
        list_classes: args.reduction.list_classes,
        ..counting(&target, &args.count)?
    };
    request.space.settings = settings.or(request.space.settings);
    let prints = args.print || args.reduction.list_classes;
    finish(&target, &Request::Run(request), Console::new(prints), args.count.limits.json)
}

/// Returns the settings of the reduction. Finds mistakes before anything is built.
fn reduction(args: &ReductionArgs) -> Result<Settings, Problem> {
    let settings = &args.given.settings;
    let reduction = Reduction::of(settings).map_err(Problem::usage)?;
    if args.list_classes && reduction.is_none() {
        return Err(Problem::usage(
            "classes are made by a criterion; say by which, such as `--criterion cdc`",
        ));
    }
    Ok(settings.clone())
}

fn reduce(args: &ReduceArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let settings = reduction(&args.reduction)?;
    let target = Target::of_file(&args.file, place)?;
    let request = Request::Reduce(Reduce {
        file: target.path(&args.file)?,
        settings: settings.or(args.memory.settings.clone()),
        save: args.save.as_ref().map(|path| target.path(path)).transpose()?,
        force: args.force,
        print: args.print,
        list_classes: args.reduction.list_classes,
    });
    finish(&target, &request, Console::new(args.print || args.reduction.list_classes), args.json)
}

/// Prints the values of a suite, or finds the value of a structure with a number.
fn show(ShowArgs { target: name, at, bounds }: &ShowArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let text = name.to_string_lossy();
    let is_suite = name.is_file() || view::is_path(&text);
    let (target, request) = match at {
        _ if is_suite => {
            let target = Target::of_file(name, place)?;
            view::refuse_bounds(name, view::A_SUITE, bounds)?;
            // No file has more values.
            let at = at.as_ref().map(|at| at.to_u64().unwrap_or(u64::MAX));
            let request = Request::Show(Show { file: target.path(name)?, at });
            (target, request)
        }
        Some(_) if bounds.given.settings.summaries == Some(Summaries::Off) => {
            return Err(Problem::usage(
                "`show --at` finds a value by summaries of helpers: leave `--summaries off` out, or list the values \
                 with `run --print`",
            ));
        }
        Some(at) => {
            let target = Target::find(&text, place)?;
            let request = Request::Nth(Nth { space: target.space(bounds, None)?, at: at.to_string() });
            (target, request)
        }
        None => {
            return Err(Problem::usage(format!(
                "`{text}` is no suite; of a structure or a test, `show` prints the value with a number, such as `--at 1`, \
                 and `run --print` prints all values"
            )));
        }
    };
    finish(&target, &request, Console::new(true), false)
}

fn count(args: &CountingArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let CountingArgs { count: args, by_size } = args;
    let target = Target::find(&args.space.structure, place)?;
    let (run, json) = (counting(&target, args)?, args.limits.json);
    let request = if *by_size { Request::Table(Table { run, json }) } else { Request::Run(run) };
    finish(&target, &request, Console::new(*by_size), json)
}

/// Returns a run that neither prints nor saves.
fn counting(target: &Target, args: &CountArgs) -> Result<Run, Problem> {
    let mut space = target.space(&args.space.bounds, None)?;
    let CountArgs { selection, limits, .. } = args;
    space.settings = space.settings.or(selection.settings.clone()).or(limits.given.settings.clone());
    Ok(Run {
        space,
        print: false,
        save: None,
        force: false,
        checkpoint: None,
        checkpoint_every: Duration::from_secs(10),
        list_classes: false,
    })
}

fn resume(args: &ResumeArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::of_file(&args.file, place)?;
    let request = Request::Resume(Resume {
        file: target.path(&args.file)?,
        settings: args.limits.given.settings.clone(),
        checkpoint_every: args.rhythm.checkpoint_every,
    });
    finish(&target, &request, Console::new(false), args.limits.json)
}

fn export(args: &ExportArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::of_file(&args.file, place)?;
    let request = Request::Export(Export {
        file: target.path(&args.file)?,
        to: args.to,
        type_path: args.type_path.clone(),
    });
    match &args.output {
        Some(folder) if args.to == Format::Corpus => corpus(&target, &request, folder),
        Some(path) => finish(&target, &request, Console::to_file(path)?, false),
        None => finish(&target, &request, Console::new(true), false),
    }
}

/// Writes each line of an export into a file of its own, without the end of the line. Other files of the folder stay.
fn corpus(target: &Target, request: &Request, folder: &Path) -> Result<u8, Problem> {
    let unwritable = |error: io::Error| Problem::file(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(unwritable)?;
    let lines = folder.join(".smallscope");
    let code = finish(target, request, Console::to_file(&lines)?, false)?;
    let values = fs::read_to_string(&lines).map_err(unwritable)?;
    fs::remove_file(&lines).map_err(unwritable)?;
    for (number, value) in values.lines().enumerate() {
        fs::write(folder.join(format!("smallscope-{number:06}")), value).map_err(unwritable)?;
    }
    Ok(code)
}

/// Refuses an option about how values are searched for, where none are.
fn refuse_summaries(bounds: &BoundsArgs, why: &str) -> Result<(), Problem> {
    match bounds.given.settings.summaries {
        Some(_) => Err(Problem::usage(format!("{why}: leave `--summaries` out"))),
        None => Ok(()),
    }
}

fn replay(args: &ReplayArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    refuse_summaries(&args.bounds, "a value is the same with and without summaries of helpers")?;
    let target = Target::find(&args.structure, place)?;
    let replay = replay_candidate(&args.candidate, &args.bounds, &target)?;
    match &target {
        Target::Test(test) => driver::replay(test, &replay.to_string()),
        Target::Structure(_) if replay.edges => {
            Err(Problem::usage(format!("`{}` has edge values, which only tests try", args.candidate)))
        }
        Target::Structure(_) if replay.fill.is_some() => {
            Err(Problem::usage(format!("`{}` has long sequences, which only tests try", args.candidate)))
        }
        Target::Structure(_) if replay.within => {
            Err(Problem::usage(format!("`{}` is of a pass, which only tests have", args.candidate)))
        }
        Target::Structure(structure) => {
            let number =
                replay.scope.map(|n| if replay.is_size { Bounds::size(n) } else { Bounds::scope(n) });
            let mut space = catalogue::space(structure, args.bounds.args.as_deref(), number)?;
            space.settings.engine = Some(replay.engine);
            let request = Request::Replay(Replay { space, candidate: replay.candidate });
            finish(&target, &request, Console::new(false), false)
        }
    }
}

/// Returns a candidate with its scope and engine, which are part of the text, options, or given by the test.
fn replay_candidate(text: &str, beside: &BoundsArgs, target: &Target) -> Result<ReplayCandidate, Problem> {
    let Settings { scope, size, engine, .. } = beside.given.settings;
    if !text.contains(':') {
        let candidate: Candidate = text.parse().map_err(Problem::usage)?;
        let (scope, is_size) = match (scope.or(size), target.own_number()) {
            (Some(number), _) => (Some(number), size.is_some()),
            (None, Some((number, is_size))) => (Some(number), is_size),
            (None, None) => (None, false),
        };
        return Ok(ReplayCandidate {
            engine: engine.unwrap_or_default(),
            scope,
            is_size,
            edges: false,
            within: false,
            fill: None,
            candidate,
            fingerprint: None,
        });
    }
    let replay: ReplayCandidate = text.parse().map_err(Problem::usage)?;
    let is_other = |given: Option<u32>, is_size: bool| {
        given.is_some_and(|n| (replay.scope, replay.is_size) != (Some(n), is_size))
    };
    let is_other_scope = is_other(scope, false) || is_other(size, true);
    let is_other_engine = engine.is_some_and(|engine| replay.engine != engine);
    if is_other_scope || is_other_engine || (beside.args.is_some() && replay.scope.is_some()) {
        return Err(Problem::usage(format!(
            "`{text}` says what the bounds or the engine are, and the options say something else; leave the \
             options out"
        )));
    }
    Ok(replay)
}

/// Performs a request, and prints how it ended.
fn finish(target: &Target, request: &Request, mut console: Console, json: bool) -> Result<u8, Problem> {
    let ended = target.perform(request, &mut console)?;
    conclude(ended, console, json)
}

/// Prints an answer, if there is one, and returns the exit code.
pub(crate) fn conclude(ended: Ended, mut console: Console, json: bool) -> Result<u8, Problem> {
    let code = match ended {
        Ended::Answer(Answer { text, json: object, outcome }) => {
            console.line(if json { &object } else { &text })?;
            match outcome.as_str() {
                "interrupted" => INTERRUPTED,
                "failed" => FAILED,
                _ => 0,
            }
        }
        // An incomplete file must not look like a complete one.
        Ended::Done if console.stop.is_asked() => return console.abandon().map(|()| INTERRUPTED),
        Ended::Done => 0,
    };
    console.finish()?;
    Ok(code)
}
