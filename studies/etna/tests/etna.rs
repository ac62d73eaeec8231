//! The originals keep every property, and every small task is solved.

use smallscope_etna::{Effort, Task, Workload, tasks};
use std::time::Duration;

fn effort(nodes: u32) -> Effort {
    Effort { nodes, time: Duration::from_secs(60), time_below: Duration::from_secs(60) }
}

#[test]
fn there_are_as_many_tasks_as_the_platform_has() {
    let count = |workload| tasks().iter().filter(|task| task.workload == workload).count();
    assert_eq!([Workload::Bst, Workload::Rbt, Workload::Stlc].map(count), [53, 58, 20]);
}

#[test]
fn originals_keep_every_property() {
    let mut seen = vec![];
    for task in tasks() {
        let original = task.of_original();
        if !seen.contains(&(task.workload, task.property)) {
            seen.push((task.workload, task.property));
            let nodes = match (task.workload, task.property) {
                (Workload::Rbt, "DeleteValid") => 5,
                (Workload::Bst, "UnionUnionIdem") => 4,
                (Workload::Stlc, _) => 5,
                _ => 2,
            };
            let solution = original.solve(effort(nodes));
            assert!(solution.counterexample.is_none(), "{original:?}: {:?}", solution.counterexample);
            assert!(solution.is_smallest && solution.tried > 12, "{original:?}: {solution:?}");
        }
    }
    assert_eq!(seen.len(), 16 + 10 + 2);
}

#[test]
fn small_tasks_are_solved_with_the_smallest_counterexample() {
    let is_large = |task: &Task| {
        let mutant = task.mutant.unwrap();
        mutant == "swap_bc" || mutant.starts_with("miscolor_") || task.property == "DeleteDelete"
    };
    for task in tasks().iter().filter(|task| task.workload != Workload::Rbt || !is_large(task)) {
        let solution = task.solve(effort(7));
        assert!(solution.counterexample.is_some() && solution.is_smallest, "{task:?}: {solution:?}");
    }
}

#[test]
#[should_panic(expected = "no such mutant or property: insert_9")]
fn an_unknown_mutant_is_named() {
    let task = Task { workload: Workload::Bst, mutant: Some("insert_9"), property: "InsertPost" };
    task.solve(effort(1));
}
