//! Computing rows: one row of every experiment first, then the cheapest, as long as they fit into the time.

use crate::experiment::{Experiment, Unfinished, Watch, Work};
use crate::results::{self, Computed, Error, Results};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a step takes before a row was measured.
const SECONDS_PER_STEP: f64 = if cfg!(debug_assertions) { 4e-6 } else { 2e-7 };

/// The least time that says something about the steps of an experiment.
const MEASURABLE: f64 = 0.05;

/// What was decided about a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<'a> {
    /// A row is being computed.
    Started(&'a str, &'a str),
    /// A row was computed, in so many seconds.
    Finished(&'a str, &'a str, f64),
    /// A row could not be computed.
    Failed(&'a str, &'a str, &'a str),
}

/// Limits of a run.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// When rows are started no more, and those that run are stopped.
    pub up_to: Option<Duration>,
    /// How many rows are computed at a time.
    pub threads: usize,
    /// Set by the user to stop.
    pub is_stopped: &'a AtomicBool,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Rows that were computed now.
    pub computed: usize,
    /// Rows that were computed before.
    pub kept: usize,
    /// Rows that need more time.
    pub left: usize,
    /// Rows that failed, with the reason.
    pub failed: Vec<String>,
}

struct State<'a> {
    /// By experiment and row; the next one is at the end.
    queue: Vec<(usize, usize)>,
    results: Vec<Results>,
    /// By experiment.
    seconds_per_step: Vec<f64>,
    summary: Summary,
    error: Option<Error>,
    report: &'a mut (dyn FnMut(Event<'_>) + Send),
}

/// Computes rows of some experiments, and returns all results, by experiment. Results of earlier runs in the folder are kept.
///
/// # Errors
///
/// If a file of results is damaged, or cannot be written.
pub fn run(
    experiments: &[&Experiment],
    folder: &Path,
    limits: Limits<'_>,
    report: &mut (dyn FnMut(Event<'_>) + Send),
) -> Result<(Vec<Results>, Summary), Error> {
    let loaded: Vec<Results> =
        experiments.iter().map(|experiment| results::load(folder, experiment)).collect::<Result<_, _>>()?;
    let mut state = State {
        queue: queue(experiments, &loaded),
        seconds_per_step: experiments.iter().zip(&loaded).map(|(e, results)| rate(e, results)).collect(),
        summary: Summary { kept: loaded.iter().map(Results::len).sum(), ..Summary::default() },
        results: loaded,
        error: None,
        report,
    };
    state.summary.left = state.queue.len();
    let watch = Watch { end: limits.up_to.map(|time| Instant::now() + time), is_stopped: limits.is_stopped };
    let shared = Mutex::new(state);
    std::thread::scope(|scope| {
        for _ in 0..limits.threads.max(1) {
            // Invariants recurse over their structures, and mutants of them may recurse further.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let started = worker.spawn_scoped(scope, || work(experiments, folder, &watch, &shared));
            started.expect("a thread can be started");
        }
    });
    let state = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    match state.error {
        Some(error) => Err(error),
        None => Ok((state.results, state.summary)),
    }
}

/// The rows to compute, last one first: the cheapest row of every experiment, then all others by cost.
fn queue(experiments: &[&Experiment], results: &[Results]) -> Vec<(usize, usize)> {
    let mut rows = vec![];
    for (e, experiment) in experiments.iter().enumerate() {
        if matches!(experiment.work, Work::Missing(_)) {
            continue;
        }
        let mut open: Vec<usize> = (0..experiment.rows.len())
            .filter(|&r| !results[e].contains_key(&experiment.rows[r].name))
            .collect();
        open.sort_by(|&a, &b| experiment.rows[a].steps.total_cmp(&experiment.rows[b].steps));
        let is_new = results[e].is_empty();
        rows.extend(
            open.iter().enumerate().map(|(n, &r)| (!(is_new && n == 0), experiment.rows[r].steps, e, r)),
        );
    }
    rows.sort_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)).then((a.2, a.3).cmp(&(b.2, b.3))));
    rows.into_iter().rev().map(|(_, _, e, r)| (e, r)).collect()
}

/// Seconds for a step of an experiment, by the largest of its rows that took a while.
fn rate(experiment: &Experiment, results: &Results) -> f64 {
    let measured =
        experiment.rows.iter().filter_map(|row| Some((row.steps, results.get(&row.name)?.seconds)));
    let largest = measured.filter(|(_, seconds)| *seconds > MEASURABLE).max_by(|a, b| a.0.total_cmp(&b.0));
    // A busy machine makes small rows look slow. A row that is begun in vain is stopped in time.
    largest.map_or(SECONDS_PER_STEP, |(steps, seconds)| (seconds / steps).min(10.0 * SECONDS_PER_STEP))
}

fn work(experiments: &[&Experiment], folder: &Path, watch: &Watch<'_>, shared: &Mutex<State<'_>>) {
    let lock = || shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    while !watch.is_over() {
        let (e, r) = {
            let mut state = lock();
            let Some(next) = take(&mut state, experiments, watch) else { return };
            let (experiment, row) = (experiments[next.0], &experiments[next.0].rows[next.1]);
            (state.report)(Event::Started(experiment.id, &row.name));
            next
        };
        let (experiment, row) = (experiments[e], &experiments[e].rows[r]);
        let Work::Ready(compute) = &experiment.work else { continue };
        let start = Instant::now();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compute(&row.name, watch)));
        let result = caught.unwrap_or_else(|_| Err(Unfinished::because("the computation panicked")));
        let seconds = start.elapsed().as_secs_f64();
        let mut state = lock();
        match result {
            Ok(cells) => {
                let computed = Computed { fingerprint: experiment.fingerprint(&row.name), seconds, cells };
                state.results[e].insert(row.name.clone(), computed);
                state.seconds_per_step[e] = rate(experiment, &state.results[e]);
                state.summary.computed += 1;
                state.summary.left -= 1;
                (state.report)(Event::Finished(experiment.id, &row.name, seconds));
                if let Err(error) = results::save(folder, experiment, &state.results[e]) {
                    state.error = Some(error);
                    state.queue.clear();
                    return;
                }
            }
            Err(Unfinished::Stopped) => {}
            Err(Unfinished::Failed(why)) => {
                (state.report)(Event::Failed(experiment.id, &row.name, &why));
                state.summary.left -= 1;
                state.summary.failed.push(format!("{} {}: {why}", experiment.id, row.name));
            }
        }
    }
}

/// Takes the next row that seems to fit into the time.
fn take(state: &mut State<'_>, experiments: &[&Experiment], watch: &Watch<'_>) -> Option<(usize, usize)> {
    while let Some((e, r)) = state.queue.pop() {
        let expected = experiments[e].rows[r].steps * state.seconds_per_step[e];
        let is_first = state.results[e].is_empty();
        let left = watch.end.map(|end| end.saturating_duration_since(Instant::now()).as_secs_f64());
        // What a first row takes is a guess. But one that takes far too long would keep other rows from being computed.
        let factor = if is_first { 4.0 } else { 1.0 };
        if left.is_none_or(|left| expected <= factor * left) {
            return Some((e, r));
        }
    }
    None
}
