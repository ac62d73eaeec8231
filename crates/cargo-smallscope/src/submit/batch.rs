//! HyperQueue and Slurm: arrays of jobs, each of which runs one shard or every n-th.

use super::{Job, Scheduler};
use crate::problem::Problem;
use crate::shard::ranges;
use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time between two questions to the scheduler.
const BETWEEN: Duration = Duration::from_secs(1);

/// An array of Slurm is at most so large, unless it is configured otherwise.
const LARGEST_ARRAY: usize = 1000;

/// Runs a command of a scheduler, and returns what it prints.
fn ask(command: &mut Command, install: &str) -> Result<String, Problem> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Problem::usage(format!("`{name}` is not in the path: {install}, or use `--on local`"))
        }
        _ => Problem::file(format!("`{name}` cannot be run: {error}")),
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Problem::file(format!("`{name}` has refused: {}", said.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A job, and when the scheduler was asked about it last.
#[derive(Default)]
struct Submitted {
    id: String,
    asked: Option<Instant>,
}

impl Submitted {
    fn new(id: &str) -> Submitted {
        Submitted { id: id.trim().to_owned(), asked: Some(Instant::now()) }
    }

    /// Whether it is time to ask again.
    fn is_due(&mut self) -> bool {
        let is_due = self.asked.is_none_or(|asked| asked.elapsed() >= BETWEEN);
        if is_due {
            self.asked = Some(Instant::now());
        }
        is_due
    }
}

const INSTALL_HQ: &str = "install HyperQueue, start a server and workers";

/// Submits a task for each shard through the Python interface, and waits for them.
const SUBMIT: &str = r#"
import os, sys
from hyperqueue import Client, Job
program, plan, directory, *numbers = sys.argv[1:]
job = Job(name="smallscope", max_fails=None)
for number in numbers:
    command = [program, "shard", "run", plan, "--dir", directory, "--shard", number]
    job.program(command, stdout=None, stderr=os.path.join(directory, f"hq-{number}.log"))
client = Client(os.environ.get("HQ_SERVER_DIR"))
client.wait_for_jobs([client.submit(job)], raise_on_error=False)
"#;

/// A task for each shard, given to HyperQueue by its command, or by its Python interface if there is no command. HyperQueue
/// itself runs a task again if its worker is lost.
#[derive(Default)]
pub(super) struct HyperQueue {
    job: Submitted,
    /// The Python process that waits for the tasks.
    python: Option<Child>,
}

impl HyperQueue {
    /// Submits by the Python interface; false if that is not there, either.
    fn start_python(&mut self, job: &Job, missing: &[usize]) -> Result<bool, Problem> {
        let mut known = Command::new("python3");
        let is_known =
            known.args(["-c", "import hyperqueue"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !is_known.is_ok_and(|status| status.success()) {
            return Ok(false);
        }
        let mut command = Command::new("python3");
        command.arg("-c").arg(SUBMIT).arg(&job.program).arg(&job.plan).arg(&job.directory);
        command.args(missing.iter().map(usize::to_string));
        let log = job.directory.join("hq.log");
        let unwritable = |error| Problem::file(format!("{} cannot be written: {error}", log.display()));
        let log_file = File::create(&log).map_err(unwritable)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log_file);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn();
        self.python =
            Some(child.map_err(|error| Problem::file(format!("`python3` cannot be run: {error}")))?);
        Ok(true)
    }
}

impl Scheduler for HyperQueue {
    fn start(&mut self, job: &Job, missing: &[usize]) -> Result<(), Problem> {
        let has_command = Command::new("hq").arg("--version").stdout(Stdio::null()).status().is_ok();
        if !has_command && self.start_python(job, missing)? {
            return Ok(());
        }
        let tasks: Vec<usize> = missing.iter().map(|number| number - 1).collect();
        let mut command = Command::new("hq");
        command.args(["submit", "--output-mode", "quiet", "--name", "smallscope"]);
        command.arg("--array").arg(ranges(&tasks));
        command.arg("--env").arg(format!("CARGO_SMALLSCOPE_TASKS={}", job.parts));
        let log = job.directory.join("hq-%{TASK_ID}.log");
        command.arg("--stdout").arg("none").arg("--stderr").arg(log).args(&job.options);
        command.arg("--").arg(&job.program).args(job.arguments("auto"));
        self.job = Submitted::new(&ask(&mut command, INSTALL_HQ)?);
        Ok(())
    }

    fn is_over(&mut self) -> Result<bool, Problem> {
        if let Some(python) = &mut self.python {
            return Ok(!matches!(python.try_wait(), Ok(None)));
        }
        if !self.job.is_due() {
            return Ok(false);
        }
        let mut command = Command::new("hq");
        command.args(["job", "info", &self.job.id, "--output-mode", "json"]);
        let answer = ask(&mut command, INSTALL_HQ)?;
        let parsed: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
        let info = if parsed.is_array() { &parsed[0]["info"] } else { &parsed["info"] };
        let stats = &info["task_stats"];
        let count = |state: &str| stats[state].as_u64();
        match (count("running"), count("waiting")) {
            (Some(running), Some(waiting)) => Ok(running + waiting == 0),
            _ => Err(Problem::file(format!("`hq job info` answers with something else: {}", answer.trim()))),
        }
    }

    fn cancel(&mut self) {
        match &mut self.python {
            // Tasks that are submitted go on. If they are submitted once more, their results are the same.
            Some(python) => {
                let _ = python.kill();
                let _ = python.wait();
            }
            None => {
                let _ = Command::new("hq").args(["job", "cancel", &self.job.id]).output();
            }
        }
    }

    fn hint(&self, job: &Job) -> String {
        match self.python {
            Some(_) => format!("{0}/hq.log and {0}/hq-*.log say why", job.directory.display()),
            None => format!("`hq job info {}` and {}/hq-*.log say why", self.job.id, job.directory.display()),
        }
    }
}

const INSTALL_SLURM: &str = "go to a machine that can submit jobs to Slurm";

/// An array of jobs, each of which runs every n-th shard. Slurm gives a job of a lost node out again, and what is missing in
/// the end is submitted once more.
#[derive(Default)]
pub(super) struct Slurm {
    job: Submitted,
}

impl Scheduler for Slurm {
    fn start(&mut self, job: &Job, missing: &[usize]) -> Result<(), Problem> {
        // Each job skips what is done, so an array without gaps is as good as one of the missing shards.
        let jobs = if missing.len() == job.parts { job.parts } else { missing.len() }.min(LARGEST_ARRAY);
        let at_once = job.workers.map_or_else(String::new, |workers| format!("%{workers}"));
        let log = job.directory.join("slurm-%A_%a.log");
        let mut command = Command::new("sbatch");
        command.args(["--parsable", "--requeue", "--job-name=smallscope", "--open-mode=append"]);
        command.arg(format!("--array=0-{}{at_once}", jobs - 1));
        command.arg("--output").arg(&log).args(&job.options);
        let mut line = quote(job.program.as_os_str());
        for argument in job.arguments("auto") {
            line = format!("{line} {}", quote(&argument));
        }
        command.arg("--wrap").arg(format!("exec {line}"));
        let id = ask(&mut command, INSTALL_SLURM)?;
        // The name of the cluster may follow.
        self.job = Submitted::new(id.split(';').next().unwrap_or_default());
        Ok(())
    }

    fn is_over(&mut self) -> Result<bool, Problem> {
        if !self.job.is_due() {
            return Ok(false);
        }
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--jobs", &self.job.id]);
        match ask(&mut command, INSTALL_SLURM) {
            Ok(jobs) => Ok(jobs.trim().is_empty()),
            // Slurm forgets jobs that have ended.
            Err(problem) if format!("{problem:?}").contains("Invalid job id") => Ok(true),
            Err(problem) => Err(problem),
        }
    }

    fn cancel(&mut self) {
        let _ = Command::new("scancel").arg(&self.job.id).output();
    }

    fn hint(&self, job: &Job) -> String {
        format!("`scontrol show job {}` and {}/slurm-*.log say why", self.job.id, job.directory.display())
    }
}

/// Quotes an argument for the shell.
fn quote(text: &std::ffi::OsStr) -> String {
    format!("'{}'", text.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_reach_the_shell_as_they_are() {
        assert_eq!(quote("a b".as_ref()), "'a b'");
        assert_eq!(quote("it's".as_ref()), r"'it'\''s'");
    }

    #[test]
    fn a_scheduler_that_is_not_there_is_named() {
        let problem = ask(&mut Command::new("no-such-scheduler"), "install it").unwrap_err();
        assert!(format!("{problem:?}").contains("`no-such-scheduler` is not in the path: install it"));
    }
}
