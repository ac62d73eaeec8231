//! The search of one part.

use super::gathering::{Gathering, PartResult, PartState, Progress, Refusal, lock};
use super::slice::Places;
use super::suite::PartSuite;
use crate::bounds::Bounds;
use crate::build::Build;
use crate::candidate::Candidate;
use crate::conjuncts::LARGEST;
use crate::conjuncts::select::Selected;
use crate::depth_first::Found;
use crate::depth_first::run::{Run, Tick};
use crate::depth_first::{DepthFirst, conjunct_order};
use crate::error::{Error, Failure, FailureKind};
use crate::layout::Group;
use crate::mirror::root::ValueType;
use crate::options::{Disjoint, Options};
use crate::outcome::{Outcome, Stop};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// How much may be kept of all parts: if it has to be kept, and if there is another way.
const MOST_BYTES: usize = 1 << 30;
const FEW_BYTES: usize = 1 << 24;
/// Candidates that are kept between two calls of the caller's `tick`.
const TICK_EVERY: u32 = 1 << 12;
/// How many runs a part may take if there is another way.
const FEW_RUNS: u64 = 1 << 20;

/// A part that is being searched. If the search is given up, another thread may claim the part.
pub(super) struct Claim {
    pub gathering: Arc<Gathering>,
    pub part: usize,
}

impl Claim {
    fn name(&self) -> &str {
        &self.gathering.groups[self.part].name
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut state = lock(&self.gathering.parts[self.part]);
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
    search: PartSearch,
    suite: PartSuite,
    demoted: Vec<(usize, String)>,
    /// Runs of searches that had to be begun again, and what was cut short in them.
    before: (u64, u64),
}

impl PartJob {
    pub(super) fn new(
        of: ValueType,
        claim: Claim,
        bounds: Bounds,
        options: Options,
        keeps_scopes: bool,
    ) -> Result<PartJob, Error> {
        let mut places =
            claim.gathering.invariant(claim.part).map(|(_, places)| places.clone()).unwrap_or_default();
        let mut demoted = vec![];
        let search = PartSearch::new(of, &claim, &bounds, options, keeps_scopes, &mut places, &mut demoted)?;
        Ok(PartJob {
            claim,
            bounds,
            options,
            keeps_scopes,
            places,
            search,
            suite: PartSuite::default(),
            demoted,
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
                    // Candidates that one run stands for follow each other without a pause.
                    if self.suite.len() % TICK_EVERY == 0 {
                        if let ControlFlow::Break(stop) = tick(&self.search.run.outcome) {
                            return Progress::Paused(stop);
                        }
                    }
                }
                Ok(Found::End) => return self.finish(),
                Ok(Found::Paused) if is_too_long => {
                    let name = self.claim.name();
                    let why =
                        format!("the search of the part `{name}` alone takes more than {FEW_RUNS} runs");
                    return self.refuse(Refusal::Cannot(why));
                }
                Ok(Found::Paused) => return Progress::Paused(self.search.run.outcome.stop),
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
        self.claim.gathering.refuse(refusal);
        Progress::Done
    }

    /// Keeps the current candidate, if there is room.
    fn keep(&mut self, is_brief: bool) -> Result<(), String> {
        let scopes = self.keeps_scopes.then(|| self.search.scopes());
        let most = if is_brief { FEW_BYTES } else { MOST_BYTES };
        let is_kept = self.suite.push(&self.search.candidate(), scopes);
        if is_kept && (!self.suite.len().is_power_of_two() && self.suite.len() % (1 << 14) != 0) {
            return Ok(());
        }
        if is_kept && self.suite.bytes() + self.claim.gathering.kept() <= most {
            return Ok(());
        }
        let name = self.claim.name();
        Err(format!(
            "the part `{name}` alone has more than {} valid candidates, and they take more than {} MB",
            self.suite.len() - 1,
            most >> 20
        ))
    }

    /// The conjunct that is not local, if one is to blame; otherwise why nothing can be done.
    fn blame(&mut self, failure: Failure) -> Result<(usize, String), Refusal> {
        let foreign = self.search.take_foreign();
        let selected = self.search.selected;
        let unsliceable = |why: String| {
            let input = self.claim.gathering.groups[self.claim.part].input;
            Err(Refusal::Unsliceable { input, why })
        };
        if selected.is_recursive() {
            return unsliceable(
                "the invariant calls itself, so it cannot be told apart which conjunct is about what".into(),
            );
        }
        let conjunct = selected.current();
        match (foreign, conjunct) {
            (Some(at), Some(conjunct)) => Ok((conjunct as usize, format!("it asks for {at}, too"))),
            (Some(at), None) => {
                let part = self.claim.name();
                let invariant = self.claim.gathering.invariant(self.claim.part);
                let where_ = if invariant.is_none_or(|(invariant, _)| invariant.sites.is_empty()) {
                    "the invariant does not end with a conjunction `a && b`, and"
                } else if selected.has_begun() {
                    "the invariant, behind its conjuncts,"
                } else {
                    "the invariant, before its conjuncts,"
                };
                unsliceable(format!(
                    "{where_} asks for {at}, so it cannot be run for the part `{part}` alone; write it as `a && b && ..`, \
                     each of them about one part as far as possible, with nothing in front that reads a field; \
                     if it consists of statements, `#[rep_ok(statements)]` makes them conjuncts"
                ))
            }
            (None, Some(conjunct)) if is_excused(&failure.kind) && selected.is_out_of_context(conjunct) => {
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
    fn begin_again(&mut self, conjunct: usize, why: String) -> Result<(), Error> {
        let Outcome { explored, pruned, .. } = self.search.run.outcome;
        self.before = (self.before.0 + explored, self.before.1 + pruned);
        self.places.make_global(conjunct, why.clone());
        self.demoted.push((conjunct, why));
        self.suite = PartSuite::default();
        let of = self.search.depth_first.structure.of;
        let PartJob { claim, bounds, options, keeps_scopes, places, demoted, .. } = self;
        self.search = PartSearch::new(of, claim, bounds, *options, *keeps_scopes, places, demoted)?;
        Ok(())
    }

    /// Adds the runs of a search that has led to nothing to those that a search will count.
    fn count(&self) {
        let Outcome { explored, pruned, .. } = self.search.run.outcome;
        let [all_explored, all_pruned] = &self.claim.gathering.uncounted;
        all_explored.fetch_add(explored + self.before.0, Ordering::Relaxed);
        all_pruned.fetch_add(pruned + self.before.1, Ordering::Relaxed);
    }

    fn finish(&mut self) -> Progress {
        let Outcome { explored, pruned, .. } = self.search.run.outcome;
        let result = PartResult {
            suite: std::mem::take(&mut self.suite),
            explored: explored + self.before.0,
            pruned: pruned + self.before.1,
            demoted: std::mem::take(&mut self.demoted),
        };
        let mut state = lock(&self.claim.gathering.parts[self.claim.part]);
        *state = PartState::Done(Arc::new(result));
        Progress::Done
    }
}

/// Whether a conjunct may behave so because others were left out.
fn is_excused(kind: &FailureKind) -> bool {
    matches!(kind, FailureKind::PredicatePanicked { .. } | FailureKind::Endless { .. })
}

/// The search of a part, with the conjuncts that are local to it.
struct PartSearch {
    depth_first: DepthFirst,
    run: Run,
    build: Build,
    selected: &'static Selected,
}

impl PartSearch {
    /// Lays out the search of a part. Conjuncts that must not be evaluated without others become global: they are noted in
    /// `places` and `demoted`.
    fn new(
        of: ValueType,
        claim: &Claim,
        bounds: &Bounds,
        mut options: Options,
        keeps_scopes: bool,
        places: &mut Places,
        demoted: &mut Vec<(usize, String)>,
    ) -> Result<PartSearch, Error> {
        let Group { mask, input, part, .. } = &claim.gathering.groups[claim.part];
        options.disjoint = Disjoint::Off;
        // The order of the conjuncts is tried with all of them.
        options.lazy.order &= part.is_none();
        let mut depth_first = DepthFirst::new(of, (of.blank)(), bounds, options)?;
        if let Some(order) = conjunct_order::choose(depth_first.structure, bounds, options) {
            depth_first.run_in(&order);
        }
        let heap = depth_first.structure.heap;
        if let Some(part) = part.filter(|_| heap.layout.largest > LARGEST) {
            demoted.append(&mut places.keep_in_turn(part));
        }
        let selected = match (claim.gathering.invariant(claim.part), part) {
            (Some((invariant, _)), Some(part)) => invariant.local(heap, places, *part),
            _ => Selected::input(heap, input.unwrap_or(0)),
        };
        depth_first.select(selected, *mask);
        if keeps_scopes {
            depth_first.deepening.deliver_whole_only();
        }
        Ok(PartSearch { depth_first, run: Run::new(), build: Build::within(heap), selected })
    }

    fn find_next(&mut self, tick: &mut Tick<'_>) -> Result<Found, Failure> {
        self.depth_first.find_next(&mut self.run, &mut self.build, tick)
    }

    /// The scopes in which the current candidate is available.
    fn scopes(&self) -> u64 {
        self.depth_first.shown().state.borrow().scopes()
    }

    /// The choices of the current candidate in canonical form.
    fn candidate(&self) -> Vec<u32> {
        self.depth_first.shown();
        self.depth_first.structure.candidate().0
    }

    /// The slot of another part that the last run asked for, in words.
    fn take_foreign(&self) -> Option<String> {
        let heap = self.depth_first.structure.heap;
        let slot = heap.foreign.take()?;
        let info = heap.layout.info(slot);
        Some(format!("`{}` of the part `{}`", info.site, heap.layout.parts.name(info.part)))
    }

    /// The current candidate, with the first choices of all slots of other parts.
    fn whole_candidate(&mut self) -> Candidate {
        let heap = self.depth_first.shown();
        heap.focus.set(0);
        self.depth_first.set.reset();
        self.depth_first.structure.candidate()
    }
}
