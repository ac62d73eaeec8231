//! Which targets were covered, and which are new.

use crate::table::{self, Asks, PREDICATES, PROBES, Saved};
use crate::watched::Watched;
use crate::{Covered, Region, Target};
use std::fmt;
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};

/// What counts as a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Criterion {
    /// Each block.
    Blocks,
    /// Each combination of the predicates that are in scope at a block; the block itself where there is none.
    Predicates,
}

/// The targets of some regions, and which of them were covered.
///
/// The probes write to tables of their thread, and [`Coverage::collect`] reads the tables of the calling thread. For
/// another thread, use a clone: call [`Coverage::begin`] there first, and [`merge`](Coverage::merge) it at the end.
/// Several values may read the same region on a thread: what one has collected is still new to the others. But each
/// that begins empties the tables, and decides whether predicates are evaluated from then on.
#[derive(Clone)]
pub struct Coverage {
    criterion: Criterion,
    targets: Vec<Target>,
    regions: Vec<Watched>,
    covered: Vec<bool>,
    count: usize,
    new: Vec<usize>,
    looked_at: Moment,
}

/// The last moment of a thread at which the tables held nothing new, so that they need not be read again. Atomic,
/// because reading the tables counts as no change of the coverage.
struct Moment(AtomicU64);

impl Moment {
    #[inline]
    fn is_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) == table::moment()
    }

    fn set_now(&self) {
        self.0.store(table::moment(), Ordering::Relaxed);
    }
}

impl Clone for Moment {
    fn clone(&self) -> Moment {
        Moment(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl Coverage {
    /// The regions of a type. Begins on this thread.
    pub fn of<T: Covered>(criterion: Criterion) -> Coverage {
        Coverage::new(T::regions(), criterion)
    }

    /// Some regions; one that is listed twice counts once. Begins on this thread.
    ///
    /// # Panics
    ///
    /// If this crate was built without its feature `probes`, or without `predicates` for this criterion.
    pub fn new(regions: &[&'static Region], criterion: Criterion) -> Coverage {
        if !PROBES || !PREDICATES && criterion == Criterion::Predicates {
            let missing = if PROBES { "predicates" } else { "probes" };
            panic!(
                "there are no {missing} in this build: turn on the feature `{missing}` of smallscope-cover"
            );
        }
        let mut coverage = Coverage {
            criterion,
            targets: vec![],
            regions: vec![],
            covered: vec![],
            count: 0,
            new: vec![],
            looked_at: Moment(AtomicU64::new(0)),
        };
        for &region in regions {
            if !coverage.regions.iter().any(|watched| std::ptr::eq(watched.region, region)) {
                coverage.regions.push(Watched::new(region, criterion, &mut coverage.targets));
            }
        }
        coverage.covered = vec![false; coverage.targets.len()];
        coverage.begin();
        coverage
    }

    /// Begins on this thread: what it reached before does not count, unless it was collected.
    pub fn begin(&self) {
        let asks = match self.criterion {
            Criterion::Blocks => Asks::Blocks,
            Criterion::Predicates => Asks::Predicates,
        };
        self.regions.iter().for_each(|watched| watched.region.look(|table| table.begin(asks)));
        self.looked_at.set_now();
    }

    /// Adds the targets that this thread has reached. Returns the numbers of those that are new, in the order of the
    /// source.
    ///
    /// It returns at once if nothing is new, so it can be called after each call of a sequence.
    #[inline]
    pub fn collect(&mut self) -> &[usize] {
        self.new.clear();
        if !self.looked_at.is_now() {
            self.learn();
        }
        &self.new
    }

    #[cold]
    fn learn(&mut self) {
        for watched in &mut self.regions {
            watched.take_new(&mut self.new);
        }
        self.looked_at.set_now();
        self.new.sort_unstable();
        for &target in &self.new {
            self.covered[target] = true;
        }
        self.count += self.new.len();
    }

    /// Whether [`Coverage::collect`] would return a target.
    #[inline]
    pub fn has_news(&self) -> bool {
        !self.looked_at.is_now() && self.look()
    }

    #[cold]
    fn look(&self) -> bool {
        let has_news = self.regions.iter().any(Watched::has_news);
        if !has_news {
            self.looked_at.set_now();
        }
        has_news
    }

    /// Drops what this thread has reached since the last [`Coverage::collect`].
    #[inline]
    pub fn discard(&mut self) {
        if !self.looked_at.is_now() {
            self.regions.iter().for_each(Watched::discard_new);
            self.looked_at.set_now();
        }
    }

    /// Returns the result of the last [`Coverage::collect`].
    pub fn collected(&self) -> &[usize] {
        &self.new
    }

    /// Runs a function that does not count, on this thread, such as an oracle that calls the code under test.
    pub fn uncounted<R>(&self, run: impl FnOnce() -> R) -> R {
        let _restored = self.pause();
        run()
    }

    /// Stops counting until the result is dropped.
    fn pause(&self) -> impl Drop + use<> {
        let mut saved = vec![];
        for Watched { region, .. } in &self.regions {
            region.look(|table| {
                saved.push((*region, table.save()));
                table.asks.set(Asks::Nothing);
            });
        }
        Restore(saved)
    }

    /// Forgets everything, and begins again on this thread.
    pub fn reset(&mut self) {
        *self = Coverage::new(&self.regions(), self.criterion);
    }

    /// Adds the targets that were covered on another thread. Returns the numbers of those that are new.
    ///
    /// # Panics
    ///
    /// If the other one has different regions or a different criterion.
    pub fn merge(&mut self, other: &Coverage) -> Vec<usize> {
        assert!(
            self.criterion == other.criterion && self.is_about_same(other),
            "only coverage of the same regions by the same criterion can be merged"
        );
        let new = other.snapshot().since(&self.snapshot());
        self.add(&new);
        new
    }

    /// Adds targets that were covered elsewhere.
    ///
    /// # Panics
    ///
    /// If there is no target of such a number.
    pub fn add(&mut self, targets: &[usize]) {
        for &target in targets {
            self.count += usize::from(!self.covered[target]);
            self.covered[target] = true;
        }
        self.regions.iter_mut().for_each(|watched| watched.know(&self.covered));
    }

    fn is_about_same(&self, other: &Coverage) -> bool {
        let (ours, theirs) = (self.regions(), other.regions());
        ours.len() == theirs.len() && iter::zip(ours, theirs).all(|(a, b)| std::ptr::eq(a, b))
    }

    /// What counts as a target.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// The regions.
    pub fn regions(&self) -> Vec<&'static Region> {
        self.regions.iter().map(|watched| watched.region).collect()
    }

    /// All targets, in the order of the regions and of the source.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Number of targets.
    pub fn total(&self) -> usize {
        self.targets.len()
    }

    /// Number of targets that were covered.
    pub fn covered(&self) -> usize {
        self.count
    }

    /// Whether a target was covered.
    ///
    /// # Panics
    ///
    /// If there is no target of this number.
    pub fn is_covered(&self, target: usize) -> bool {
        self.covered[target]
    }

    /// Whether all targets were covered.
    pub fn is_complete(&self) -> bool {
        self.count == self.targets.len()
    }

    /// The targets that were not covered.
    pub fn uncovered(&self) -> impl Iterator<Item = &Target> {
        iter::zip(&self.targets, &self.covered).filter(|(_, covered)| !**covered).map(|(target, _)| target)
    }

    /// The targets that are covered now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { covered: self.covered.clone() }
    }
}

/// A summary, and a line for each target that was not covered.
impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.criterion {
            Criterion::Blocks => "blocks",
            Criterion::Predicates => "combinations of predicates at blocks",
        };
        write!(f, "{} of {} {what} covered", self.count, self.targets.len())?;
        if !self.is_complete() {
            write!(f, "; not covered:")?;
        }
        let mut uncovered = self.uncovered().peekable();
        while let Some(target) = uncovered.next() {
            write!(f, "\n  {}: ", target.location())?;
            // One line for each block, not for each combination.
            let mut missing = 1;
            while uncovered.next_if(|next| std::ptr::eq(next.block, target.block)).is_some() {
                missing += 1;
            }
            match target.combination {
                None => write!(f, "{target}")?,
                Some(_) => {
                    let all = 1 << target.block.predicates.len();
                    write!(f, "{}: {missing} of {all}", Target { combination: None, ..*target })?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coverage")
            .field("criterion", &self.criterion)
            .field("covered", &self.count)
            .field("total", &self.targets.len())
            .finish_non_exhaustive()
    }
}

/// The targets that were covered at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    covered: Vec<bool>,
}

impl Snapshot {
    /// The targets that are covered here and not in an earlier snapshot.
    pub fn since(&self, earlier: &Snapshot) -> Vec<usize> {
        let was = |target: usize| earlier.covered.get(target).copied().unwrap_or(false);
        (0..self.covered.len()).filter(|&target| self.covered[target] && !was(target)).collect()
    }

    /// Whether a target is covered.
    pub fn is_covered(&self, target: usize) -> bool {
        self.covered.get(target).copied().unwrap_or(false)
    }
}

/// Restores tables when it is dropped, even by a panic.
struct Restore(Vec<(&'static Region, Saved)>);

impl Drop for Restore {
    fn drop(&mut self) {
        for (region, saved) in &self.0 {
            region.look(|table| table.restore(saved));
        }
    }
}
