//! Processes on this machine.

use super::{Job, Scheduler};
use crate::problem::Problem;
use crate::shard::ranges;
use std::collections::VecDeque;
use std::process::{Child, Command, Stdio};

/// Shards are given out in batches, so that a process is not started for each.
const BATCHES_PER_WORKER: usize = 4;
const LARGEST_BATCH: usize = 64;

#[derive(Default)]
pub(super) struct Local {
    waiting: VecDeque<Command>,
    running: Vec<Child>,
    workers: usize,
}

impl Scheduler for Local {
    fn start(&mut self, job: &Job, missing: &[usize]) -> Result<(), Problem> {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.workers = job.workers.unwrap_or_else(processors);
        let size = (missing.len() / (self.workers * BATCHES_PER_WORKER)).clamp(1, LARGEST_BATCH);
        for batch in missing.chunks(size) {
            let mut command = Command::new(&job.program);
            command.args(job.arguments(&ranges(batch)));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
            // Ctrl-C is for this process, which then ends the others.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            self.waiting.push_back(command);
        }
        self.is_over().map(|_| ())
    }

    fn is_over(&mut self) -> Result<bool, Problem> {
        // How a process ended does not matter: shards that it has not done are given out again.
        self.running.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        while self.running.len() < self.workers {
            let Some(mut command) = self.waiting.pop_front() else { break };
            let child = command
                .spawn()
                .map_err(|error| Problem::file(format!("a worker cannot be started: {error}")))?;
            self.running.push(child);
        }
        Ok(self.running.is_empty())
    }

    fn cancel(&mut self) {
        self.waiting.clear();
        for child in &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    fn hint(&self, _: &Job) -> String {
        "the messages of the workers are above".to_owned()
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.cancel();
    }
}
