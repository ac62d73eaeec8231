//! What each command does: make a request of its arguments, and have it performed where its structure is.

use crate::cli::{
    BoundsArgs, Cli, Command, CountArgs, ExportArgs, PlaceArgs, ReduceArgs, ReductionArgs, ReplayArgs,
    ResumeArgs, RunArgs,
};
use crate::console::Console;
use crate::driver;
use crate::problem::{FAILED, INTERRUPTED, Problem};
use crate::target::Target;
use crate::{listing, sequences, target};
use smallscope::Candidate;
use smallscope_runner::criteria::{Given, Reduction};
use smallscope_runner::internal::ReplayCandidate;
use smallscope_runner::session::{Export, Reduce, Replay, Request, Resume, Run, Show};
use std::path::PathBuf;
use std::time::Duration;

/// What a request came to.
pub(crate) enum Answer {
    /// A run has ended.
    Summary {
        /// In words.
        text: String,
        /// As JSON.
        json: String,
        /// The outcome in one word.
        outcome: String,
    },
    /// All is printed.
    Done,
}

/// Does what the command says; the number is the exit code.
pub(crate) fn perform(cli: &Cli) -> Result<u8, Problem> {
    let place = &PlaceArgs { criteria: cli.command.has_criterion(), ..cli.place.clone() };
    match &cli.command {
        Command::List => listing::list(place),
        Command::Run(args) => run(args, place),
        Command::Count(args) => count(args, place),
        Command::Size(args) => {
            let target = Target::find(&args.structure, place)?;
            let request = Request::Size(target.space(&args.bounds, None)?);
            finish(&target, &request, Console::new(false), false)
        }
        Command::Explain(args) => {
            let target = Target::find(&args.structure, place)?;
            let request = Request::Explain(target.space(&args.bounds, Some(target::SCOPE_TO_EXPLAIN))?);
            finish(&target, &request, Console::new(false), false)
        }
        Command::Show(args) => {
            let target = Target::of_file(&args.file, place)?;
            let request = Request::Show(Show { file: target.path(&args.file)?, at: args.at });
            finish(&target, &request, Console::new(true), false)
        }
        Command::Export(args) => export(args, place),
        Command::Replay(args) => replay(args, place),
        Command::Resume(args) => resume(args, place),
        Command::Reduce(args) => reduce(args, place),
        Command::Sequences(args) => sequences::perform(args, place),
    }
}

fn run(args: &RunArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::find(&args.count.space.structure, place)?;
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| target.path(path)).transpose();
    let request = Run {
        print: args.print,
        save: path(&args.save)?,
        force: args.force,
        checkpoint: path(&args.checkpoint)?,
        checkpoint_every: args.rhythm.checkpoint_every,
        reduction: reduction(&args.reduction)?,
        list_classes: args.reduction.list_classes,
        ..counting(&target, &args.count)?
    };
    let prints = args.print || args.reduction.list_classes;
    finish(&target, &Request::Run(request), Console::new(prints), args.count.limits.json)
}

/// Which values are to be kept, if not all.
fn reduction(args: &ReductionArgs) -> Result<Option<Reduction>, Problem> {
    let given = Given {
        criterion: args.criterion.clone(),
        ratio: args.ratio.clone(),
        size: args.size,
        per_class: args.per_class,
        choice: args.choice.clone(),
        seed: args.seed,
    };
    let reduction = given.reduction().map_err(Problem::usage)?;
    if args.list_classes && reduction.is_none() {
        return Err(Problem::usage(
            "classes are made by a criterion; say by which, such as `--criterion cdc`",
        ));
    }
    Ok(reduction)
}

fn reduce(args: &ReduceArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let reduction = reduction(&args.reduction)?.ok_or_else(|| {
        Problem::usage("say by which criterion and to what: `--criterion cdc --ratio 0.1`, for example")
    })?;
    let target = Target::of_file(&args.file, place)?;
    let request = Request::Reduce(Reduce {
        file: target.path(&args.file)?,
        reduction,
        save: args.save.as_ref().map(|path| target.path(path)).transpose()?,
        force: args.force,
        print: args.print,
        list_classes: args.reduction.list_classes,
    });
    finish(&target, &request, Console::new(args.print || args.reduction.list_classes), args.json)
}

fn count(args: &CountArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::find(&args.space.structure, place)?;
    let request = Request::Run(counting(&target, args)?);
    finish(&target, &request, Console::new(false), args.limits.json)
}

/// A run that neither prints nor saves.
fn counting(target: &Target, args: &CountArgs) -> Result<Run, Problem> {
    Ok(Run {
        space: target.space(&args.space.bounds, None)?,
        classes: args.classes,
        print: false,
        save: None,
        force: false,
        one_per_path: args.one_per_path,
        max: args.limits.max,
        budget: args.limits.budget,
        threads: args.limits.threads,
        from: args.from.clone(),
        to: args.to.clone(),
        checkpoint: None,
        checkpoint_every: Duration::from_secs(10),
        reduction: None,
        list_classes: false,
    })
}

fn resume(args: &ResumeArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::of_file(&args.file, place)?;
    let request = Request::Resume(Resume {
        file: target.path(&args.file)?,
        max: args.limits.max,
        budget: args.limits.budget,
        threads: args.limits.threads,
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
    let console = match &args.output {
        Some(path) => Console::to_file(path)?,
        None => Console::new(true),
    };
    finish(&target, &request, console, false)
}

fn replay(args: &ReplayArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let target = Target::find(&args.structure, place)?;
    let position = position(&args.candidate, &args.bounds, &target)?;
    match &target {
        Target::Test(test) => driver::replay(test, &position.to_string()),
        Target::Structure(_) => {
            let bounds = BoundsArgs {
                args: args.bounds.args.clone(),
                scope: position.scope,
                engine: Some(position.engine),
                disjoint: false,
            };
            let space = target.space(&bounds, None)?;
            let request = Request::Replay(Replay { space, candidate: position.candidate });
            finish(&target, &request, Console::new(false), false)
        }
    }
}

/// A candidate with its scope and engine, whether these were given in front of it, beside it or in the test.
fn position(text: &str, beside: &BoundsArgs, target: &Target) -> Result<ReplayCandidate, Problem> {
    if !text.contains(':') {
        let candidate: Candidate = text.parse().map_err(Problem::usage)?;
        let scope = beside.scope.or_else(|| target.own_scope());
        let engine = beside.engine.unwrap_or_default();
        return Ok(ReplayCandidate { engine, scope, candidate, fingerprint: None });
    }
    let position: ReplayCandidate = text.parse().map_err(Problem::usage)?;
    let is_other_scope = beside.scope.is_some_and(|scope| position.scope != Some(scope));
    let is_other_engine = beside.engine.is_some_and(|engine| position.engine != engine);
    if is_other_scope || is_other_engine || (beside.args.is_some() && position.scope.is_some()) {
        return Err(Problem::usage(format!(
            "`{text}` says what the bounds or the engine are, and the options say something else; leave the \
             options out"
        )));
    }
    Ok(position)
}

/// Performs a request, and prints what it came to.
fn finish(target: &Target, request: &Request, mut console: Console, json: bool) -> Result<u8, Problem> {
    let answer = target.perform(request, &mut console)?;
    conclude(answer, console, json)
}

/// Prints an answer; the number is the exit code.
pub(crate) fn conclude(answer: Answer, mut console: Console, json: bool) -> Result<u8, Problem> {
    let code = match answer {
        Answer::Summary { text, json: object, outcome } => {
            console.line(if json { &object } else { &text })?;
            match outcome.as_str() {
                "interrupted" => INTERRUPTED,
                "failed" => FAILED,
                _ => 0,
            }
        }
        // Half a file is worse than none.
        Answer::Done if console.stop.is_asked() => return console.abandon().map(|()| INTERRUPTED),
        Answer::Done => 0,
    };
    console.finish()?;
    Ok(code)
}
