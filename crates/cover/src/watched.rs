//! How one `Coverage` reads the table of a region.

use crate::{Criterion, Region, Target};
use std::cell::Cell;
use std::iter;

/// A region, and the meaning of the slots of its table.
#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) region: &'static Region,
    blocks: Vec<Meaning>,
    combinations: Vec<Meaning>,
}

/// What a slot means.
#[derive(Clone, Copy, Default)]
struct Meaning {
    /// Its target, if it has one.
    target: Option<usize>,
    /// Whether the target is covered.
    is_known: bool,
}

impl Meaning {
    fn is_news(&self, slot: &Cell<bool>) -> bool {
        slot.get() && !self.is_known && self.target.is_some()
    }
}

impl Watched {
    /// Adds the targets of the region.
    pub(crate) fn new(region: &'static Region, criterion: Criterion, targets: &mut Vec<Target>) -> Watched {
        let mut blocks = vec![Meaning::default(); region.blocks().len()];
        let mut combinations = vec![Meaning::default(); region.combinations()];
        for (number, block) in region.blocks().iter().enumerate().filter(|(_, block)| block.is_built) {
            let mut add = |slot: &mut Meaning, combination| {
                slot.target = Some(targets.len());
                targets.push(Target { region, block, combination });
            };
            if criterion == Criterion::Blocks || block.predicates.is_empty() {
                add(&mut blocks[number], None);
            } else {
                for bits in 0..1 << block.predicates.len() {
                    add(&mut combinations[block.first_combination + bits], Some(bits));
                }
            }
        }
        Watched { region, blocks, combinations }
    }

    /// Whether this thread has reached a target that is not known.
    pub(crate) fn has_news(&self) -> bool {
        let mut has_news = false;
        self.region.look(|table| {
            let is_any = |slots: &[Cell<bool>], meanings: &[Meaning]| {
                iter::zip(slots, meanings).any(|(slot, meaning)| meaning.is_news(slot))
            };
            has_news = is_any(table.blocks, &self.blocks) || is_any(table.combinations, &self.combinations);
        });
        has_news
    }

    /// Marks what this thread has reached as known. Adds the targets that were not known.
    pub(crate) fn take_new(&mut self, new: &mut Vec<usize>) {
        let Watched { region, blocks, combinations } = self;
        let mut take = |slots: &[Cell<bool>], meanings: &mut [Meaning]| {
            for (slot, meaning) in iter::zip(slots, meanings) {
                if meaning.is_news(slot) {
                    meaning.is_known = true;
                    new.extend(meaning.target);
                }
            }
        };
        region.look(|table| {
            take(table.blocks, blocks);
            take(table.combinations, combinations);
        });
    }

    /// Clears what this thread has reached and is not known.
    pub(crate) fn discard_new(&self) {
        let discard = |slots: &[Cell<bool>], meanings: &[Meaning]| {
            let news = iter::zip(slots, meanings).filter(|(slot, meaning)| meaning.is_news(slot));
            news.for_each(|(slot, _)| slot.set(false));
        };
        self.region.look(|table| {
            discard(table.blocks, &self.blocks);
            discard(table.combinations, &self.combinations);
        });
    }

    /// Marks targets that are covered elsewhere as known.
    pub(crate) fn know(&mut self, covered: &[bool]) {
        for meaning in self.blocks.iter_mut().chain(&mut self.combinations) {
            meaning.is_known |= meaning.target.is_some_and(|target| covered[target]);
        }
    }
}
