//! A search candidate by candidate, valid or not: what the invariant read, what it answered, and what was skipped.

use super::value;
use crate::runner::json::Object;
use crate::session::error::Error;
use smallscope_core::search::{ReadDescription, SlotDescription};
use smallscope_core::{AnySearch, Found, Stop};
use std::ops::ControlFlow;

/// How many candidates can be looked at.
const MOST: usize = 100_000;

/// A candidate that the search has visited.
struct Visited {
    path: Vec<u32>,
    is_valid: bool,
    /// The conjunct that was false, if the engine knows it.
    conjunct: Option<&'static str>,
}

pub(super) struct Steps {
    search: AnySearch,
    visited: Vec<Visited>,
    slots: Vec<SlotDescription>,
    is_over: bool,
    /// Looks at candidates; the other search goes on.
    eye: AnySearch,
    /// Knows which conjunct is false, if the engine of the search does not.
    judge: Option<AnySearch>,
}

impl Steps {
    pub fn new(mut search: AnySearch, eye: AnySearch, judge: Option<AnySearch>) -> Steps {
        search.take_rejections();
        let slots = search.describe_slots();
        Steps { search, visited: vec![], slots, is_over: false, eye, judge }
    }

    /// Searches on until a number of candidates is known.
    fn reach(&mut self, number: usize) -> Result<(), Error> {
        while self.visited.len() < number && !self.is_over {
            let found = self.search.find_next(&mut |_| ControlFlow::Break(Stop::Interrupted))?;
            for rejection in self.search.take_rejections() {
                let conjunct = rejection.conjunct.map(|conjunct| conjunct.text);
                self.visited.push(Visited { path: rejection.path, is_valid: false, conjunct });
            }
            match found {
                Found::Valid => {
                    self.visited.push(Visited { path: self.search.path(), is_valid: true, conjunct: None });
                }
                Found::End => self.is_over = true,
                Found::Paused => {}
            }
        }
        Ok(())
    }

    pub fn describe(&mut self, number: u64) -> Result<String, Error> {
        self.describe_behind(0, number)
    }

    /// Describes a candidate of a search before which there were other steps: numbers count from the first of those.
    pub fn describe_behind(&mut self, before: usize, number: u64) -> Result<String, Error> {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1)).unwrap_or(0);
        if index >= MOST {
            return Err(Error::Usage(format!("only the first {MOST} candidates can be looked at")));
        }
        // One more, to know what comes next.
        self.reach(index + 2)?;
        let Some(Visited { path, is_valid, conjunct }) = self.visited.get(index) else {
            return Err(Error::Usage(format!(
                "there is no candidate {number}; the search has {}",
                self.visited.len()
            )));
        };
        let (path, is_valid, conjunct) = (path.clone(), *is_valid, *conjunct);
        let next = self.visited.get(index + 1).map(|next| next.path.clone());
        let eye = &mut self.eye;
        eye.revisit(&path);
        let reads = eye.describe_reads();
        let drawing = eye.drawing();
        let conjunct = conjunct.or_else(|| {
            let judge = self.judge.as_mut().filter(|_| !is_valid)?;
            judge.go_to(&eye.candidate()).ok()?;
            let is_rejected = matches!(judge.accepts(), Ok(false));
            judge.failed_conjunct().filter(|_| is_rejected).map(|site| site.text)
        });
        let mut out = Object::default();
        out.raw("number", before + index + 1);
        out.raw("known", before + self.visited.len());
        out.raw("all", self.is_over);
        out.raw("valid", is_valid);
        if before > 0 {
            out.raw("making", before);
        }
        if let Some(conjunct) = conjunct {
            out.text("conjunct", conjunct);
        }
        out.raw("reads", value::reads(&self.slots, &reads));
        out.text("skipped", &self.skipped(&path, &reads, is_valid, next.as_deref()));
        out.raw("nodes", value::nodes(&drawing));
        Ok(out.close())
    }

    /// Says what the verdict on this candidate decides about others, and how the search goes on.
    fn skipped(
        &self,
        path: &[u32],
        reads: &[ReadDescription],
        is_valid: bool,
        next: Option<&[u32]>,
    ) -> String {
        let unread: Vec<&SlotDescription> = {
            let is_read = |slot: usize| reads.iter().any(|read| read.by_invariant && read.slot == slot);
            (0..self.slots.len()).filter(|&slot| !is_read(slot)).map(|slot| &self.slots[slot]).collect()
        };
        let bits: f64 = unread.iter().map(|slot| (slot.choices.max(1) as f64).log2()).sum();
        let others = match bits {
            bits if bits < 0.5 => String::new(),
            bits if bits < 20.0 => format!("{:.0}", bits.exp2()),
            bits => format!("2^{bits:.1}"),
        };
        let mut text = match (is_valid, others.is_empty()) {
            (_, true) => {
                "The invariant has read every field, so this run decides one candidate vector.".to_owned()
            }
            (false, false) => format!(
                "The invariant has not read {} of the {} fields, so it rejects all {others} candidate vectors that \
                 differ only there: they are skipped.",
                unread.len(),
                self.slots.len()
            ),
            (true, false) => format!(
                "The invariant has not read {} of the {} fields: any reachable value there is valid, too.",
                unread.len(),
                self.slots.len()
            ),
        };
        let Some(next) = next else { return text + " This is the last candidate." };
        let same = path.iter().zip(next).take_while(|(a, b)| a == b).count();
        if let Some(read) = reads.get(same) {
            let slot = &self.slots[read.slot];
            let object = slot.object.as_ref().map(|object| format!(" of {object}")).unwrap_or_default();
            text += &format!(
                " The search keeps the first {same} steps and goes on with the next choice for {}{object}, which \
                 was {}.",
                slot.field, read.text
            );
            let dropped = path.len().saturating_sub(same + 1);
            if dropped > 0 {
                text += &format!(" The {dropped} later steps have no choice left and are dropped.");
            }
        }
        text
    }
}
