//! Cutting a search into ranges of about equal work.

use super::expand::{Chunks, Expander, LayOutAgain};
use super::plan::Place;
use super::sample::Sample;
use crate::session::error::Error;
use smallscope_core::{AnySearch, Position};

/// The nodes per level of the first sample, which says how large the next one may be.
const FIRST: usize = 64;

/// The share of the whole work that measuring may take.
const SHARE: f64 = 0.018;

/// More nodes per level than this, and than [`PER_PART`] per part, make the parts only a little more equal.
const MOST: usize = 4096;
const PER_PART: usize = 4;

/// The ranges of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cut {
    /// Where the parts begin. The first one begins at the beginning.
    pub starts: Vec<Place>,
    /// The estimate of all work.
    pub total: f64,
    /// The runs of the invariant that measuring took.
    pub runs: u64,
}

/// Cuts searches, which are run one after the other, into so many parts. None if it was stopped.
pub(super) fn cut(
    passes: &mut [AnySearch],
    parts: usize,
    with_values: bool,
    threads: (usize, &LayOutAgain<'_>),
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Cut>, Error> {
    let chunks = Chunks::new(usize::MAX);
    std::thread::scope(|scope| {
        let mut expander = Expander::new(scope, threads.0, threads.1, with_values, &chunks);
        cut_with(&mut expander, passes, parts, is_stopped)
    })
}

fn cut_with(
    expander: &mut Expander<'_>,
    passes: &mut [AnySearch],
    parts: usize,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<Cut>, Error> {
    let mut take = |pass: usize, search: &mut AnySearch, beam: usize| {
        expander.pass = pass;
        Sample::take(search, expander, beam, is_stopped)
    };
    let (mut samples, mut runs) = (vec![], 0);
    for (pass, search) in passes.iter_mut().enumerate() {
        let Some(sample) = take(pass, search, FIRST)? else { return Ok(None) };
        runs += sample.runs;
        samples.push(sample);
    }
    let total: f64 = samples.iter().map(|sample| sample.total).sum();
    for (pass, (sample, search)) in samples.iter_mut().zip(passes.iter_mut()).enumerate() {
        let wanted = (PER_PART * parts).max(MOST) as f64 * (sample.total / total);
        let affordable = SHARE * sample.total * FIRST as f64 / sample.runs.max(1) as f64;
        let beam = wanted.min(affordable) as usize;
        if sample.runs > 0 && beam > FIRST {
            let Some(better) = take(pass, search, beam)? else { return Ok(None) };
            runs += better.runs;
            *sample = better;
        }
    }
    let total: f64 = samples.iter().map(|sample| sample.total).sum();
    let mut starts = vec![Place::START];
    let (mut before, mut number) = (0.0, 1);
    for ((pass, sample), search) in samples.iter().enumerate().zip(passes) {
        let mut amounts = vec![];
        for number in number..parts {
            let amount = total * number as f64 / parts as f64 - before;
            if amount >= sample.total {
                break;
            }
            amounts.push(amount);
        }
        for (_, path) in sample.cuts(search, &amounts).map_err(Error::Bounds)? {
            starts.push(Place { pass: pass as u32, position: Position(path) });
        }
        number += amounts.len();
        before += sample.total;
    }
    starts.dedup();
    Ok(Some(Cut { starts, total, runs }))
}
