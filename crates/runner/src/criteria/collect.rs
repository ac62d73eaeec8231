//! A reducer for the values of a search.

use crate::criteria::classify::{Class, Classifier};
use crate::criteria::reducer::{Reduced, Reducer};
use crate::criteria::reduction::{Choice, Reduction};
use smallscope_core::probe::Taken;
use smallscope_core::{AnySearch, Failure};
use smallscope_support::hash::spread;

/// Puts the values of a search into classes, and keeps the paths of some.
///
/// All values that one run of the invariant stands for have the same class, so the decisions of a run are read once.
/// Values of a full class are counted without a visit, where the search can count them.
pub struct Collector {
    classifier: Classifier,
    reducer: Reducer<Vec<u32>>,
    trace: Vec<Taken>,
    /// The class of the values that the last run stands for.
    current: Option<(u64, Class)>,
}

impl Collector {
    /// Creates a collector for a suite of `total` values; see [`Reducer::new`].
    pub fn new(reduction: Reduction, total: u64) -> Result<Collector, String> {
        let classifier = Classifier::new(reduction.criterion)?;
        Ok(Collector { classifier, reducer: Reducer::new(reduction, total), trace: vec![], current: None })
    }

    /// Returns the class of the current value. All calls must be for the same search.
    #[inline]
    pub fn class(&mut self, search: &mut AnySearch) -> Result<Class, Failure> {
        let run = search.run_number();
        match self.current {
            Some((known, class)) if known == run => Ok(class),
            _ => {
                search.decisions(&mut self.trace)?;
                let class = self.classifier.class(&self.trace);
                self.current = Some((run, class));
                Ok(class)
            }
        }
    }

    /// Offers the current value of a search.
    pub fn visit_one(&mut self, search: &mut AnySearch) -> Result<Class, Failure> {
        let class = self.class(search)?;
        if self.reducer.is_full(class) {
            self.reducer.count(class, 1);
        } else {
            self.offer(class, search);
        }
        Ok(class)
    }

    /// Offers the current value, and counts the values after it that need no visit. The search continues after these.
    pub fn visit(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        let is_known = self.current.is_some_and(|(run, _)| run == search.run_number());
        let class = self.visit_one(search)?;
        if !is_known && self.reducer.is_full(class) {
            self.reducer.count(class, search.skip_rest());
        }
        Ok(())
    }

    fn offer(&mut self, class: Class, search: &mut AnySearch) {
        let Collector { classifier, reducer, trace, .. } = self;
        let describe = || classifier.describe(trace);
        match reducer.reduction().choice {
            Choice::First => reducer.offer(class, || 0, || search.path(), describe),
            Choice::Random { seed } => {
                let path = search.path();
                reducer.offer(class, || priority(seed, &path), || path.clone(), describe);
            }
        }
    }

    /// Creates an empty collector of the same kind.
    pub fn another(&self) -> Result<Collector, String> {
        let classifier = Classifier::new(self.classifier.criterion())?;
        Ok(Collector { classifier, reducer: self.reducer.another(), trace: vec![], current: None })
    }

    /// Returns how many values were offered or counted.
    pub fn seen(&self) -> u64 {
        self.reducer.offered()
    }

    /// Returns what was kept so far, and continues empty.
    pub fn take(&mut self) -> Reducer<Vec<u32>> {
        let next = self.reducer.another();
        std::mem::replace(&mut self.reducer, next)
    }

    /// Adds what another collector kept of the values that come next.
    pub fn merge(&mut self, later: Reducer<Vec<u32>>) {
        self.reducer.merge(later);
    }

    /// Returns what is kept in the end.
    pub fn finish(self) -> Reduced<Vec<u32>> {
        self.reducer.finish()
    }
}

/// Returns the priority of a value for a random choice: the values with the smallest priorities are kept. It depends
/// only on the seed and the value's path, so the choice does not depend on how a search is divided.
///
/// ```
/// use smallscope_runner::criteria::priority;
/// assert_eq!(priority(7, &[1, 0, 2]), priority(7, &[1, 0, 2]));
/// assert_ne!(priority(7, &[1, 0, 2]), priority(8, &[1, 0, 2]));
/// assert_ne!(priority(7, &[1, 0, 2]), priority(7, &[1, 0, 3]));
/// ```
pub fn priority(seed: u64, path: &[u32]) -> u64 {
    let start = spread(seed ^ spread(path.len() as u64));
    path.iter().fold(start, |hash, &choice| spread(hash ^ u64::from(choice)))
}
