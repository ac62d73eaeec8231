//! The parts of a structure, all of which are found, and the current combination of them.

use super::combine::{CombinationSet, Combinations};
use super::gathering::Gathered;
use crate::conjuncts::select::Selected;
use crate::heap::Heap;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

/// The most values of an input with several parts that are numbered, to be kept and lent again.
const MOST_NUMBERED: u32 = 1 << 20;

/// The parts, and the current combination.
pub(super) struct Deck {
    pub gathered: Arc<Gathered>,
    pub set: CombinationSet,
    /// The current combination is the current candidate.
    pub is_current: Cell<bool>,
    /// The runs of the searches of the parts are counted, here or by another search.
    pub is_counted: bool,
    /// The conjuncts that are about several parts.
    pub global: Vec<Global>,
    /// The parts of each input, if one of them has several.
    pub inputs: Option<Vec<Range<usize>>>,
    /// The parts that the heap shows, up to some part: the index of each, and where its steps on the path end.
    pub shown: RefCell<Vec<(u32, usize)>>,
}

/// The conjuncts of an invariant that are about several parts.
pub(super) struct Global {
    pub selected: &'static Selected,
    /// The parts that the invariant is about.
    pub parts: Range<usize>,
    /// Whether there are other parts, which change while these stay.
    pub has_others: bool,
    /// The last candidates of these parts for which the conjuncts hold.
    pub known: RefCell<Vec<u32>>,
}

impl Deck {
    /// Combines parts. An error says why that cannot be done.
    pub fn new(gathered: Arc<Gathered>, heap: &'static Heap, left_out: Option<u64>) -> Result<Deck, String> {
        let mut indices = vec![];
        for part in &gathered.parts {
            let Some(of_part) = part.suite.indices(left_out.unwrap_or(0)) else {
                return Err("some values of a smaller scope are not in a larger one".into());
            };
            indices.push(of_part);
        }
        let Some(combinations) = Combinations::new(indices) else {
            return Err("there are more combinations than 128 bits can count".into());
        };
        let groups = &gathered.groups;
        let parts_of = |input: Option<usize>| {
            let first = groups.iter().position(|group| group.input == input).unwrap_or(0);
            let others = groups[first..].iter().position(|group| group.input != input);
            first..others.map_or(groups.len(), |others| first + others)
        };
        let mut global = vec![];
        for (invariant, places) in &gathered.sliced {
            let Some(selected) = invariant.global(heap, places) else { continue };
            let parts = parts_of(invariant.input);
            let has_others = parts.len() < groups.len();
            global.push(Global { selected, parts, has_others, known: RefCell::default() });
        }
        let mut inputs = vec![];
        for input in 0..heap.layout.parts.input_names.len() {
            inputs.push(parts_of(Some(input)));
        }
        Ok(Deck {
            inputs: inputs.iter().any(|parts| parts.len() > 1).then_some(inputs),
            gathered,
            set: CombinationSet::new(combinations),
            is_current: Cell::new(false),
            is_counted: false,
            global,
            shown: RefCell::default(),
        })
    }

    /// The parts of an input.
    pub fn parts_of(&self, input: usize) -> Range<usize> {
        self.inputs.as_ref().map_or(input..input + 1, |inputs| inputs[input].clone())
    }

    /// How many values an input has; none if these are too many to number.
    pub fn count(&self, input: usize) -> Option<u32> {
        let parts = self.parts_of(input);
        let count = |part: usize| self.gathered.parts[part].suite.len();
        if parts.len() == 1 {
            return Some(count(parts.start));
        }
        parts.map(count).try_fold(1, u32::checked_mul).filter(|all| *all <= MOST_NUMBERED)
    }

    /// The number of an input's current value, if they are numbered.
    pub fn index(&self, input: usize) -> u32 {
        self.parts_of(input).fold(0, |index: u32, part| {
            let count = self.gathered.parts[part].suite.len();
            index.wrapping_mul(count).wrapping_add(self.set.at()[part])
        })
    }

    /// How many choices the current candidate of an input has.
    pub fn size(&self, input: usize) -> u32 {
        let size = |part: usize| self.gathered.parts[part].suite.size(self.set.at()[part]);
        self.parts_of(input).map(size).sum()
    }
}
