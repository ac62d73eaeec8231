//! What was covered, and what is new.

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
/// The probes write to tables of their thread. [`Coverage::collect`] reads those of the thread that calls it. On another thread
/// call [`Coverage::begin`] there first, with a clone, and [`merge`](Coverage::merge) it at the end. Several may
/// look at the same region on a thread: what one has collected is still new to the others. But each that begins empties the tables, and
/// says whether predicates are evaluated from then on.
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

/// The moment of a thread at which there was nothing new in the tables. A look changes nothing, but need not be taken again.
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

    /// Some regions; one that is there twice counts once. Begins on this thread.
    ///
    /// # Panics
    ///
    /// If this crate was built without its feature `probes`, or without `predicates` where these are wanted: then there is
    /// nothing to read.
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

    /// From now on, on this thread: what was reached before does not count any more, unless it was collected.
    pub fn begin(&self) {
        let asks = match self.criterion {
            Criterion::Blocks => Asks::Blocks,
            Criterion::Predicates => Asks::Predicates,
        };
        self.regions.iter().for_each(|watched| watched.region.look(|table| table.begin(asks)));
        self.looked_at.set_now();
    }

    /// Adds what this thread has reached. Returns the numbers of the targets that are new, in the order of the source.
    ///
    /// If nothing is new that is known at once, so this can be called after each call of a sequence.
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

    /// Whether [`Coverage::collect`] would find something.
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

    /// What this thread has reached since the last [`Coverage::collect`] does not count, unless it is reached again.
    #[inline]
    pub fn discard(&mut self) {
        if !self.looked_at.is_now() {
            self.regions.iter().for_each(Watched::discard_new);
            self.looked_at.set_now();
        }
    }

    /// What the last [`Coverage::collect`] has returned.
    pub fn collected(&self) -> &[usize] {
        &self.new
    }

    /// Runs something that does not count, on this thread: an oracle that calls the code under test, too.
    pub fn uncounted<R>(&self, run: impl FnOnce() -> R) -> R {
        let _restored = self.pause();
        run()
    }

    /// Until this is dropped, nothing counts.
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

    /// Adds what was covered on another thread. Returns the numbers of the targets that are new.
    ///
    /// # Panics
    ///
    /// If the other one is about other regions or has another criterion.
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

    /// Whether all were.
    pub fn is_complete(&self) -> bool {
        self.count == self.targets.len()
    }

    /// The targets that were not covered.
    pub fn uncovered(&self) -> impl Iterator<Item = &Target> {
        iter::zip(&self.targets, &self.covered).filter(|(_, covered)| !**covered).map(|(target, _)| target)
    }

    /// What was covered by now.
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

/// What was covered at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    covered: Vec<bool>,
}

impl Snapshot {
    /// The targets that are covered here and were not then.
    pub fn since(&self, earlier: &Snapshot) -> Vec<usize> {
        let was = |target: usize| earlier.covered.get(target).copied().unwrap_or(false);
        (0..self.covered.len()).filter(|&target| self.covered[target] && !was(target)).collect()
    }

    /// Whether a target is covered.
    pub fn is_covered(&self, target: usize) -> bool {
        self.covered.get(target).copied().unwrap_or(false)
    }
}

/// Puts tables back, also if what did not count has panicked.
struct Restore(Vec<(&'static Region, Saved)>);

impl Drop for Restore {
    fn drop(&mut self) {
        for (region, saved) in &self.0 {
            region.look(|table| table.restore(saved));
        }
    }
}
