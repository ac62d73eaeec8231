//! Tasks, and how they are solved.

use crate::law::{Counterexample, Law, Witness};
use crate::maps::{self, OrderedMap};
use crate::red_black_tree::{self, RedBlackTree};
use crate::search_tree::{self, SearchTree};
use crate::typed_terms::{self, Program};
use smallscope::summaries::Summaries;
use smallscope::{Bounded, Bounds, Check, Key, Report, Stop};
use std::fmt::{self, Debug};
use std::time::{Duration, Instant};

/// A workload of the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    /// Search trees.
    Bst,
    /// Red-black trees.
    Rbt,
    /// Well-typed lambda terms.
    Stlc,
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Workload::Bst => "BST",
            Workload::Rbt => "RBT",
            Workload::Stlc => "STLC",
        })
    }
}

/// A mutant, and a property that it breaks.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// The workload.
    pub workload: Workload,
    /// The name of the mutant. None is the original, which keeps every property.
    pub mutant: Option<&'static str>,
    /// The name of the property.
    pub property: &'static str,
}

/// How far a task is searched.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The most nodes of an input.
    pub nodes: u32,
    /// The time for finding a counterexample.
    pub time: Duration,
    /// The time for showing that none has fewer nodes.
    pub time_below: Duration,
}

/// What a search has found.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The input on which the property fails; none if none was found.
    pub counterexample: Option<Counterexample>,
    /// Whether every input with fewer nodes was tried, up to the order of its keys. Without a counterexample: whether every
    /// input was tried.
    pub is_smallest: bool,
    /// The inputs up to the counterexample.
    pub tried: u64,
    /// The time up to the counterexample.
    pub time: Duration,
}

/// All tasks with a mutant.
pub fn tasks() -> Vec<Task> {
    let of = |workload, mutant, properties: &[&'static str]| {
        properties
            .iter()
            .map(|property| Task { workload, mutant: Some(mutant), property })
            .collect::<Vec<_>>()
    };
    let mut tasks = vec![];
    for (mutant, _, properties) in search_tree::TASKS {
        tasks.extend(of(Workload::Bst, mutant, properties));
    }
    for (mutant, _, properties) in red_black_tree::TASKS {
        tasks.extend(of(Workload::Rbt, mutant, properties));
    }
    for (mutant, _) in typed_terms::MUTANTS {
        tasks.extend(of(Workload::Stlc, mutant, &["SinglePreserve", "MultiPreserve"]));
    }
    tasks
}

impl Task {
    /// The same property of the original.
    pub fn of_original(self) -> Task {
        Task { mutant: None, ..self }
    }

    /// Searches for a counterexample, and then for one with fewer nodes.
    ///
    /// The first search is what a user would write: a size, and two values where the size does not choose. The second one
    /// has as many keys as an input can have different ones, so that it misses nothing, and one input for each order of keys.
    ///
    /// # Panics
    ///
    /// If the workload has no such mutant or property, or if the search itself fails.
    pub fn solve(&self, effort: Effort) -> Solution {
        let start = Instant::now();
        let (report, found) = self.search(effort.nodes, effort.time, false);
        let mut solution = Solution {
            is_smallest: found.is_none() && is_complete(&report),
            counterexample: found,
            tried: report.tested,
            time: start.elapsed(),
        };
        while let Some(found) = &solution.counterexample {
            let Some(fewer) = (found.nodes as u32).checked_sub(1) else {
                solution.is_smallest = true;
                break;
            };
            let (report, smaller) = self.search(fewer, effort.time_below, true);
            let Some(smaller) = smaller else {
                solution.is_smallest = is_complete(&report);
                break;
            };
            solution.counterexample = Some(smaller);
            solution.tried += report.tested;
            solution.time = start.elapsed();
        }
        solution
    }

    fn search(&self, nodes: u32, time: Duration, is_below: bool) -> (Report, Option<Counterexample>) {
        let check = |bounds| {
            let name = format!("{} {} {}", self.workload, self.mutant.unwrap_or("original"), self.property);
            let check = Check::new(name, bounds).budget(time).environment([("", ""); 0]).quiet();
            if is_below { check.order_types() } else { check.summaries(Summaries::On) }
        };
        match self.workload {
            Workload::Bst => {
                let law = named(search_tree::laws(), self.property);
                let mutant = search_tree::mutant(self.mutant);
                let bounds = bounds::<SearchTree<Key>>(&law, self.property, nodes, is_below);
                law.check(check(bounds), mutant)
            }
            Workload::Rbt => {
                let law = named(maps::laws(), self.property);
                let mutant = red_black_tree::mutant(self.mutant);
                let bounds = bounds::<RedBlackTree<Key>>(&law, self.property, nodes, is_below);
                law.check(check(bounds), mutant)
            }
            Workload::Stlc => {
                let holds = typed_terms::property(self.property);
                let mutant = typed_terms::mutant(self.mutant);
                let witness = Witness::default();
                let report = check(Bounds::size(nodes)).run(|program: &Program| {
                    witness.expect(holds(program, mutant), program, || program.nodes())
                });
                (report, witness.into_inner())
            }
        }
    }
}

/// Whether every input within the bounds was tried, up to the order of its keys.
fn is_complete(report: &Report) -> bool {
    report.is_ok() && matches!(report.outcome.stop, Stop::Exhausted | Stop::OrdersCovered)
}

/// At most so many nodes in all maps, and two values. Properties that are about the invariant alone do not look at values, so
/// they have one. With all keys, there are as many as an input can have different ones.
fn bounds<M>(law: &Law<M>, property: &str, nodes: u32, all_keys: bool) -> Bounds
where
    M: OrderedMap<Key: Bounded + Debug> + Bounded + Debug,
{
    let arguments = law.arguments();
    let values = if property.ends_with("Valid") { 0..=0 } else { 0..=1 };
    let keys = 0..=i64::from(nodes) + 1;
    let mut bounds = Bounds::size(nodes).arguments(arguments).ints("Node.value", values.clone());
    if all_keys {
        bounds = bounds.ints("Node.key", keys.clone());
    }
    for name in arguments {
        match *name {
            "key" | "other" if all_keys => bounds = bounds.ints(name, keys.clone()),
            "value" | "other value" => bounds = bounds.ints(name, values.clone()),
            _ => {}
        }
    }
    bounds
}

/// Finds what has a name.
///
/// # Panics
///
/// If nothing has.
pub(crate) fn named<T>(all: impl IntoIterator<Item = (&'static str, T)>, name: &str) -> T {
    let found = all.into_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no such mutant or property: {name}")).1
}
