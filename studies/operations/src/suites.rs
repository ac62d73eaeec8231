//! Parts of the values of an operation, by the numbers of the values in the order of the search.

use crate::Operation;
use smallscope::search::{AnySearch, Candidate, Found, Options};
use smallscope::{Bounds, Classes};
use smallscope_catalogue::registry::CountError;
use smallscope_runner::criteria::{Choice, Classifier, Reducer, Reduction, priority};
use smallscope_support::random;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

/// A part of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// All of them.
    All,
    /// Some of each class of a criterion.
    Reduced(Reduction),
    /// What is left if the search prunes by `eq_class`.
    Pruned,
    /// The first value of each class by `eq_class`.
    OnePerClass,
    /// A number of values at random.
    Random {
        /// How many.
        values: u64,
        /// The seed of the choice.
        seed: u64,
    },
}

/// Why there is no such part.
#[derive(Debug)]
pub enum PartError {
    /// The search failed, or has no classes.
    Search(CountError),
    /// The criterion cannot be used.
    Criterion(String),
}

impl std::fmt::Display for PartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PartError::Search(error) => error.fmt(f),
            PartError::Criterion(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for PartError {}

impl From<CountError> for PartError {
    fn from(error: CountError) -> PartError {
        PartError::Search(error)
    }
}

/// Returns the numbers of the values, from 1, of each part.
///
/// # Errors
///
/// If the bounds do not fit the structure, its invariant panics, a criterion cannot be used, or the structure has no classes.
pub fn parts(
    operation: &Operation,
    bounds: &Bounds,
    options: Options,
    wanted: &[Part],
) -> Result<Vec<BTreeSet<u64>>, PartError> {
    let mut total = 0;
    visit(operation, bounds, options, |number, _| {
        total = number;
        Ok(())
    })?;
    let mut reducers = vec![];
    for part in wanted {
        if let Part::Reduced(reduction) = part {
            let classifier = Classifier::new(reduction.criterion).map_err(PartError::Criterion)?;
            reducers.push((classifier, Reducer::new(*reduction, total)));
        }
    }
    let mut by_class = vec![];
    for (part, classes) in [(Part::Pruned, Classes::Pruned), (Part::OnePerClass, Classes::One)] {
        if wanted.contains(&part) {
            let mut candidates: HashSet<Candidate> = HashSet::new();
            visit(operation, bounds, Options { classes, ..options }, |_, search| {
                candidates.insert(search.candidate());
                Ok(())
            })?;
            by_class.push((part, candidates, BTreeSet::new()));
        }
    }
    let mut taken = vec![];
    if !reducers.is_empty() || !by_class.is_empty() {
        visit(operation, bounds, options, |number, search| {
            for (_, candidates, numbers) in &mut by_class {
                if candidates.contains(&search.candidate()) {
                    numbers.insert(number);
                }
            }
            if !reducers.is_empty() {
                search.decisions(&mut taken).map_err(CountError::Invariant)?;
            }
            for (classifier, reducer) in &mut reducers {
                let seed = match reducer.reduction().choice {
                    Choice::Random { seed } => seed,
                    Choice::First => 0,
                };
                let class = classifier.class(&taken);
                reducer.offer(class, || priority(seed, &search.path()), || number, String::new);
            }
            Ok(())
        })?;
    }
    let mut reduced = reducers.into_iter().map(|(_, reducer)| reducer.finish().kept.into_iter().collect());
    let part = |part: &Part| match part {
        Part::All => (1..=total).collect(),
        Part::Reduced(_) => reduced.next().unwrap_or_default(),
        Part::Pruned | Part::OnePerClass => by_class
            .iter()
            .find(|(own, ..)| own == part)
            .map(|(.., numbers)| numbers.clone())
            .unwrap_or_default(),
        Part::Random { values, seed } => at_random(total, *values, *seed),
    };
    Ok(wanted.iter().map(part).collect())
}

fn at_random(total: u64, values: u64, seed: u64) -> BTreeSet<u64> {
    let mut order: Vec<u64> = (1..=total).collect();
    order.sort_by_cached_key(|number| random::mix(random::mix(seed) ^ number));
    order.into_iter().take(values as usize).collect()
}

fn visit(
    operation: &Operation,
    bounds: &Bounds,
    options: Options,
    mut visit: impl FnMut(u64, &mut AnySearch) -> Result<(), CountError>,
) -> Result<(), CountError> {
    let mut search = (operation.open)(bounds, options).map_err(CountError::Bounds)?;
    let mut number = 0;
    while search.find_next(&mut |_| ControlFlow::Continue(())).map_err(CountError::Invariant)? == Found::Valid
    {
        number += 1;
        visit(number, &mut search)?;
    }
    Ok(())
}
