//! The command `mutate`: runs a test on mutants of the code under test, and says which it tells from the original.
//!
//! Mutants may loop, abort or exit, so each runs in a process of the test binary. A process runs one mutant after the
//! other; if one ends it, the next mutant gets a new process.

pub(crate) mod cli;
mod diff;
mod matrix;
mod pool;
mod print;
mod print_matrix;
mod scopes;
pub(crate) mod shards;
pub(crate) mod subject;
mod verdict;
mod worker;

use crate::cli::PlaceArgs;
use crate::console::Console;
use crate::problem::{FAILED, INTERRUPTED, Problem};
use crate::suggest;
use cli::MutateArgs;
use diff::Diff;
use matrix::{Minimal, REDUCTIONS, Row, Suite};
use pool::{Limits, Pool, Workplace};
use smallscope_runner::session::{
    ListedMutant, MutantQuery, Mutants, Numbers, OriginalRun, Request, WantedSuites, WantedValues,
};
use smallscope_support::memory::Bytes;
use std::collections::BTreeSet;
use std::time::Duration;
use subject::Subject;
use verdict::Verdict;
use worker::Heard;

/// The steps of a mutant on one value, besides a multiple of those of the original.
const STEPS: u64 = 10_000;
/// That multiple, for steps and for time.
const TIMES: u32 = 20;
/// The time of a mutant, besides a multiple of that of the original.
const PATIENCE: Duration = Duration::from_secs(10);
/// The memory of a process, unless it is given.
const MEMORY: Bytes = Bytes(4 << 30);

/// A mutant, and what became of it.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) mutant: ListedMutant,
    pub(crate) verdict: Verdict,
    /// The values that kill it, in the matrix.
    pub(crate) row: Option<Row>,
}

/// The mutants of a test, and what became of them.
pub(crate) struct Results {
    pub(crate) test: String,
    /// Whether the test is about call sequences.
    pub(crate) is_calls: bool,
    pub(crate) original: OriginalRun,
    pub(crate) judged: Vec<Judged>,
    pub(crate) matrix: Option<Matrix>,
}

/// What the matrix says about the values.
pub(crate) struct Matrix {
    pub(crate) suites: Vec<Suite>,
    pub(crate) minimal: Minimal,
    /// The values of the minimal subset, as text.
    pub(crate) values: Vec<String>,
}

/// Performs the command, and returns the exit code.
pub(crate) fn perform(args: &MutateArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let place = with_mutants(place);
    let diff = args.in_diff.as_deref().map(Diff::load).transpose()?;
    let subject = Subject::find(&args.test, args.operation.as_deref(), args.args.as_deref(), &place)?;
    let mut console = Console::new(false);
    let pool = pool(&subject, args, &console)?;
    let Some((original, listed, elapsed)) = pool.original()? else { return Ok(INTERRUPTED) };
    let selected = select(&subject, &original, listed, args, diff.as_ref())?;
    if args.list {
        for mutant in &selected {
            console.line(&print::listed(mutant))?;
        }
        console.finish()?;
        return Ok(0);
    }
    let limits = limits(args, &original, elapsed);
    let judged = pool.each(&selected, &mut console, |place, mutant| {
        judge(place, mutant, &limits, args.matrix.then_some(&original))
    })?;
    let Some(judged) = judged else {
        console.finish()?;
        return Ok(INTERRUPTED);
    };
    let matrix = match args.matrix {
        true => match compare(&pool, &original, &judged)? {
            None => return Ok(INTERRUPTED),
            some => some,
        },
        false => None,
    };
    conclude(
        &Results { test: subject.name(), is_calls: subject.is_calls(), original, judged, matrix },
        args,
        console,
    )
}

/// Builds tests with mutants. Suites that keep some values of each class need the decisions of the invariant.
fn with_mutants(place: &PlaceArgs) -> PlaceArgs {
    PlaceArgs { mutate: true, criteria: true, ..place.clone() }
}

/// Returns when a mutant is given up.
fn limits(args: &MutateArgs, original: &OriginalRun, elapsed: Duration) -> Limits {
    Limits {
        steps: STEPS + u64::from(TIMES) * original.steps,
        time: args.timeout.unwrap_or(PATIENCE + elapsed * TIMES + run_budget(args)),
    }
}

/// Prints the result, and returns the exit code.
fn conclude(results: &Results, args: &MutateArgs, mut console: Console) -> Result<u8, Problem> {
    console.line(&if args.json { print::json(results) } else { print::text(results, args) })?;
    console.finish()?;
    print::annotate(results);
    let has_survivor = results.judged.iter().any(|judged| judged.verdict.is_survivor());
    Ok(if args.check && has_survivor { FAILED } else { 0 })
}

/// Returns the processes that run a test.
fn pool<'a>(subject: &'a Subject, args: &MutateArgs, console: &Console) -> Result<Pool<'a>, Problem> {
    let length = &args.length.settings;
    if length.length.is_some() && !subject.is_calls() {
        return Err(Problem::usage(format!(
            "`--length` is for call sequences, and `{}` is about values: give `--scope N`",
            subject.name()
        )));
    }
    if args.matrix && subject.is_calls() {
        return Err(Problem::usage(format!(
            "`{}` is about call sequences; `--matrix` is for tests on values",
            subject.name()
        )));
    }
    let mut settings = args.bounds.settings.clone().or(args.limits.settings.clone()).or(length.clone());
    let (threads, memory) = (settings.threads(), settings.memory.take().unwrap_or(MEMORY));
    settings.threads = None;
    let absolute = |path| {
        std::path::absolute(path).map_err(|error| Problem::usage(format!("`--suite` names no file: {error}")))
    };
    let suite = args.suite.as_ref().map(absolute).transpose()?;
    let request = Request::Mutants(Mutants { settings, suite }).to_line();
    Ok(Pool { subject, request, memory, threads, stop: console.stop.clone() })
}

/// Runs a mutant up to its first kill, and for the matrix on every value of the original's run.
fn judge(
    place: &mut Workplace<'_>,
    mutant: &ListedMutant,
    limits: &Limits,
    matrix: Option<&OriginalRun>,
) -> Result<Judged, Problem> {
    let judged = |verdict, row| Judged { mutant: mutant.clone(), verdict, row };
    if let Some(verdict) = verdict::without_run(mutant) {
        return Ok(judged(verdict, None));
    }
    let verdict = place.first_kill(mutant, limits)?;
    let row = match (matrix, &verdict) {
        (None, _) => None,
        (Some(original), Verdict::Equivalent) => {
            Some(Row { kills: Numbers::default(), tried: original.values, problem: None })
        }
        (Some(_), _) => Some(place.row(mutant, limits)?),
    };
    Ok(judged(verdict, row))
}

/// Compares parts of the values. Returns nothing if the user has stopped it.
fn compare(pool: &Pool<'_>, original: &OriginalRun, judged: &[Judged]) -> Result<Option<Matrix>, Problem> {
    let mut kept = vec![None; REDUCTIONS.len()];
    let reductions = REDUCTIONS.map(|(reduction, _)| reduction.to_owned()).to_vec();
    let query = MutantQuery::Suites(WantedSuites { reductions, total: original.values });
    let has_ended = pool.ask(&query, |heard| {
        if let Heard::Suite(suite) = heard {
            let place = REDUCTIONS.iter().position(|(reduction, _)| *reduction == suite.reduction);
            place.into_iter().for_each(|place| kept[place] = Some(suite.numbers.clone()));
        }
    })?;
    let minimal = matrix::minimal(judged);
    let mut values = vec![];
    let query = MutantQuery::Values(WantedValues { numbers: minimal.numbers.iter().copied().collect() });
    let has_ended = has_ended
        && pool.ask(&query, |heard| {
            if let Heard::Value(value) = heard {
                values.push(value.value);
            }
        })?;
    let suites = matrix::suites(judged, original, &kept, &minimal);
    Ok(has_ended.then_some(Matrix { suites, minimal, values }))
}

/// The time that a run may take by the user's will is not counted against a mutant.
fn run_budget(args: &MutateArgs) -> Duration {
    args.limits.settings.budget.unwrap_or_default().min(Duration::from_secs(1 << 20))
}

/// Returns the mutants to run.
fn select(
    subject: &Subject,
    original: &OriginalRun,
    listed: Vec<ListedMutant>,
    args: &MutateArgs,
    diff: Option<&Diff>,
) -> Result<Vec<ListedMutant>, Problem> {
    let name = subject.name();
    if !original.is_ok {
        return Err(Problem::failed(format!(
            "`{name}` does not pass on the original, so it says nothing about mutants; fix that first\n\n{}",
            original.report
        )));
    }
    if listed.is_empty() {
        return Err(Problem::usage(format!(
            "`{name}` runs no code with mutants; put `#[smallscope::mutate]` on the functions or impl blocks that it tests \
             (`#[cfg_attr(test, smallscope::mutate)]` if smallscope is a dev-dependency)"
        )));
    }
    let known: BTreeSet<&str> = listed.iter().map(|mutant| mutant.id.as_str()).collect();
    if let Some(unknown) = args.mutant.iter().find(|id| !known.contains(id.as_str())) {
        let near = suggest::near(unknown, known.iter().copied());
        let hint = match suggest::alternatives(&near) {
            none if none.is_empty() => {
                "the test never runs the function that it is in, or that has changed; `--list` prints the ids that there are"
                    .to_owned()
            }
            some => format!("did you mean {some}?"),
        };
        return Err(Problem::usage(format!("the code that `{name}` runs has no mutant `{unknown}`; {hint}")));
    }
    let is_meant = |mutant: &ListedMutant| args.mutant.is_empty() || args.mutant.contains(&mutant.id);
    let is_changed = |mutant: &ListedMutant| diff.is_none_or(|diff| diff.has(mutant));
    let selected: Vec<ListedMutant> = listed.into_iter().filter(|m| is_meant(m) && is_changed(m)).collect();
    if selected.is_empty() {
        // A pull request that changes nothing here is no mistake.
        return Ok(selected);
    }
    if !args.list && selected.iter().all(|mutant| !mutant.is_reached) {
        return Err(Problem::usage(format!(
            "`{name}` never runs the changed code of {}; raise its bounds, or choose a test that runs it",
            if selected.len() == 1 { format!("`{}`", selected[0].id) } else { "any mutant".to_owned() }
        )));
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn mutant() -> ListedMutant {
        ListedMutant {
            id: "lib::f::ror::000000".into(),
            file: "src/lib.rs".into(),
            line: 1,
            column: 1,
            function: "f".into(),
            operator: "ror".into(),
            before: "a < b".into(),
            after: "a <= b".into(),
            equivalent: None,
            is_reached: true,
        }
    }

    pub(crate) fn judged(kills: Numbers) -> Judged {
        let row = Row { kills, tried: 10, problem: None };
        Judged { mutant: mutant(), verdict: Verdict::Equivalent, row: Some(row) }
    }

    pub(crate) fn original() -> OriginalRun {
        OriginalRun {
            is_ok: true,
            report: String::new(),
            is_exhaustive: true,
            coverage: String::new(),
            bound: "scope 3".into(),
            tested: 10,
            steps: 1,
            values: 10,
            sparse: 0,
            passes: vec![],
            reached: vec![],
        }
    }
}
