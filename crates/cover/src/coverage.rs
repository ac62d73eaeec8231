//! What was covered, and what is new.

use crate::region::{NEWS, ON, PREDICATES, PROBES};
use crate::{Covered, Region, Target};
use std::cell::Cell;
use std::fmt;
use std::iter;

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
/// call [`Coverage::begin`] there first, with a clone, and [`merge`](Coverage::merge) it at the end. One `Coverage` at a time
/// uses a region on a thread: the next one begins with empty tables.
#[derive(Clone)]
pub struct Coverage {
    criterion: Criterion,
    targets: Vec<Target>,
    regions: Vec<Watched>,
    covered: Vec<bool>,
    count: usize,
    new: Vec<usize>,
}

/// A region, and what its slots mean.
#[derive(Clone)]
struct Watched {
    region: &'static Region,
    /// For each slot: its target, if it has one.
    targets: Vec<Option<usize>>,
    /// For each slot: all ones if there is nothing new to learn from it.
    known: Vec<u8>,
}

impl Watched {
    /// Which slots are 1 that were not known.
    fn take_new(&mut self, new: &mut Vec<usize>) {
        let Watched { region, targets, known } = self;
        region.look(|slots| {
            let end = changing(slots, region, known);
            if !is_any_new(&slots[..end], &known[..end]) {
                return;
            }
            for slot in 0..end {
                if let Some(target) = targets[slot]
                    && slots[slot].get() & !known[slot] != 0
                {
                    known[slot] = u8::MAX;
                    new.push(target);
                }
            }
        });
    }

    #[inline]
    fn has_news(&self) -> bool {
        let Watched { region, known, .. } = self;
        let mut has_news = false;
        region.look(|slots| {
            let end = region.slots_of_blocks();
            has_news = slots[0].get() == NEWS || is_any_new(&slots[..end], &known[..end]);
        });
        has_news
    }

    /// Slots that were not known are 0 again.
    fn discard_new(&self) {
        let Watched { region, known, .. } = self;
        region.look(|slots| {
            let end = changing(slots, region, known);
            if is_any_new(&slots[..end], &known[..end]) {
                iter::zip(&slots[1..end], &known[1..end])
                    .filter(|(_, known)| **known == 0)
                    .for_each(|(slot, _)| slot.set(0));
            }
        });
    }
}

/// The end of the slots that have changed since the last time: those of combinations say so.
#[inline]
fn changing(slots: &[Cell<u8>], region: &Region, known: &[u8]) -> usize {
    if slots[0].get() == NEWS {
        slots[0].set(ON);
        known.len()
    } else {
        region.slots_of_blocks()
    }
}

/// Whether a slot is 1 and was not known. Most often there is none, so sixteen are looked at together.
#[inline]
fn is_any_new(slots: &[Cell<u8>], known: &[u8]) -> bool {
    let mut new = [0; 16];
    for (slots, known) in iter::zip(slots.as_chunks::<16>().0, known.as_chunks::<16>().0) {
        for i in 0..16 {
            new[i] |= slots[i].get() & !known[i];
        }
    }
    new != [0; 16]
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
        let mut coverage =
            Coverage { criterion, targets: vec![], regions: vec![], covered: vec![], count: 0, new: vec![] };
        for &region in regions {
            if !coverage.regions.iter().any(|watched| std::ptr::eq(watched.region, region)) {
                coverage.watch(region);
            }
        }
        coverage.covered = vec![false; coverage.targets.len()];
        coverage.begin();
        coverage
    }

    fn watch(&mut self, region: &'static Region) {
        let mut targets = vec![None; region.slots()];
        for (number, block) in region.blocks().iter().enumerate().filter(|(_, block)| block.is_built) {
            let mut add = |slot: usize, combination| {
                targets[slot] = Some(self.targets.len());
                self.targets.push(Target { region, block, combination });
            };
            if self.criterion == Criterion::Blocks || block.predicates.is_empty() {
                add(Region::slot_of_block(number), None);
            } else {
                for bits in 0..1 << block.predicates.len() {
                    add(region.slot_of_combination(block.first_combination + bits), Some(bits));
                }
            }
        }
        // Whatever is in them, slots without a target say nothing.
        let known = targets.iter().map(|target| if target.is_none() { u8::MAX } else { 0 }).collect();
        self.regions.push(Watched { region, targets, known });
    }

    /// From now on, on this thread: what was reached before does not count any more, unless it was collected.
    pub fn begin(&self) {
        for watched in &self.regions {
            watched.region.clear(self.criterion == Criterion::Predicates);
        }
    }

    /// Adds what this thread has reached. Returns the numbers of the targets that are new, in the order of the source.
    ///
    /// If nothing is new this takes some ten nanoseconds, so it can be called after each call of a sequence.
    pub fn collect(&mut self) -> &[usize] {
        self.new.clear();
        for watched in &mut self.regions {
            watched.take_new(&mut self.new);
        }
        if self.new.is_empty() {
            return &[];
        }
        self.new.sort_unstable();
        for &target in &self.new {
            self.covered[target] = true;
        }
        self.count += self.new.len();
        &self.new
    }

    /// Whether [`Coverage::collect`] would find something.
    pub fn has_news(&self) -> bool {
        self.regions.iter().any(Watched::has_news)
    }

    /// What this thread has reached since the last [`Coverage::collect`] does not count, unless it is reached again.
    pub fn discard(&mut self) {
        self.regions.iter().for_each(Watched::discard_new);
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
        for watched in &self.regions {
            watched
                .region
                .look(|slots| saved.push((watched.region, slots.iter().map(|s| s.get()).collect())));
            watched.region.look(|slots| slots[0].set(0));
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
        for Watched { targets, known, .. } in &mut self.regions {
            for (known, target) in iter::zip(known, targets) {
                if target.is_some_and(|target| self.covered[target]) {
                    *known = u8::MAX;
                }
            }
        }
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
struct Restore(Vec<(&'static Region, Vec<u8>)>);

impl Drop for Restore {
    fn drop(&mut self) {
        for (region, saved) in &self.0 {
            region.look(|slots| iter::zip(slots, saved).for_each(|(slot, value)| slot.set(*value)));
        }
    }
}
