//! A pass on several threads.
//!
//! A pass begins on one thread, and most end there. When it takes longer, its range is split into pieces, in the order of
//! the search. Threads search them and run the test on the values that they find. A thread that is out of work gets the
//! later part of another thread's piece. Values are built and tested where they are found, so their types need not be
//! `Send`. The first failure in the order of the search is reported, as if there were one thread: pieces behind a failure
//! are dropped, pieces before it are searched to their end.

use super::budget::{Budget, Gauge};
use super::case::{Case, LayOut, SharedCase};
use super::trial::{Wrong, caught_lay_out, find_next, try_value};
use crate::planning::{self, Helper};
use crate::range::{Range, share};
use smallscope_core::{AnySearch, Bounds, ClassTable, Error, Found, Limit, Options, Outcome, Position, Stop};
use smallscope_support::ordered::{Piece, Pieces};
use smallscope_support::panics::{self, Panic};
use std::ops::ControlFlow;
use std::time::Duration;

/// A shorter pass stays on its thread.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// How to lay out the search of a pass again.
#[derive(Clone)]
pub(crate) struct PassSetup {
    pub(crate) new: LayOut,
    pub(crate) bounds: Bounds,
    pub(crate) options: Options,
    /// The scope of the pass, if it is not the last one.
    pub(crate) within: Option<u32>,
    /// The scopes of the passes before it.
    pub(crate) covered: Vec<u32>,
    /// How many runs summaries may take, if they are tried because of the pass before.
    pub(crate) trial_runs: Option<u64>,
}

impl PassSetup {
    /// What the plan of its search depends on.
    pub(crate) fn key(&self, search: &AnySearch) -> planning::Key {
        let payload = self.bounds.payload_names().join(" ");
        (
            search.type_id(),
            format!(
                "{} within {:?} with {:?} in {:?} runs {payload}",
                self.bounds, self.within, self.options, self.trial_runs
            ),
        )
    }

    pub(crate) fn lay_out(&self) -> Result<AnySearch, String> {
        let mut search = caught_lay_out(self.new, &self.bounds, self.within, self.options)?;
        self.leave_out(&mut search);
        Ok(search)
    }

    /// Lays out the last pass, unless the search of everything, which is there, will do.
    pub(crate) fn lay_out_last(&self, mut whole: AnySearch) -> Result<AnySearch, String> {
        if self.trial_runs.is_some() {
            return self.lay_out();
        }
        self.leave_out(&mut whole);
        Ok(whole)
    }

    /// Leaves out what the passes before have covered.
    pub(crate) fn leave_out(&self, search: &mut AnySearch) {
        for &scope in &self.covered {
            search.leave_out(scope);
        }
    }
}

/// A value on which the test or the invariant failed.
pub(crate) struct Failed {
    pub(crate) wrong: Box<Wrong>,
    /// Its path.
    pub(crate) path: Vec<u32>,
    /// Whether it is valid; otherwise the invariant misbehaved.
    pub(crate) is_valid: bool,
}

/// The result of one thread on a piece of the pass.
struct Seen {
    outcome: Outcome,
    classes: ClassTable,
    end: Result<Stop, Failed>,
}

const NOTHING: Outcome = Outcome { stop: Stop::Interrupted, explored: 0, valid: 0, pruned: 0, audited: 0 };

/// The result of all threads.
pub(crate) struct Total {
    /// The counts. Every valid value was tested.
    pub(crate) outcome: Outcome,
    /// The classes of these values.
    pub(crate) classes: ClassTable,
    pub(crate) failed: Option<Failed>,
}

/// Runs the rest of a pass on several threads. `search` stands where the pass has got to, and continues as one of them;
/// `tick` is called at intervals.
pub(crate) fn run(
    threads: usize,
    (budget, gauge): (&Budget, &Gauge),
    layout: &PassSetup,
    case: &dyn SharedCase,
    search: &mut AnySearch,
    tick: &dyn Fn(&mut AnySearch),
) -> Total {
    let pieces = Pieces::new(usize::MAX);
    pieces.add(Range::default());
    pieces.seal();
    let first = pieces.next(|| {});
    // If planning fails, the search of the first piece fails in the same way.
    let plan = planning::plan(search, threads, &mut || budget.check(gauge).is_some()).ok().flatten();
    let mut helpers: Vec<Helper<'_>> = vec![];
    for _ in 1..threads {
        let (pieces, layout, plan) = (&pieces, layout.clone(), &plan);
        helpers.push(Box::new(move || {
            let (gauge, _guard) = budget.gauge();
            // The same layout worked before, but there may be no memory for another one.
            if let Ok(mut search) = layout.lay_out() {
                if let Some(plan) = plan {
                    search.adopt(plan);
                }
                let case = case.on_thread();
                Worker { pieces, budget, gauge: &gauge, search: &mut search, case, tick: &|_| {} }.work();
            }
        }));
    }
    let mut worker = Worker { pieces: &pieces, budget, gauge, search, case: case.on_thread(), tick };
    let here = Box::new(move || {
        if let Some(first) = first {
            worker.finish(first, &NOTHING, Ok(()));
        }
        worker.work();
    });
    planning::with_helpers(helpers, here);
    sum_up(pieces.into_results(), budget)
}

/// Adds up the results in the order of the search, up to the first failure.
fn sum_up(pieces: impl Iterator<Item = Vec<Seen>>, budget: &Budget) -> Total {
    let mut sum = Outcome { stop: Stop::Exhausted, ..NOTHING };
    let mut classes = ClassTable::default();
    for piece in pieces {
        if piece.is_empty() {
            // The run stopped before a thread began it.
            let limit = if budget.exceeded().is_some() { Limit::Memory } else { Limit::Time };
            sum.stop = Stop::LimitReached(limit);
        }
        for Seen { outcome, classes: covered, end } in piece {
            classes.append(covered);
            sum.explored += outcome.explored;
            sum.valid += outcome.valid;
            sum.pruned += outcome.pruned;
            sum.audited += outcome.audited;
            match end {
                Ok(Stop::Exhausted | Stop::LimitReached(Limit::Position)) => {}
                // Only the last piece can end like this; earlier pieces may have ended otherwise.
                Ok(Stop::OrdersCovered) if sum.stop != Stop::Exhausted => {}
                Ok(stop) => sum.stop = stop,
                Err(failed) => return Total { outcome: sum, classes, failed: Some(failed) },
            }
        }
    }
    Total { outcome: sum, classes, failed: None }
}

/// One of the threads.
struct Worker<'a> {
    pieces: &'a Pieces<Range, Seen>,
    budget: &'a Budget,
    gauge: &'a Gauge,
    search: &'a mut AnySearch,
    case: Box<dyn Case + 'a>,
    tick: &'a dyn Fn(&mut AnySearch),
}

impl Worker<'_> {
    /// Searches one piece after the other.
    fn work(&mut self) {
        while let Some(piece) = self.pieces.next(|| (self.tick)(self.search)) {
            let before = self.search.outcome();
            let Range { start, end } = &piece.work;
            let begun = self.search.start_at(start.as_ref().unwrap_or(&Position::START));
            self.search.until(end.as_ref().unwrap_or(&Position::START));
            self.finish(piece, &before, begun);
        }
    }

    /// Searches a piece from where the search stands, and hands over the result.
    fn finish(&mut self, mut piece: Piece<'_, Range, Seen>, before: &Outcome, begun: Result<(), Error>) {
        let end = match begun {
            Ok(()) => self.search_piece(&mut piece),
            Err(error) => {
                let panic = Panic { message: error.to_string(), place: None };
                Err(self.failed(Wrong::construction(panic), false))
            }
        };
        let cleared = self.clear();
        let end = end.and_then(|stop| cleared.map(|()| stop));
        let after = self.search.outcome();
        let outcome = Outcome {
            stop: after.stop,
            explored: after.explored - before.explored,
            valid: after.valid - before.valid,
            pruned: after.pruned - before.pruned,
            audited: after.audited - before.audited,
        };
        let has_failed = end.is_err();
        piece.hand_over(1, Seen { outcome, classes: self.search.take_classes(), end });
        if has_failed {
            piece.end_here();
        }
    }

    /// Runs the test on every value from where the search stands to the end of the piece.
    fn search_piece(&mut self, piece: &mut Piece<'_, Range, Seen>) -> Result<Stop, Failed> {
        loop {
            if let Some(stop) = self.budget.check(self.gauge) {
                self.pieces.stop();
                return Ok(stop);
            }
            if piece.is_moot() {
                return Ok(Stop::Interrupted);
            }
            (self.tick)(self.search);
            share(piece, self.search);
            match find_next(self.search, &mut |_| ControlFlow::Break(Stop::Interrupted)) {
                Ok(Ok(Found::Valid)) => {
                    let tried = try_value(self.search, &mut *self.case, None);
                    tried.map_err(|wrong| self.failed(wrong, true))?;
                }
                Ok(Ok(Found::Paused)) => {}
                Ok(Ok(Found::End)) => return Ok(self.search.outcome().stop),
                Ok(Err(failure)) => return Err(self.failed(Wrong::invariant(failure), false)),
                Err(caught) => return Err(self.failed(Wrong::construction(caught), false)),
            }
        }
    }

    /// Drops the value that is kept for the next one.
    fn clear(&mut self) -> Result<(), Failed> {
        panics::catch(|| self.case.clear()).map_err(|caught| self.failed(Wrong::construction(caught), false))
    }

    fn failed(&self, wrong: Box<Wrong>, is_valid: bool) -> Failed {
        Failed { wrong, path: self.search.path(), is_valid }
    }
}
