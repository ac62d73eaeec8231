//! ETNA: tasks solved from invariants alone, beside published figures of generators.

use super::cells;
use crate::compare::short;
use crate::experiment::{Cells, Column, Experiment, Unfinished, Watch};
use smallscope_etna::{Effort, Solution, Task, Workload, tasks};
use std::time::{Duration, Instant};

/// The published limit of a trial.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn experiments() -> Vec<Experiment> {
    let columns =
        ["solved", "milliseconds", "inputs tried", "nodes", "smallest", "counterexample"].map(Column::beside);
    let workload = |id, title, workload| {
        let rows = of(workload).into_iter().map(|task| (name(&task), 2e5));
        Experiment::new(id, title, &columns)
            .rows(rows)
            .remark("Smallest: every input with fewer nodes was tried, up to the order of keys.")
            .compute(move |row, watch| {
                let task = of(workload).into_iter().find(|task| name(task) == row);
                let solution =
                    solve(&task.ok_or_else(|| Unfinished::because("there is no such task"))?, watch)?;
                Ok(solved(&solution))
            })
    };
    vec![
        overall(),
        workload("etna/bst", "search trees as maps", Workload::Bst),
        workload("etna/rbt", "red-black trees as maps", Workload::Rbt),
        workload("etna/stlc", "typed lambda calculus", Workload::Stlc),
    ]
}

fn of(workload: Workload) -> Vec<Task> {
    tasks().into_iter().filter(|task| task.workload == workload).collect()
}

fn name(task: &Task) -> String {
    format!("{}: {}", task.mutant.unwrap_or("original"), task.property)
}

/// Solves a task within the published limit, or within the time that is left.
fn solve(task: &Task, watch: &Watch<'_>) -> Result<Solution, Unfinished> {
    let left = watch.end.map_or(LIMIT, |end| end.saturating_duration_since(Instant::now()).min(LIMIT));
    let nodes = if task.workload == Workload::Rbt { 12 } else { 8 };
    let solution = task.solve(Effort { nodes, time: left, time_below: left });
    let is_cut_short = left < LIMIT && (solution.counterexample.is_none() || !solution.is_smallest);
    if is_cut_short {
        watch.check()?
    }
    Ok(solution)
}

fn solved(solution: &Solution) -> Cells {
    let found = solution.counterexample.as_ref();
    cells([
        ("solved", if found.is_some() { "yes" } else { "no" }.to_owned()),
        ("milliseconds", short(solution.time.as_secs_f64() * 1e3)),
        ("inputs tried", solution.tried.to_string()),
        ("nodes", found.map_or("-".into(), |found| found.nodes.to_string())),
        ("smallest", if solution.is_smallest { "yes" } else { "not shown" }.to_owned()),
        (
            "counterexample",
            found.map_or("-".into(), |found| found.text.split_whitespace().collect::<Vec<_>>().join(" ")),
        ),
    ])
}

/// All tasks of a workload, beside the published times of hand-written generators.
fn overall() -> Experiment {
    let columns =
        ["tasks", "solved", "mean milliseconds", "most milliseconds", "most nodes"].map(Column::beside);
    Experiment::new("etna/rust", "all tasks from the invariant, beside generators written by hand", &columns)
        .steps(|_, row| if row == "BST" { 4e6 } else { 4e7 })
        .remark(
            "Published: quickcheck with generators written by hand that make only valid inputs, in Rust, ten trials (2025), on \
             52, 38 and 20 tasks. In Haskell, of 167 tasks with a fourth workload: hand-written QuickCheck generators solve \
             all, derived ones with a filter 124, LeanCheck 82 % and SmallCheck 35 %. Here, no generator is written.",
        )
        .compute(overall_row)
}

fn overall_row(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let workload = match row {
        "BST" => Workload::Bst,
        "RBT" => Workload::Rbt,
        _ => Workload::Stlc,
    };
    let tasks = of(workload);
    let (mut solved, mut sum, mut most, mut nodes) = (0, 0.0, 0.0_f64, 0);
    for task in &tasks {
        watch.check()?;
        let solution = solve(task, watch)?;
        let milliseconds = solution.time.as_secs_f64() * 1e3;
        solved += usize::from(solution.counterexample.is_some());
        sum += milliseconds;
        most = most.max(milliseconds);
        nodes = nodes.max(solution.counterexample.map_or(0, |found| found.nodes));
    }
    Ok(cells([
        ("tasks", tasks.len().to_string()),
        ("solved", solved.to_string()),
        ("mean milliseconds", short(sum / tasks.len() as f64)),
        ("most milliseconds", short(most)),
        ("most nodes", nodes.to_string()),
    ]))
}
