//! Reduces failing tests that keep failing in the same way: drops calls, and lowers the numbers of slots.

use super::cluster::Key;
use super::examiner::Examiner;
use crate::context::{CallId, Context};

/// The maximum number of runs.
const MAX_RUNS: usize = 20_000;

/// The number of slots that are exchanged with each other.
const MAX_SWAPPED: u32 = 20;

pub(crate) struct Shrink<'s> {
    context: &'s Context,
    /// Runs a test. Returns the place of the call that fails in the same way, if one does.
    fails: &'s mut dyn FnMut(&[CallId]) -> Option<usize>,
    /// How often it may be called.
    runs: usize,
}

/// Returns the smallest test that was found to fail in the same way.
pub(crate) fn shrink<'a>(
    context: &'a Context,
    examiner: &mut Examiner<'a>,
    calls: &[CallId],
    key: &Key,
) -> Vec<CallId> {
    let counts = examiner.counts;
    let mut fails = |calls: &[CallId]| match examiner.run(calls) {
        Some((at, fault)) if Key::of(context, calls[at], &fault) == *key => Some(at),
        _ => None,
    };
    let shrunk = shrink_by(context, calls, MAX_RUNS, &mut fails);
    examiner.counts = counts;
    shrunk
}

/// Returns the smallest test that was found to fail, with at most so many runs.
pub(crate) fn shrink_by(
    context: &Context,
    calls: &[CallId],
    runs: usize,
    fails: &mut dyn FnMut(&[CallId]) -> Option<usize>,
) -> Vec<CallId> {
    let mut shrink = Shrink { context, fails, runs };
    let mut calls = calls.to_vec();
    loop {
        let before = calls.clone();
        shrink.drop_calls(&mut calls);
        shrink.lower_places(&mut calls);
        shrink.swap_slots(&mut calls);
        if calls == before {
            return calls;
        }
    }
}

impl Shrink<'_> {
    /// Whether a test still fails in the same way. If so, it is cut after the call that fails.
    fn still_fails(&mut self, calls: &mut Vec<CallId>) -> bool {
        if self.runs == 0 {
            return false;
        }
        self.runs -= 1;
        let Some(at) = (self.fails)(calls) else { return false };
        calls.truncate(at + 1);
        true
    }

    /// Leaves out as many calls as possible at once, then fewer.
    fn drop_calls(&mut self, calls: &mut Vec<CallId>) {
        let mut piece = calls.len().div_ceil(2);
        while piece > 0 {
            let mut start = 0;
            while start < calls.len() {
                let mut fewer = calls.clone();
                fewer.drain(start..(start + piece).min(calls.len()));
                if !fewer.is_empty() && self.still_fails(&mut fewer) {
                    *calls = fewer;
                } else {
                    start += piece;
                }
            }
            piece /= 2;
        }
    }

    /// Exchanges two slots of a pool in the whole test, if the first slot that changes gets a lower number.
    fn swap_slots(&mut self, calls: &mut Vec<CallId>) {
        for pool in 0..self.context.pools.len() as u32 {
            let size = self.context.pools[pool as usize].size as u32;
            for high in 1..size.min(MAX_SWAPPED) {
                for low in 0..high {
                    let mut swapped: Vec<_> =
                        calls.iter().map(|call| self.swap(*call, pool, low, high)).collect();
                    if self.slots(&swapped) < self.slots(calls) && self.still_fails(&mut swapped) {
                        *calls = swapped;
                    }
                }
            }
        }
    }

    fn slots(&self, calls: &[CallId]) -> Vec<u32> {
        let decoded = calls.iter().map(|call| self.context.decode(*call));
        decoded.flat_map(|call| call.places.into_iter().take(call.len).map(|place| place.slot)).collect()
    }

    fn swap(&self, call: CallId, pool: u32, low: u32, high: u32) -> CallId {
        let mut decoded = self.context.decode(call);
        for place in decoded.places.iter_mut().take(decoded.len).filter(|place| place.pool == pool) {
            if place.slot == low || place.slot == high {
                place.slot = low + high - place.slot;
            }
        }
        self.context.encode(decoded.method, decoded.places())
    }

    fn lower_places(&mut self, calls: &mut Vec<CallId>) {
        let mut at = 0;
        while at < calls.len() {
            let decoded = self.context.decode(calls[at]);
            for position in 0..decoded.len {
                for slot in 0..decoded.places[position].slot {
                    // Another position of the same call may have been lowered already.
                    let mut lower = self.context.decode(calls[at]);
                    lower.places[position].slot = slot;
                    let mut changed = calls.clone();
                    changed[at] = self.context.encode(lower.method, lower.places());
                    if self.still_fails(&mut changed) && changed.len() > at {
                        *calls = changed;
                        break;
                    }
                }
            }
            at += 1;
        }
    }
}
