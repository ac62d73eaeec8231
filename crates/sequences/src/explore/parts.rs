//! Levels of an exploration in parts, which may be explored by different processes.
//!
//! A part is a range of the states of a level. Its result is what one thread of an exploration notes about a piece: the
//! states that are not known before the level, in order. Merging puts the parts of a level into the table in order, so
//! numbers, parents and counts are those of an exploration in one process. A part in which something ends the exploration
//! is explored again by the process that merges, so one place decides when to stop.

use std::ops::Range;

use smallscope_support::panics;

use super::breadth;
use super::comparison::Omissions;
use super::machine::{Made, Setting};
use super::states::{StateId, States};
use super::threads::{self, Candidate};
use super::walker::Walker;
use super::{Ending, Exploration, Explorer};
use crate::context::{CallId, Context, Error};
use crate::outcome::Stop;
use crate::run::{Cluster, Counts, clusters_of};

/// The states that were found so far, in the order in which they were found.
pub struct Known {
    states: States,
    is_exact: bool,
}

/// The result of a part of a level.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// The states in which calls were made, by their numbers.
    pub states: Range<u32>,
    /// How the calls ended.
    pub counts: Counts,
    /// Calls that were made in a state.
    pub transitions: u64,
    /// The states that are not known, as bytes.
    pub found: Vec<u8>,
    /// How many these are. A state may be among them several times.
    pub number: u64,
    /// Calls that failed: the state and the call.
    pub failing: Vec<(u32, CallId)>,
    /// The parts of values that comparisons have left out, and whether the author vouches for that.
    pub left_out: Vec<(String, bool)>,
}

/// The result of merging.
pub(crate) enum Merged {
    /// The parts of the next level are missing. It has these states.
    Missing { known: Known, states: Range<u32>, level: usize },
    /// Everything was merged.
    Done(Exploration),
}

/// Returns the result of the part that begins with a state; `None` if there is none.
pub(crate) type NextPart<'p> = dyn FnMut(u32) -> Result<Option<Part>, Error> + 'p;

impl Known {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the states as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![];
        for id in 0..self.len() {
            let (fingerprint, parent, call) = self.states.entry(id as StateId);
            put(&mut out, fingerprint, parent, call, self.is_exact.then(|| self.states.exact(id as StateId)));
        }
        out
    }

    /// Reads the first so many states. `None` if the bytes are not those of so many states.
    pub fn from_bytes(bytes: &[u8], is_exact: bool, number: usize) -> Option<Known> {
        let mut states = States::new(is_exact);
        let mut rest = bytes;
        for id in 0..number {
            let Entry { fingerprint, parent, call, bytes } = take(&mut rest, is_exact)?;
            let is_new = states.insert_hashed(fingerprint, bytes, parent, call) == (id as StateId, true);
            if !is_new || (id > 0 && parent as usize >= id) {
                return None;
            }
        }
        Some(Known { states, is_exact })
    }
}

struct Entry<'b> {
    fingerprint: u128,
    parent: StateId,
    call: CallId,
    bytes: &'b [u8],
}

fn put(out: &mut Vec<u8>, fingerprint: u128, parent: StateId, call: CallId, exact: Option<&[u8]>) {
    out.extend_from_slice(&fingerprint.to_le_bytes());
    out.extend_from_slice(&parent.to_le_bytes());
    out.extend_from_slice(&call.to_le_bytes());
    if let Some(bytes) = exact {
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        out.extend_from_slice(bytes);
    }
}

fn take<'b>(rest: &mut &'b [u8], is_exact: bool) -> Option<Entry<'b>> {
    let fingerprint = u128::from_le_bytes(*take_chunk(rest)?);
    let (parent, call) = (u32::from_le_bytes(*take_chunk(rest)?), u32::from_le_bytes(*take_chunk(rest)?));
    let len = if is_exact { usize::try_from(u64::from_le_bytes(*take_chunk(rest)?)).ok()? } else { 0 };
    let (bytes, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(Entry { fingerprint, parent, call, bytes })
}

fn take_chunk<'b, const N: usize>(rest: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (chunk, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(chunk)
}

impl Explorer<'_> {
    /// Makes every call in some of the known states. Also returns the failures, grouped by similarity. `None` if the caller
    /// stopped it.
    pub(crate) fn explore_part(
        &self,
        known: &Known,
        states: Range<u32>,
    ) -> Result<Option<(Part, Vec<Cluster>)>, Error> {
        self.options.check(self.context)?;
        if states.end as usize > known.len() || calls_out_of_range(known, self.context) {
            return Err(damaged());
        }
        let omissions = Omissions::default();
        let setting = Setting::new(self, &omissions);
        let mut machine = setting.machine()?;
        let is_stopped = || self.options.is_interrupted();
        let piece = panics::silently(|| {
            threads::expand(setting, &mut machine, None, &known.states, states.clone(), is_stopped)
        });
        if piece.states != states {
            return Ok(None);
        }
        let mut found = vec![];
        let mut start = 0;
        for Candidate { fingerprint, parent, call, end } in &piece.candidates {
            let bytes = &piece.bytes[start..*end];
            put(&mut found, *fingerprint, *parent, *call, setting.is_exact.then_some(bytes));
            start = *end;
        }
        let part = Part {
            states,
            counts: piece.counts,
            transitions: piece.transitions,
            found,
            number: piece.candidates.len() as u64,
            failing: piece.failing,
            left_out: omissions.list(),
        };
        Ok(Some((part, clusters_of(self.context, self.options.oracles(), piece.failures))))
    }

    /// Merges parts, level by level.
    pub(crate) fn merge_parts(self, next: &mut NextPart<'_>) -> Result<Merged, Error> {
        let (mut missing, mut wrong) = (None, None);
        let is_exact = self.is_exact;
        let found = self.run(|walker| {
            let mut level = 0;
            let ending: Ending = breadth::by_levels(walker, |walker, states| {
                let merged = merge_level(walker, states.clone(), next);
                level += 1;
                match merged {
                    Ok(Level::Done(stop)) => return stop,
                    Ok(Level::Missing) => {
                        let known = std::mem::replace(&mut walker.states, States::new(is_exact));
                        // What is reported about the rest of the run is dropped.
                        walker.machine.write_first();
                        walker.states.insert(walker.machine.written(), 0, 0);
                        missing = Some((Known { states: known, is_exact }, states, level - 1));
                    }
                    Err(error) => wrong = Some(error),
                }
                Some(Stop::Interrupted)
            });
            ending
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        match missing {
            Some((known, states, level)) => Ok(Merged::Missing { known, states, level }),
            None => Ok(Merged::Done(found?)),
        }
    }
}

fn damaged() -> Error {
    Error::BadRequest { what: "the states of the level are not those of this test".into() }
}

/// The bytes of the states are checked when they are read; this is about another context.
fn calls_out_of_range(known: &Known, context: &Context) -> bool {
    (0..known.len()).any(|id| known.states.entry(id as StateId).2 >= context.calls)
}

/// The result of merging a level.
enum Level {
    /// All parts were merged, or something ended the exploration.
    Done(Option<Stop>),
    /// A part is not there.
    Missing,
}

fn merge_level(
    walker: &mut Walker<'_>,
    states: Range<StateId>,
    next: &mut NextPart<'_>,
) -> Result<Level, Error> {
    let mut at = states.start;
    while at < states.end {
        let Some(part) = next(at)? else { return Ok(Level::Missing) };
        if part.states.start != at || part.states.end > states.end || part.states.is_empty() {
            return Err(damaged());
        }
        at = part.states.end;
        let stop = merge_part(walker, part)?;
        if stop.is_some() {
            return Ok(Level::Done(stop));
        }
    }
    Ok(Level::Done(None))
}

/// Puts what was found in a part into the table.
fn merge_part(walker: &mut Walker<'_>, part: Part) -> Result<Option<Stop>, Error> {
    let ends_here = !part.failing.is_empty() && walker.setting.stops_at_failure;
    let may_fill = walker.states.len() as u64 + part.number;
    if ends_here || may_fill >= walker.limits.states {
        return Ok(breadth::expand(walker, part.states));
    }
    let before = (walker.machine.counts, walker.machine.transitions);
    for (parent, call) in &part.failing {
        fail_again(walker, *parent, *call)?;
    }
    (walker.machine.counts, walker.machine.transitions) = before;
    walker.machine.counts.add(part.counts);
    walker.machine.transitions += part.transitions;
    walker.setting.add_left_out(part.left_out);
    let mut rest = &part.found[..];
    for _ in 0..part.number {
        let entry = take(&mut rest, walker.setting.is_exact).ok_or_else(damaged)?;
        let Entry { fingerprint, parent, call, bytes } = entry;
        if !part.states.contains(&parent) || call >= walker.calls() {
            return Err(damaged());
        }
        walker.states.insert_hashed(fingerprint, bytes, parent, call);
    }
    if !rest.is_empty() {
        return Err(damaged());
    }
    Ok(walker.stop())
}

/// Makes a call that has failed in another process, to get its fault.
fn fail_again(walker: &mut Walker<'_>, parent: StateId, call: CallId) -> Result<(), Error> {
    if parent as usize >= walker.states.len() || call >= walker.calls() {
        return Err(damaged());
    }
    walker.go_to(parent);
    let made = walker.machine.step(call, None, true);
    walker.machine.drop_values(call);
    let Made::Failed(fault) = made else {
        return Err(Error::BadRequest {
            what:
                "a call that failed in a shard does not fail here: the code under test is not deterministic"
                    .into(),
        });
    };
    walker.failures.push((walker.machine.failing(call), *fault));
    Ok(())
}
