//! The search of one part.

use super::{PartResult, PartState, Pool, Refusal, Tick, lock};
use crate::bounds::Bounds;
use crate::disjoint::select::Selected;
use crate::disjoint::slice::Places;
use crate::disjoint::suite::PartSuite;
use crate::error::{Failure, FailureKind};
use crate::options::{Disjoint, Options};
use crate::outcome::{Outcome, Stop};
use crate::search::{Found, SearchCore, Subject};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How much may be kept of all parts: if it has to be kept, and if there is another way.
const MOST_BYTES: usize = 1 << 30;
const FEW_BYTES: usize = 1 << 24;
/// How many runs a part may take if there is another way.
const FEW_RUNS: u64 = 1 << 20;

/// A part that is being searched. If that is given up, somebody else may do it.
pub(super) struct Claim {
    pub pool: Arc<Pool>,
    pub part: u32,
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut state = lock(&self.pool.parts[self.part as usize - 1]);
        if matches!(*state, PartState::Claimed) {
            *state = PartState::Waiting;
        }
    }
}

/// The search of a part.
pub(crate) struct PartJob {
    claim: Claim,
    bounds: Bounds,
    options: Options,
    keeps_scopes: bool,
    places: Places,
    search: SearchCore,
    selected: &'static Selected,
    suite: PartSuite,
    demoted: Vec<(usize, String)>,
    /// Runs of searches that had to be begun again, and what was cut short in them.
    before: (u64, u64),
}

/// How far the search of a part has come.
pub(crate) enum Progress {
    /// To its end, or to a refusal, which the pool knows.
    Done,
    /// Somebody has interrupted it.
    Paused(Stop),
}

impl PartJob {
    pub(super) fn new(
        subject: Subject,
        claim: Claim,
        bounds: &Bounds,
        options: Options,
        keeps_scopes: bool,
    ) -> Result<PartJob, crate::error::Error> {
        let places = claim.pool.places.clone();
        let (search, selected) = open(subject, &claim, bounds, options, keeps_scopes, &places)?;
        Ok(PartJob {
            claim,
            bounds: bounds.clone(),
            options,
            keeps_scopes,
            places,
            search,
            selected,
            suite: PartSuite::default(),
            demoted: vec![],
            before: (0, 0),
        })
    }

    /// Searches until the end, a refusal, or an interruption.
    pub fn go_on(&mut self, tick: &mut Tick<'_>) -> Progress {
        loop {
            let is_brief = self.options.disjoint == Disjoint::Auto;
            let mut is_too_long = false;
            let found = self.search.find_next(&mut |outcome| {
                is_too_long = is_brief && outcome.explored > FEW_RUNS;
                if is_too_long { ControlFlow::Break(Stop::Interrupted) } else { tick(outcome) }
            });
            match found {
                Ok(Found::Valid) => {
                    if let Err(why) = self.keep(is_brief) {
                        return self.refuse(Refusal::Cannot(why));
                    }
                }
                Ok(Found::End) if self.search.outcome().stop == Stop::Exhausted => return self.finish(),
                Ok(Found::End) if is_too_long => {
                    let name = &self.claim.pool.names[self.claim.part as usize - 1];
                    let why =
                        format!("the search of the part `{name}` alone takes more than {FEW_RUNS} runs");
                    return self.refuse(Refusal::Cannot(why));
                }
                Ok(Found::End) => return Progress::Paused(self.search.outcome().stop),
                Err(failure) => match self.blame(failure) {
                    Ok((conjunct, why)) => {
                        if let Err(error) = self.begin_again(conjunct, why) {
                            return self.refuse(Refusal::Cannot(error.to_string()));
                        }
                    }
                    Err(refusal) => return self.refuse(refusal),
                },
            }
        }
    }

    fn refuse(&self, refusal: Refusal) -> Progress {
        self.count();
        self.claim.pool.refuse(refusal);
        Progress::Done
    }

    /// Keeps the current candidate, if there is room.
    fn keep(&mut self, is_brief: bool) -> Result<(), String> {
        let scopes = self.keeps_scopes.then(|| self.search.with_state(|s| s.scopes()));
        let most = if is_brief { FEW_BYTES } else { MOST_BYTES };
        let is_kept = self.suite.push(&self.search.candidate().0, scopes);
        if is_kept && (!self.suite.len().is_power_of_two() && !self.suite.len().is_multiple_of(1 << 14)) {
            return Ok(());
        }
        if is_kept && self.suite.bytes() + self.claim.pool.kept() <= most {
            return Ok(());
        }
        let name = &self.claim.pool.names[self.claim.part as usize - 1];
        Err(format!(
            "the part `{name}` alone has more than {} valid candidates, and they take more than {} MB",
            self.suite.len() - 1,
            most >> 20
        ))
    }

    /// The conjunct that is not local, if one is to blame; otherwise why nothing can be done.
    fn blame(&mut self, failure: Failure) -> Result<(usize, String), Refusal> {
        let foreign = self.search.take_foreign();
        if self.selected.is_recursive() {
            return Err(Refusal::Cannot(
                "the invariant calls itself, so it cannot be told apart which conjunct is about what".into(),
            ));
        }
        let conjunct = self.selected.current();
        match (foreign, conjunct) {
            (Some(at), Some(conjunct)) => Ok((conjunct as usize, format!("it asks for {at}, too"))),
            (Some(at), None) => {
                let part = &self.claim.pool.names[self.claim.part as usize - 1];
                let where_ = if self.claim.pool.sites.is_empty() {
                    "the invariant does not end with a conjunction `a && b`, and"
                } else if self.selected.has_begun() {
                    "the invariant, behind its conjuncts,"
                } else {
                    "the invariant, before it comes to its conjuncts,"
                };
                Err(Refusal::Cannot(format!(
                    "{where_} asks for {at}, so it cannot be run for the part `{part}` alone; write it as `a && b && ..`, \
                     each of them about one part as far as possible, with nothing in front that reads a field"
                )))
            }
            (None, Some(conjunct))
                if is_excused(&failure.kind) && self.selected.is_out_of_context(conjunct) =>
            {
                let why = format!("without those before it: {}", failure.kind);
                Ok((conjunct as usize, why))
            }
            // The candidate should be one of the whole structure.
            (None, _) => {
                Err(Refusal::Failed(Failure { candidate: self.search.whole_candidate(), ..failure }))
            }
        }
    }

    /// Searches again without a conjunct.
    fn begin_again(&mut self, conjunct: usize, why: String) -> Result<(), crate::error::Error> {
        let Outcome { explored, pruned, .. } = self.search.outcome();
        self.before = (self.before.0 + explored, self.before.1 + pruned);
        self.places.make_global(conjunct, why.clone());
        self.demoted.push((conjunct, why));
        self.suite = PartSuite::default();
        (self.search, self.selected) = open(
            self.search.subject(),
            &self.claim,
            &self.bounds,
            self.options,
            self.keeps_scopes,
            &self.places,
        )?;
        Ok(())
    }

    /// Adds the runs of a search that has led to nothing to those that somebody will take into account.
    fn count(&self) {
        let Outcome { explored, pruned, .. } = self.search.outcome();
        let [all_explored, all_pruned] = &self.claim.pool.uncounted;
        all_explored.fetch_add(explored + self.before.0, Ordering::Relaxed);
        all_pruned.fetch_add(pruned + self.before.1, Ordering::Relaxed);
    }

    fn finish(&mut self) -> Progress {
        let Outcome { explored, pruned, .. } = self.search.outcome();
        let result = PartResult {
            suite: std::mem::take(&mut self.suite),
            explored: explored + self.before.0,
            pruned: pruned + self.before.1,
            demoted: std::mem::take(&mut self.demoted),
        };
        let mut state = lock(&self.claim.pool.parts[self.claim.part as usize - 1]);
        *state = PartState::Done(Arc::new(result));
        Progress::Done
    }
}

/// Whether a conjunct may behave so because others were left out.
fn is_excused(kind: &FailureKind) -> bool {
    matches!(kind, FailureKind::PredicatePanicked { .. } | FailureKind::Endless { .. })
}

/// Lays out the search of a part.
fn open(
    subject: Subject,
    claim: &Claim,
    bounds: &Bounds,
    mut options: Options,
    keeps_scopes: bool,
    places: &Places,
) -> Result<(SearchCore, &'static Selected), crate::error::Error> {
    let Claim { pool, part } = claim;
    options.disjoint = Disjoint::Off;
    // The order of the conjuncts is tried with all of them.
    options.lazy.order &= pool.are_inputs;
    let mut search = SearchCore::new(subject, bounds, options)?;
    let heap = search.heap_of_parts();
    let selected = match pool.are_inputs {
        true => Selected::input(heap, *part as usize - 1),
        false => Selected::conjuncts(heap, pool.sites, |i| places.is_local(i, *part)),
    };
    search.select(Some(selected), *part);
    if keeps_scopes {
        search.deliver_whole_only();
    }
    Ok((search, selected))
}
