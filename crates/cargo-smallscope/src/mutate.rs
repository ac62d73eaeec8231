//! The command `mutate`: runs a test on mutants of the code under test, and says which it tells from the original.
//!
//! Mutants may loop, abort or exit, so each runs in a process of the test binary. A process runs one mutant after the
//! other; if one ends it, the next mutant gets a new process.

pub(crate) mod cli;
mod print;
mod verdict;
mod worker;

use crate::cli::PlaceArgs;
use crate::console::Console;
use crate::problem::{FAILED, INTERRUPTED, Problem};
use crate::suggest;
use crate::target::Target;
use crate::user_tests::Test;
use cli::MutateArgs;
use smallscope_runner::session::{
    ListedMutant, MutantQuery, Mutants, Observer, OriginalRun, Request, RunMutant, Status,
};
use smallscope_support::memory::Bytes;
use smallscope_support::ordered::{Numbers, Pieces};
use std::collections::BTreeSet;
use std::task::Poll;
use std::time::{Duration, Instant};
use verdict::{Death, Verdict};
use worker::{Heard, Worker};

/// The steps of a mutant on one value, besides a multiple of those of the original.
const STEPS: u64 = 10_000;
/// That multiple, for steps and for time.
const TIMES: u32 = 20;
/// The time of a mutant, besides a multiple of that of the original.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is checked whether the user has stopped the run.
const TICK: Duration = Duration::from_millis(50);
/// The memory of a process, unless it is given.
const MEMORY: Bytes = Bytes(4 << 30);

/// The mutants of a test, and what became of them.
pub(crate) struct Results {
    pub(crate) test: String,
    pub(crate) original: OriginalRun,
    pub(crate) mutants: Vec<(ListedMutant, Verdict)>,
}

/// Performs the command, and returns the exit code.
pub(crate) fn perform(args: &MutateArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let place = PlaceArgs { mutate: true, ..place.clone() };
    let Target::Test(test) = Target::find(&args.test, &place)? else {
        return Err(Problem::usage(format!(
            "`{}` is a structure of the catalogue, which has no code under test; go to a crate with a `#[smallscope::test]` of code \
             that has `#[smallscope::mutate]`",
            args.test
        )));
    };
    let mut console = Console::new(false);
    let mut settings = args.bounds.settings.clone().or(args.limits.settings.clone());
    let (threads, memory) = (settings.threads(), settings.memory.take().unwrap_or(MEMORY));
    settings.threads = None;
    let run = Run { test: &test, request: Request::Mutants(Mutants { settings }).to_line(), memory };
    let Some((original, listed, elapsed)) = run.original(&console)? else { return Ok(INTERRUPTED) };
    let selected = select(&test, &original, listed, args)?;
    if args.list {
        for mutant in &selected {
            console.line(&print::listed(mutant))?;
        }
        console.finish()?;
        return Ok(0);
    }
    let limits = Limits {
        steps: STEPS + u64::from(TIMES) * original.steps,
        time: args.timeout.unwrap_or(PATIENCE + elapsed * TIMES + run_budget(args)),
    };
    let verdicts = run.all(&selected, &limits, threads, &mut console)?;
    let Some(verdicts) = verdicts else {
        console.finish()?;
        return Ok(INTERRUPTED);
    };
    let mutants = selected.into_iter().zip(verdicts).collect();
    let results = Results { test: test.mark.harness_name(), original, mutants };
    console.line(&if args.json { print::json(&results) } else { print::text(&results, args) })?;
    console.finish()?;
    print::annotate(&results);
    let has_survivor = results.mutants.iter().any(|(_, verdict)| verdict.is_survivor());
    Ok(if args.check && has_survivor { FAILED } else { 0 })
}

/// The time that a run may take by the user's will is not counted against a mutant.
fn run_budget(args: &MutateArgs) -> Duration {
    args.limits.settings.budget.unwrap_or_default().min(Duration::from_secs(1 << 20))
}

/// Returns the mutants to run.
fn select(
    test: &Test,
    original: &OriginalRun,
    listed: Vec<ListedMutant>,
    args: &MutateArgs,
) -> Result<Vec<ListedMutant>, Problem> {
    let name = test.mark.harness_name();
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
            none if none.is_empty() => "`--list` prints the ids of all of them".to_owned(),
            some => format!("did you mean {some}?"),
        };
        return Err(Problem::usage(format!("the code that `{name}` runs has no mutant `{unknown}`; {hint}")));
    }
    let is_meant = |mutant: &ListedMutant| args.mutant.is_empty() || args.mutant.contains(&mutant.id);
    let selected: Vec<ListedMutant> = listed.into_iter().filter(is_meant).collect();
    if !args.list && selected.iter().all(|mutant| !mutant.is_reached) {
        return Err(Problem::usage(format!(
            "`{name}` never runs the changed code of {}; raise its bounds, or choose a test that runs it",
            if selected.len() == 1 { format!("`{}`", selected[0].id) } else { "any mutant".to_owned() }
        )));
    }
    Ok(selected)
}

/// When a mutant is given up.
struct Limits {
    steps: u64,
    time: Duration,
}

/// A test, and the processes that run it.
struct Run<'a> {
    test: &'a Test,
    request: String,
    memory: Bytes,
}

impl Run<'_> {
    fn start(&self) -> Result<Worker, Problem> {
        Worker::start(self.test, &self.request, self.memory)
    }

    /// Runs the test on the original. Returns nothing if the user has stopped it.
    fn original(
        &self,
        console: &Console,
    ) -> Result<Option<(OriginalRun, Vec<ListedMutant>, Duration)>, Problem> {
        let mut worker = self.start()?;
        let begin = Instant::now();
        worker.ask(&MutantQuery::Original(()));
        let mut listed = vec![];
        loop {
            match worker.hear(TICK) {
                Heard::Nothing if console.is_stopped() => return Ok(None),
                Heard::Nothing | Heard::Value(_) | Heard::Mutant(_) => {}
                Heard::Listed(mutant) => listed.push(mutant),
                Heard::Original(original) => return Ok(Some((original, listed, begin.elapsed()))),
                Heard::Refused(problem) => return Err(problem),
                Heard::End(death) => {
                    return Err(Problem::of_crate(format!(
                        "the test `{}` did not answer on the original: its process {death}",
                        self.test.mark.harness_name()
                    )));
                }
            }
        }
    }

    /// Runs the test on all mutants. Returns nothing if the user has stopped it.
    fn all(
        &self,
        mutants: &[ListedMutant],
        limits: &Limits,
        threads: usize,
        console: &mut Console,
    ) -> Result<Option<Vec<Verdict>>, Problem> {
        let (begin, stop) = (Instant::now(), console.stop.clone());
        let pieces = Pieces::new(usize::MAX);
        pieces.add(Numbers { range: 0..mutants.len() as u64, piece: 1 });
        pieces.seal();
        let work = || {
            let mut worker = None;
            while let Some(piece) = pieces.next(|| {}) {
                let mutant = &mutants[piece.work.range.start as usize];
                let verdict = match verdict::without_run(mutant) {
                    Some(verdict) => Ok(verdict),
                    None => self.one(&mut worker, mutant, limits, &|| stop.is_asked()),
                };
                piece.hand_over(0, verdict);
            }
        };
        let mut verdicts = vec![];
        std::thread::scope(|scope| {
            for _ in 0..threads.min(mutants.len()) {
                scope.spawn(work);
            }
            while verdicts.len() < mutants.len() && !stop.is_asked() {
                match pieces.result() {
                    Poll::Ready(Some(verdict)) => verdicts.push(verdict),
                    Poll::Ready(None) => break,
                    Poll::Pending => {}
                }
                console.working(&Status {
                    text: format!("{} of {} mutants", verdicts.len(), mutants.len()),
                    elapsed: begin.elapsed(),
                    fraction: Some(verdicts.len() as f64 / mutants.len() as f64),
                });
            }
            pieces.stop();
        });
        if stop.is_asked() {
            return Ok(None);
        }
        verdicts.into_iter().collect::<Result<Vec<_>, _>>().map(Some)
    }

    /// Runs the test on a mutant, in a process that is kept for the next one.
    fn one(
        &self,
        kept: &mut Option<Worker>,
        mutant: &ListedMutant,
        limits: &Limits,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Verdict, Problem> {
        let death = match self.attempt(kept, mutant, limits, false, is_stopped)? {
            Attempt::Verdict(verdict) => return Ok(verdict),
            Attempt::Died(death, _) => death,
        };
        // Once more, to know the value.
        match self.attempt(kept, mutant, limits, true, is_stopped)? {
            Attempt::Died(again, value) => Ok(Verdict::died(again, value)),
            Attempt::Verdict(_) => Ok(Verdict::died(death, None)),
        }
    }

    fn attempt(
        &self,
        kept: &mut Option<Worker>,
        mutant: &ListedMutant,
        limits: &Limits,
        tells_values: bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Attempt, Problem> {
        let mut worker = match kept.take() {
            Some(worker) => worker,
            None => self.start()?,
        };
        let id = mutant.id.clone();
        worker.ask(&MutantQuery::Mutant(RunMutant { id, step_limit: limits.steps, tells_values }));
        let (begin, mut last) = (Instant::now(), None);
        loop {
            match worker.hear(TICK) {
                Heard::Nothing if is_stopped() => return Ok(Attempt::Died(Death::Endless, last)),
                Heard::Nothing if begin.elapsed() > limits.time => {
                    return Ok(Attempt::Died(Death::Endless, last));
                }
                Heard::Nothing | Heard::Listed(_) | Heard::Original(_) => {}
                Heard::Value(value) => last = Some(value),
                Heard::Mutant(run) => {
                    *kept = Some(worker);
                    return Ok(Attempt::Verdict(Verdict::of_run(run)));
                }
                Heard::Refused(problem) => return Err(problem),
                Heard::End(death) => return Ok(Attempt::Died(death, last)),
            }
        }
    }
}

enum Attempt {
    Verdict(Verdict),
    /// The process did not answer. The value that the test ran on, if that is known.
    Died(Death, Option<String>),
}
