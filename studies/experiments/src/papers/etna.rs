//! ETNA: tasks solved from invariants alone, beside published figures of generators.

use super::cells;
use crate::compare::{Compared, short};
use crate::experiment::{Cells, Column, Drawing, Experiment, Unfinished, Watch};
use smallscope_etna::{Effort, Solution, Task, Workload, tasks};
use smallscope_viewer::plot::{Axis, Chart, Point, Series};
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
        beside_random_tools(),
    ]
}

/// The tools, by the beginning of their columns.
const TOOLS: [&str; 3] = ["", "quickcheck: ", "proptest: "];

/// All tasks once more, and by quickcheck and proptest in the same process.
fn beside_random_tools() -> Experiment {
    let columns = [
        "milliseconds",
        "tried",
        "nodes",
        "quickcheck: solved",
        "quickcheck: milliseconds",
        "quickcheck: tried",
        "quickcheck: nodes",
        "proptest: solved",
        "proptest: milliseconds",
        "proptest: tried",
        "proptest: nodes",
    ];
    let rows = tasks().into_iter().map(|task| (format!("{} {}", task.workload, name(&task)), 2e6));
    let experiment = Experiment::new(
        "etna/compared",
        "all tasks, also by quickcheck and proptest in the same process",
        &columns.map(Column::beside),
    );
    let experiment = experiment.rows(rows).drawing(over_time).remark(
        "quickcheck and proptest draw values of the types, as their users do first, and throw away those that are not valid. Each \
         has three trials of a second, with seeds 1 to 3; times, inputs and nodes are means over the trials that solve the task. \
         Tried: valid inputs, of all that were made. Times include making the counterexample smaller.",
    );
    #[cfg(feature = "compared")]
    let experiment = experiment.compute(random::row);
    #[cfg(not(feature = "compared"))]
    let experiment = experiment.missing(
        "the tool has to be built with quickcheck and proptest, in the repository: `cargo run --release -p cargo-smallscope \
         --features compared -- reproduce etna`",
    );
    experiment
}

/// How many tasks are solved within a time, by each tool.
fn over_time(compared: &Compared) -> Drawing {
    let mut chart =
        Chart::new("tasks solved within a time", Axis::decimal("milliseconds"), Axis::linear("tasks"));
    for tool in TOOLS {
        let column = format!("{tool}milliseconds");
        let mut times: Vec<f64> =
            compared.rows.iter().filter_map(|row| compared.numbers(row, &column).1).collect();
        times.sort_by(f64::total_cmp);
        let points = times.into_iter().zip(1..).map(|(time, solved)| Point::new(time, f64::from(solved)));
        let name = if tool.is_empty() { "smallscope" } else { tool.trim_end_matches(": ") };
        chart = chart.line(Series::new(name, points));
    }
    Drawing::Chart(chart)
}

#[cfg(feature = "compared")]
mod random {
    use super::*;
    use smallscope_etna::Found;

    const TRIALS: u64 = 3;
    const LIMIT: Duration = Duration::from_secs(1);

    pub(super) fn row(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
        let task = tasks().into_iter().find(|task| format!("{} {}", task.workload, name(task)) == row);
        let task = task.ok_or_else(|| Unfinished::because("there is no such task"))?;
        let solution = solve(&task, watch)?;
        let mut cells = solved(&solution);
        cells.retain(|column, _| ["milliseconds", "nodes"].contains(&column.as_str()));
        cells.insert("tried".into(), solution.tried.to_string());
        let (mut by_quickcheck, mut by_proptest) = (vec![], vec![]);
        for seed in 1..=TRIALS {
            watch.check()?;
            let both = task.solve_at_random(LIMIT, seed);
            by_quickcheck.push(both.quickcheck);
            by_proptest.push(both.proptest);
        }
        for (tool, found) in TOOLS[1..].iter().zip([by_quickcheck, by_proptest]) {
            cells.extend(of_trials(&found).map(|(column, value)| (format!("{tool}{column}"), value)));
        }
        Ok(cells)
    }

    /// How many trials solve the task, and means over them.
    fn of_trials(found: &[Found]) -> [(&'static str, String); 4] {
        let solved: Vec<&Found> = found.iter().filter(|found| found.counterexample.is_some()).collect();
        let counted = if solved.is_empty() { found.iter().collect() } else { solved.clone() };
        let mean = |of: &dyn Fn(&Found) -> f64| {
            counted.iter().map(|found| of(found)).sum::<f64>() / counted.len() as f64
        };
        let if_solved = |text: String| if solved.is_empty() { "-".to_owned() } else { text };
        let nodes = |found: &Found| found.counterexample.as_ref().map_or(0.0, |found| found.nodes as f64);
        [
            ("solved", format!("{} of {TRIALS}", solved.len())),
            ("milliseconds", if_solved(short(mean(&|found| found.time.as_secs_f64() * 1e3)))),
            (
                "tried",
                format!(
                    "{:.0} of {:.0}",
                    mean(&|found| found.tried as f64),
                    mean(&|found| found.made as f64)
                ),
            ),
            ("nodes", if_solved(short(mean(&nodes)))),
        ]
    }
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
