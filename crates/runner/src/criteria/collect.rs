//! A reducer that is fed by a search.

use crate::criteria::classify::{Class, Classifier};
use crate::criteria::reducer::{Reduced, Reducer};
use crate::criteria::reduction::{Choice, Reduction};
use smallscope_core::probe::Taken;
use smallscope_core::{AnySearch, Failure};
use smallscope_support::hash::spread;

/// Puts the values of a search into classes, and keeps the paths of some.
///
/// Values that one run of the invariant stands for have one class, so the decisions of a run are looked at once. Values
/// of a class that is full are not even visited one by one, where the search can count them.
pub struct Collector {
    classifier: Classifier,
    reducer: Reducer<Vec<u32>>,
    trace: Vec<Taken>,
    /// The class of the values that the last run stands for.
    current: Option<(u64, Class)>,
}

impl Collector {
    /// A collector for a suite of `total` values; see [`Reducer::new`].
    pub fn new(reduction: Reduction, total: u64) -> Result<Collector, String> {
        let classifier = Classifier::new(reduction.criterion)?;
        Ok(Collector { classifier, reducer: Reducer::new(reduction, total), trace: vec![], current: None })
    }

    /// The class of the current value of a search, always of the same one.
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

    /// Takes the current value of a search in.
    pub fn visit_one(&mut self, search: &mut AnySearch) -> Result<Class, Failure> {
        let class = self.class(search)?;
        if self.reducer.is_full(class) {
            self.reducer.count(class, 1);
        } else {
            self.offer(class, search);
        }
        Ok(class)
    }

    /// The same, and takes in those behind it that can be counted without a look at them: the search goes on behind these.
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

    /// An empty one of the same kind.
    pub fn another(&self) -> Result<Collector, String> {
        let classifier = Classifier::new(self.classifier.criterion())?;
        Ok(Collector { classifier, reducer: self.reducer.another(), trace: vec![], current: None })
    }

    /// How many values it has seen or counted.
    pub fn seen(&self) -> u64 {
        self.reducer.offered()
    }

    /// What it has kept so far. It goes on with nothing.
    pub fn take(&mut self) -> Reducer<Vec<u32>> {
        let next = self.reducer.another();
        std::mem::replace(&mut self.reducer, next)
    }

    /// Takes over what another one has kept of the values that come next.
    pub fn merge(&mut self, later: Reducer<Vec<u32>>) {
        self.reducer.merge(later);
    }

    /// The end.
    pub fn finish(self) -> Reduced<Vec<u32>> {
        self.reducer.finish()
    }
}

/// The place of a value among those of its class, for a random choice: the ones with the least numbers are kept. It
/// depends on the seed and the value's path alone, so whoever sees the values, in whichever pieces, makes the same choice.
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
