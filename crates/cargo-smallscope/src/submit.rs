//! The command `submit`: gives the shards of a plan to a scheduler, follows them, and merges them.

mod batch;
mod local;

use crate::cli::PlaceArgs;
use crate::console::Console;
use crate::problem::{INTERRUPTED, Problem, note};
use crate::shard::cli::PlanFileArgs;
use crate::shard::{CONTINUES, conclude_merge, merge_in_order, merge_sequences, ranges};
use batch::{HyperQueue, Slurm};
use clap::{Args, ValueEnum};
use local::Local;
use smallscope_runner::session::shard::{self, Plan};
use smallscope_runner::session::{Observer, Status};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often shards that were lost are given out again.
const ROUNDS: usize = 4;

/// The time between two looks at the results.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Args)]
pub(crate) struct SubmitArgs {
    #[command(flatten)]
    pub(crate) plan: PlanFileArgs,
    /// The scheduler
    #[arg(long, value_name = "WHERE")]
    pub(crate) on: Where,
    /// How many shards run at the same time [default: one for each processor; a scheduler decides by itself]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) workers: Option<u32>,
    /// Another option for `hq submit` or `sbatch`; may be given several times
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A scheduler.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Where {
    /// Processes on this machine
    Local,
    /// HyperQueue: an array of tasks, with `hq`
    Hyperqueue,
    /// Slurm: an array of jobs, with `sbatch`
    Slurm,
}

/// A scheduler that runs shards.
trait Scheduler {
    /// Gives out shards.
    fn start(&mut self, job: &Job, missing: &[usize]) -> Result<(), Problem>;
    /// Whether nothing of what was given out runs or waits any more.
    fn is_over(&mut self) -> Result<bool, Problem>;
    /// Ends everything that was given out.
    fn cancel(&mut self);
    /// Where to look if shards are not done, in words.
    fn hint(&self, job: &Job) -> String;
}

/// What is to be run.
struct Job {
    program: PathBuf,
    plan: PathBuf,
    directory: PathBuf,
    parts: usize,
    workers: Option<usize>,
    options: Vec<String>,
}

impl Job {
    fn new(args: &SubmitArgs, parts: usize) -> Result<Job, Problem> {
        let absolute = |path: &Path| {
            std::path::absolute(path)
                .map_err(|error| Problem::file(format!("{} is no path: {error}", path.display())))
        };
        let program = std::env::current_exe()
            .map_err(|error| Problem::file(format!("the path of this program is not known: {error}")))?;
        Ok(Job {
            program,
            plan: absolute(&args.plan.plan)?,
            directory: absolute(&args.plan.directory())?,
            parts,
            workers: args.workers.map(|workers| workers as usize),
            options: args.options.clone(),
        })
    }

    /// Returns the arguments that run some shards.
    fn arguments(&self, which: &str) -> Vec<std::ffi::OsString> {
        let mut arguments: Vec<std::ffi::OsString> = vec!["shard".into(), "run".into()];
        arguments.extend([self.plan.clone().into(), "--dir".into(), self.directory.clone().into()]);
        arguments.extend(["--shard".into(), which.into()]);
        arguments
    }
}

/// Performs the command, and returns the exit code.
pub(crate) fn submit(args: &SubmitArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let mut plan = Plan::load(&args.plan.plan)?;
    let mut job = Job::new(args, plan.parts())?;
    std::fs::create_dir_all(&job.directory)
        .map_err(|error| Problem::file(format!("{} cannot be created: {error}", job.directory.display())))?;
    let mut scheduler: Box<dyn Scheduler> = match args.on {
        Where::Local => Box::new(Local::default()),
        Where::Hyperqueue => Box::new(HyperQueue::default()),
        Where::Slurm => Box::new(Slurm::default()),
    };
    let mut console = Console::new(false);
    let stop = console.stop.clone();
    let begin = Instant::now();
    let mut round = 0;
    loop {
        let collected = shard::collect(&plan, &job.directory, &|| stop.is_asked())?;
        let is_done = |number: &usize| collected.records.iter().any(|record| record.number == *number);
        let mut missing: Vec<usize> = (1..=plan.parts()).collect();
        if collected.records.len() == plan.parts() {
            missing.clear();
        }
        missing.retain(|number| !is_done(number));
        if missing.is_empty() {
            if !plan.is_sequences() {
                return merge_in_order(&args.plan, &plan, place, console, args.json);
            }
            let answer = merge_sequences(&args.plan, &plan, place, &mut console)?;
            if answer.outcome != CONTINUES {
                return conclude_merge(answer, console, args.json);
            }
            // The plan has the shards of the next level now.
            plan = Plan::load(&args.plan.plan)?;
            (job.parts, round) = (plan.parts(), 0);
            continue;
        }
        let which = ranges(&missing);
        if round == ROUNDS {
            return Err(Problem::file(format!(
                "{} of {} shards are not done after {ROUNDS} attempts: {which}; {}",
                missing.len(),
                plan.parts(),
                scheduler.hint(&job)
            )));
        }
        if round > 0 {
            note(&format!(
                "{} of {} shards were lost, and are run again: {which}",
                missing.len(),
                plan.parts()
            ));
        }
        scheduler.start(&job, &missing)?;
        let before = plan.parts() - missing.len();
        loop {
            if stop.is_asked() {
                scheduler.cancel();
                let done = before + there(&job.directory, &missing);
                note(&format!(
                    "interrupted: {done} of {} shards are done; the same command continues",
                    plan.parts()
                ));
                return Ok(INTERRUPTED);
            }
            let done = before + there(&job.directory, &missing);
            console.working(&Status {
                text: format!("{done} of {} shards", plan.parts()),
                elapsed: begin.elapsed(),
                fraction: Some(done as f64 / plan.parts() as f64),
            });
            if done == plan.parts() || scheduler.is_over()? {
                break;
            }
            std::thread::sleep(PAUSE);
        }
        // A shard that is there need not be done, but its process has ended.
        while !stop.is_asked() && !scheduler.is_over()? {
            std::thread::sleep(PAUSE);
        }
        round += 1;
    }
}

/// Returns how many of some shards have a file.
fn there(directory: &Path, numbers: &[usize]) -> usize {
    numbers.iter().filter(|&&number| shard::shard_path(directory, number).exists()).count()
}
