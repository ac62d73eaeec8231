//! Notes about rejected candidates, for tools that explain a search.

use crate::heap::State;
use crate::heap::watch::is_data_by_value;
use crate::path::choices_of;
use crate::site::ConjunctSite;

/// A candidate that was rejected.
#[derive(Debug, Clone)]
pub struct Rejection {
    /// The slot that was read, or asked about, last; none if the invariant has read nothing.
    pub slot: Option<usize>,
    /// How many slots were read and questions decided.
    pub steps: usize,
    /// The slots of plain data that were read, so that each of their values is tried.
    pub values: Vec<usize>,
    /// The conjunct of the invariant that was false, if the engine knows it.
    pub conjunct: Option<&'static ConjunctSite>,
    /// The choices, in the order of steps.
    pub path: Vec<u32>,
}

/// The rejections since they were last taken; none until they are taken for the first time.
#[derive(Default)]
pub(crate) struct Rejections(Option<Vec<Rejection>>);

impl Rejections {
    #[inline]
    pub fn are_noted(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the rejections since the last call. They are noted from the first call on.
    pub fn take(&mut self) -> Vec<Rejection> {
        self.0.replace(vec![]).unwrap_or_default()
    }

    /// Notes that the current candidate was rejected.
    #[cold]
    pub fn note(&mut self, s: &State) {
        let Some(rejections) = &mut self.0 else { return };
        let mut values = vec![];
        for step in s.path.iter() {
            if is_data_by_value(s, step) {
                values.push(step.slot.index());
            }
        }
        rejections.push(Rejection {
            slot: s.path.last().map(|last| last.slot.index()),
            steps: s.path.len(),
            values,
            conjunct: s.conjunctions.failed,
            path: choices_of(&s.path),
        });
    }
}
