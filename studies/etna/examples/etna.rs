//! Solves all tasks and prints a table.
//!
//! ```console
//! $ cargo run --release -p smallscope-etna --example etna --features compared
//! ```
//!
//! quickcheck and proptest run on every task, too. With `--check`, the program fails if a task has no solution or takes
//! longer than ten seconds. Other arguments are parts of names: only the tasks of such mutants are solved.

use smallscope_etna::{Effort, Task, Workload, tasks};
use std::process::ExitCode;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let (options, parts): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument == "--check");
    let is_chosen = |task: &Task| {
        let mutant = task.mutant.unwrap_or_default();
        parts.is_empty() || parts.iter().any(|part| mutant.contains(part.as_str()))
    };
    let tasks: Vec<Task> = tasks().into_iter().filter(is_chosen).collect();
    let compared =
        if cfg!(feature = "compared") { "   quickcheck: tried, nodes   proptest: tried, nodes" } else { "" };
    println!(
        "{:4} {:22} {:17} {:>9} {:>9} {:>6}{compared}",
        "", "mutant", "property", "time", "tried", "nodes"
    );
    let mut failed = 0;
    for task in &tasks {
        let solution = task.solve(Effort { nodes: most_nodes(task), time: LIMIT, time_below: 6 * LIMIT });
        let nodes = solution.counterexample.as_ref().map(|found| found.nodes.to_string());
        failed += u32::from(nodes.is_none() || solution.time > LIMIT);
        println!(
            "{:4} {:22} {:17} {:>9} {:>9} {:>5}{}{}",
            task.workload,
            task.mutant.unwrap_or("-"),
            task.property,
            format!("{:.1?}", solution.time),
            solution.tried,
            nodes.as_deref().unwrap_or("-"),
            if solution.is_smallest { " " } else { "?" },
            at_random(task),
        );
    }
    println!("{} tasks, {failed} without a solution within {LIMIT:?}", tasks.len());
    println!("?: not every input with fewer nodes was tried");
    if !options.is_empty() && failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Counterexamples with more nodes are not searched for.
fn most_nodes(task: &Task) -> u32 {
    match task.workload {
        Workload::Bst | Workload::Stlc => 8,
        Workload::Rbt => 12,
    }
}

fn at_random(task: &Task) -> String {
    let both = task.solve_at_random(Duration::from_secs(2), 1);
    let cell = |found: &smallscope_etna::Found| {
        let nodes = found.counterexample.as_ref().map_or("-".into(), |found| found.nodes.to_string());
        format!(" {:>14} {:>6} {:>2}", format!("{:.1?}", found.time), found.tried, nodes)
    };
    cell(&both.quickcheck) + &cell(&both.proptest)
}
