//! How the shards of a plan would do on other numbers of workers.

use super::cli::SimulateArgs;
use crate::console::Console;
use crate::problem::Problem;
use serde_json::json;
use smallscope_runner::session::shard::{self, Plan, Record};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(super) fn simulate(args: &SimulateArgs) -> Result<u8, Problem> {
    let plan = Plan::load(&args.plan.plan)?;
    let mut console = Console::new(false);
    let stop = console.stop.clone();
    let collected = shard::collect(&plan, &args.plan.directory(), &|| stop.is_asked())?;
    if let Some(flaw) = collected.flaws.first() {
        return Err(Problem::file(format!("all shards have to be done before their work is known: {flaw}")));
    }
    if let Some(zero) = args.workers.iter().find(|workers| **workers == 0) {
        return Err(Problem::usage(format!("`--workers {zero}`: there is at least one worker")));
    }
    if !args.times.is_finite() || args.times <= 0.0 {
        return Err(Problem::usage(format!("`--times {}`: it is a positive number", args.times)));
    }
    let counts_values = plan.is_test() || plan.identity.get("keep") == Some("yes");
    let work = |record: &Record| {
        let sums = record.sums();
        sums.explored + if counts_values { sums.valid } else { 0 }
    };
    let works: Vec<u64> = collected.records.iter().map(work).collect();
    let total: u64 = works.iter().sum();
    let largest = works.iter().copied().max().unwrap_or(0);
    let percent = |part: u64| 100.0 * part as f64 / total.max(1) as f64;
    let rows: Vec<(usize, f64, f64)> = args
        .workers
        .iter()
        .map(|&workers| {
            let longest = makespan(&works, workers).max(1) as f64;
            let planning = plan.runs as f64 / args.planning_threads as f64 / args.times;
            (workers, total as f64 / longest, total as f64 / (longest + planning))
        })
        .collect();
    if args.json {
        let speed_ups: Vec<_> = rows
            .iter()
            .map(|(workers, alone, planned)| json!({"workers": workers, "speed_up": alone, "with_planning": planned}))
            .collect();
        let object = json!({
            "shards": works.len(), "total": total, "largest": largest, "largest_percent": percent(largest),
            "planning": plan.runs, "planning_percent": percent(plan.runs), "speed_ups": speed_ups,
        });
        console.line(&object.to_string())?;
    } else {
        console.line(&format!(
            "{} shards, {total} units of work; the largest has {:.3} %, planning took {:.3} %",
            works.len(),
            percent(largest),
            percent(plan.runs)
        ))?;
        let threads = match args.planning_threads {
            1 => "one thread".to_owned(),
            number => format!("{number} threads"),
        };
        console.line(&format!("workers  speed-up  with planning on {threads}"))?;
        for (workers, alone, planned) in rows {
            console.line(&format!("{workers:7}  {alone:8.1}  {planned:8.1}"))?;
        }
    }
    console.finish()?;
    Ok(0)
}

/// Returns when the last of some workers is done, if each takes the next shard as soon as it is free.
fn makespan(works: &[u64], workers: usize) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..workers).map(|_| Reverse(0)).collect();
    let mut last = 0;
    for work in works {
        let Some(Reverse(start)) = free.pop() else { return last };
        last = last.max(start + work);
        free.push(Reverse(start + work));
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_takes_the_next_shard_when_it_is_free() {
        assert_eq!(makespan(&[3, 1, 1, 1], 1), 6);
        assert_eq!(makespan(&[3, 1, 1, 1], 2), 3);
        assert_eq!(makespan(&[1, 1, 1, 3], 2), 4);
        assert_eq!(makespan(&[3, 1, 1, 1], 9), 3);
        assert_eq!(makespan(&[], 2), 0);
    }
}
