//! ETNA's workloads: maps and a typed lambda calculus with small errors. A task is an error and a property: find an input for
//! which the property fails. Inputs are every valid tree or term, smallest first, found by the search from the invariant alone.

mod bst;
mod map;
mod rbt;
mod stlc;

use super::cells;
use crate::compare::short;
use crate::experiment::{Cells, Column, Experiment, Unfinished, Watch};
use std::time::Instant;

/// A task: an error and a property, as `error: Property`.
pub(super) type Task = (&'static str, &'static str);

/// What was tried so far.
pub(super) struct Trial<'a> {
    /// Inputs on which the property was checked.
    pub(super) inputs: u64,
    watch: &'a Watch<'a>,
}

impl Trial<'_> {
    /// Counts an input. Returns an error if it is time to stop.
    pub(super) fn count(&mut self) -> Result<(), Unfinished> {
        self.inputs += 1;
        if self.inputs & 0xfff == 0 { self.watch.check() } else { Ok(()) }
    }
}

/// Tries every input of a size, and returns the first one for which the property fails.
type TrySize = fn(Task, usize, &mut Trial<'_>) -> Result<Option<String>, Unfinished>;

/// A workload: its tasks, and the largest inputs that are tried.
struct Workload {
    tasks: fn() -> Vec<Task>,
    try_size: TrySize,
    largest: usize,
}

const BST: Workload = Workload { tasks: bst::tasks, try_size: map::try_size::<bst::Bst>, largest: 6 };
const RBT: Workload = Workload { tasks: rbt::tasks, try_size: map::try_size::<rbt::Rbt>, largest: 12 };
const STLC: Workload = Workload { tasks: stlc::tasks, try_size: stlc::try_size, largest: 12 };

pub(super) fn experiments() -> Vec<Experiment> {
    let columns = [
        Column::beside("solved"),
        Column::beside("milliseconds"),
        Column::beside("inputs tried"),
        Column::beside("size"),
        Column::beside("counterexample"),
    ];
    let remark = "Inputs are tried by size, all of a size before the next, so a counterexample is one of the smallest. Values of \
                  maps are labels that all differ: the code never looks at them.";
    let workload = |id, title, workload: &'static Workload| {
        let rows =
            (workload.tasks)().into_iter().map(|(error, property)| (format!("{error}: {property}"), 2e5));
        Experiment::new(id, title, &columns).rows(rows).remark(remark).compute(move |row, watch| {
            let solved = solve(workload, row, watch)?;
            Ok(cells([
                ("solved", if solved.counterexample.is_some() { "yes" } else { "no" }.to_owned()),
                ("milliseconds", short(solved.milliseconds)),
                ("inputs tried", solved.inputs.to_string()),
                ("size", solved.size.to_string()),
                ("counterexample", solved.counterexample.unwrap_or_else(|| "-".into())),
            ]))
        })
    };
    vec![
        overall(),
        workload("etna/bst", "search trees as maps: 53 tasks", &BST),
        workload("etna/rbt", "red-black trees as maps: 58 tasks", &RBT),
        workload("etna/stlc", "typed lambda calculus: 20 tasks", &STLC),
    ]
}

/// All tasks of a workload, beside the published times of hand-written generators.
fn overall() -> Experiment {
    let columns = [
        Column::beside("tasks"),
        Column::beside("solved"),
        Column::beside("mean milliseconds"),
        Column::beside("most milliseconds"),
        Column::beside("largest counterexample"),
    ];
    Experiment::new("etna/rust", "all tasks from the invariant, beside generators written by hand", &columns)
        .steps(|_, _| 4e6)
        .remark(
            "Published: quickcheck with generators written by hand that make only valid inputs, in Rust, ten trials (2025), on \
             52, 38 and 20 tasks. In Haskell, of 167 tasks with a fourth workload: hand-written QuickCheck generators solve \
             all, derived ones with a filter 124, LeanCheck 82 % and SmallCheck 35 %. We write no generator.",
        )
        .compute(overall_row)
}

fn overall_row(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let workload = match row {
        "BST" => &BST,
        "RBT" => &RBT,
        _ => &STLC,
    };
    let tasks = (workload.tasks)();
    let (mut solved, mut sum, mut most, mut largest) = (0, 0.0, 0.0_f64, 0);
    for (error, property) in &tasks {
        let found = solve(workload, &format!("{error}: {property}"), watch)?;
        solved += usize::from(found.counterexample.is_some());
        sum += found.milliseconds;
        most = most.max(found.milliseconds);
        largest = largest.max(found.size);
    }
    Ok(cells([
        ("tasks", tasks.len().to_string()),
        ("solved", solved.to_string()),
        ("mean milliseconds", short(sum / tasks.len() as f64)),
        ("most milliseconds", short(most)),
        ("largest counterexample", largest.to_string()),
    ]))
}

struct Solved {
    counterexample: Option<String>,
    milliseconds: f64,
    inputs: u64,
    /// Of the counterexample, or the largest one that was tried.
    size: usize,
}

fn solve(workload: &Workload, row: &str, watch: &Watch<'_>) -> Result<Solved, Unfinished> {
    let task = (workload.tasks)().into_iter().find(|(error, property)| row == format!("{error}: {property}"));
    let task = task.ok_or_else(|| Unfinished::because("there is no such task"))?;
    let start = Instant::now();
    let mut trial = Trial { inputs: 0, watch };
    for size in 0..=workload.largest {
        watch.check()?;
        if let Some(counterexample) = (workload.try_size)(task, size, &mut trial)? {
            let milliseconds = start.elapsed().as_secs_f64() * 1e3;
            return Ok(Solved {
                counterexample: Some(counterexample),
                milliseconds,
                inputs: trial.inputs,
                size,
            });
        }
    }
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    Ok(Solved { counterexample: None, milliseconds, inputs: trial.inputs, size: workload.largest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// Every property holds on the code without an error, for all inputs up to a size.
    #[test]
    fn properties_hold_without_errors() {
        let watch = Watch { end: None, is_stopped: &GO_ON };
        for (workload, largest) in [(&BST, 2), (&RBT, 3), (&STLC, 4)] {
            let mut properties: Vec<_> = (workload.tasks)().iter().map(|task| task.1).collect();
            properties.sort_unstable();
            properties.dedup();
            for property in properties {
                let mut trial = Trial { inputs: 0, watch: &watch };
                for size in 0..=largest {
                    let found = (workload.try_size)(("none", property), size, &mut trial).unwrap();
                    assert_eq!(found, None, "{property}");
                }
                assert!(trial.inputs > 2, "{property}: {}", trial.inputs);
            }
        }
    }

    #[test]
    fn there_are_as_many_tasks_as_published_and_small_ones_are_solved() {
        assert_eq!([&BST, &RBT, &STLC].map(|workload| (workload.tasks)().len()), [53, 58, 20]);
        let watch = Watch { end: None, is_stopped: &GO_ON };
        let size = |workload: &Workload, row: &str| {
            let solved = solve(workload, row, &watch).unwrap();
            (solved.counterexample.is_some(), solved.size)
        };
        assert_eq!(size(&BST, "insert_1: InsertPost"), (true, 1));
        assert_eq!(size(&RBT, "miscolor_insert: InsertValid"), (true, 1));
        assert!(size(&STLC, "subst_var_none: SinglePreserve").0);
    }
}
