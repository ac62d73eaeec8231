//! Searching the parts, until all are found or it is clear that there will be one search for everything.

use super::{Deck, Ready};
use crate::bounds::Bounds;
use crate::candidate::Candidate;
use crate::disjoint::combine::Combinations;
use crate::disjoint::pool::{Gathered, Interest, Pool, Progress, Refusal, Tick};
use crate::disjoint::{Disjoint, Selected};
use crate::error::{Error, Failure, FailureKind};
use crate::options::Options;
use crate::outcome::{Outcome, Stop};
use crate::search::{SearchCore, Subject};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A part that takes no longer is searched by one thread.
const PATIENCE: Duration = Duration::from_millis(20);

impl SearchCore {
    /// Searches the parts to the end, or as far as it takes to know that they are not combined.
    pub(in crate::search) fn settle(&mut self) -> Result<(), Failure> {
        if !self.is_combined() || self.deck().is_some() {
            return Ok(());
        }
        self.gather(&mut |_| ControlFlow::Continue(())).map(drop)
    }

    /// The same where errors are of another kind.
    pub(in crate::search) fn settled(&mut self) -> Result<bool, Error> {
        self.settle().map_err(|failure| Error::Stale { why: failure.kind.to_string() })?;
        Ok(self.deck().is_some())
    }

    /// Searches parts that nobody searches yet, until all are found.
    pub(super) fn gather(&mut self, tick: &mut Tick<'_>) -> Result<Ready, Failure> {
        let keeps_scopes = self.left_out.is_some();
        loop {
            let Some(combined) = &self.combined else { return Ok(Ready::No) };
            let (bounds, options) = (combined.bounds.clone(), self.options);
            let known = combined.pool.as_ref().map(|interest| interest.pool().clone());
            let pool = known.unwrap_or_else(|| Pool::of(self, &bounds, options, keeps_scopes));
            let Some(combined) = &mut self.combined else { return Ok(Ready::No) };
            combined.pool.get_or_insert_with(|| Interest::in_pool(pool.clone()));
            let refusal = pool.refusal().cloned();
            if let Some(refusal) = refusal {
                (self.outcome.explored, self.outcome.pruned) = self.with_uncounted(&pool);
                return self.do_without(refusal);
            }
            if let Some(gathered) = pool.gathered() {
                return self.deal(gathered);
            }
            let Some(combined) = &mut self.combined else { return Ok(Ready::No) };
            if combined.job.is_none() {
                combined.job = pool.claim(self.subject, &bounds, options, keeps_scopes);
            }
            let begun = *combined.begun.get_or_insert_with(Instant::now);
            let subject = self.subject;
            let mut helpers = options.gather_threads.saturating_sub(1).min(pool.distinct() as u32 - 1);
            let mut listen = |outcome: &Outcome| {
                if helpers > 0 && begun.elapsed() > PATIENCE {
                    let help = std::mem::take(&mut helpers);
                    (0..help).for_each(|_| spawn_helper(subject, &pool, &bounds, options, keeps_scopes));
                }
                tick(outcome)
            };
            match &mut combined.job {
                Some(job) => match job.go_on(&mut listen) {
                    Progress::Done => combined.job = None,
                    Progress::Paused(stop) => return Ok(Ready::Paused(stop)),
                },
                // Others are at work.
                None if pool.refusal().is_none() => {
                    std::thread::sleep(Duration::from_millis(1));
                    if let ControlFlow::Break(stop) = tick(&self.outcome) {
                        return Ok(Ready::Paused(stop));
                    }
                }
                None => {}
            }
        }
    }

    /// Takes the runs of the searches of the parts into account: the one of several searches that begins at the beginning
    /// does so.
    #[inline]
    pub(super) fn count_parts(&mut self) {
        let Some(deck) = self.deck_mut().filter(|deck| !deck.is_counted) else { return };
        deck.is_counted = true;
        let (explored, pruned) = (deck.gathered.explored, deck.gathered.pruned);
        self.outcome.explored += explored;
        self.outcome.pruned += pruned;
    }

    fn with_uncounted(&self, pool: &Pool) -> (u64, u64) {
        let (explored, pruned) = pool.take_uncounted();
        (self.outcome.explored + explored, self.outcome.pruned + pruned)
    }

    /// There will be one search for everything, or none.
    fn do_without(&mut self, refusal: Refusal) -> Result<Ready, Failure> {
        let why = match (refusal, self.options.disjoint) {
            (Refusal::Cannot(why), Disjoint::On) => {
                return Err(self.failure_without_candidate(FailureKind::NotDisjoint { why }));
            }
            (Refusal::Failed(failure), Disjoint::On) => {
                self.outcome.stop = Stop::FirstFailure;
                return Err(failure);
            }
            (Refusal::Cannot(why), _) => why,
            (Refusal::Failed(failure), _) => failure.kind.to_string(),
        };
        if let Some(combined) = &mut self.combined {
            combined.why_direct = Some(why);
            combined.job = None;
        }
        Ok(Ready::No)
    }

    fn failure_without_candidate(&mut self, kind: FailureKind) -> Failure {
        self.outcome.stop = Stop::FirstFailure;
        Failure { kind, candidate: Candidate(vec![]) }
    }

    /// All parts are found.
    fn deal(&mut self, gathered: Arc<Gathered>) -> Result<Ready, Failure> {
        let left_out = self.left_out.unwrap_or(0);
        let indices =
            gathered.parts.iter().map(|part| part.suite.indices(left_out)).collect::<Option<Vec<_>>>();
        let combinations = match indices.map(Combinations::new) {
            Some(Some(combinations)) => combinations,
            Some(None) => {
                let why = "there are more combinations than 128 bits can count".into();
                return self.do_without(Refusal::Cannot(why));
            }
            None => {
                let why = "some values of a smaller scope are not in a larger one".into();
                return self.do_without(Refusal::Cannot(why));
            }
        };
        let sites = (self.subject.conjuncts)();
        let is_global = |i: usize| gathered.places.is_global(i);
        let global =
            (0..gathered.places.0.len()).any(is_global).then(|| Selected::rest(self.heap, sites, is_global));
        let first = combinations.first();
        if let Some(combined) = &mut self.combined {
            combined.deck = Some(Deck {
                is_over: first.is_none(),
                is_counted: false,
                at: first.unwrap_or_default(),
                gathered,
                combinations,
                is_current: Cell::new(false),
                global,
                shown: RefCell::default(),
            });
        }
        Ok(Ready::Yes)
    }
}

/// Another thread that searches a part. It gives up when nobody waits any more.
fn spawn_helper(subject: Subject, pool: &Arc<Pool>, bounds: &Bounds, options: Options, keeps_scopes: bool) {
    let (pool, bounds) = (pool.clone(), bounds.clone());
    let help = move || {
        while let Some(mut part) = pool.claim(subject, &bounds, options, keeps_scopes) {
            let mut is_over = |_: &Outcome| match pool.is_forgotten() {
                true => ControlFlow::Break(Stop::Interrupted),
                false => ControlFlow::Continue(()),
            };
            if let Progress::Paused(_) = part.go_on(&mut is_over) {
                return;
            }
        }
    };
    // Where there can be no other thread, this one will do it all.
    let _ = std::thread::Builder::new().name("smallscope part".into()).spawn(help);
}
