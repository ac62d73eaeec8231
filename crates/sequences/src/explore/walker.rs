//! One step of an exploration, whichever its order is: a call in a state, what is wrong after it, and which state that is.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::Explorer;
use super::coverage::{Suite, Witness};
use super::states::{StateId, States};
use crate::context::{CallId, Context, Error, Reply};
use crate::outcome::{Limit, Stop};
use crate::quiet;
use crate::run::{Checks, Counts, Fault, World};
use crate::sink::Sink;
use crate::test::Test;

/// Where an exploration is, and what it has found.
pub(super) struct Walker<'e, 'a> {
    explorer: &'e mut Explorer<'a>,
    checks: Checks<'e>,
    /// The pools that are a part of the state: ours, and those of the reference implementation.
    pools: Vec<u32>,
    gold_pools: Vec<u32>,
    /// Whether states are copied, rather than reached again by their calls.
    copies: bool,
    /// The state that calls are tried in.
    base: World,
    base_id: StateId,
    path: Vec<CallId>,
    /// Where they are tried.
    scratch: World,
    sink: Sink,
    pub states: States,
    pub counts: Counts,
    pub transitions: u64,
    pub suite: Suite,
    new_targets: Vec<u64>,
    pub failures: Vec<(Vec<CallId>, Fault)>,
    deadline: Option<Instant>,
}

/// Where a call led.
pub(super) enum Step {
    /// To a state, perhaps a new one.
    To { id: StateId, is_new: bool },
    /// Nowhere: it could not be made.
    Skipped,
    /// To a failure.
    Failed,
}

/// How many transitions there are between looks at the clock.
const PATIENCE: u64 = 1024;

impl<'e, 'a> Walker<'e, 'a> {
    pub(super) fn new(explorer: &'e mut Explorer<'a>, checks: Checks<'e>) -> Result<Self, Error> {
        let context = explorer.context;
        let pools = explorer.matching.pools(context)?;
        let gold_pools =
            explorer.gold.map(|gold| explorer.matching.pools(gold)).transpose()?.unwrap_or_default();
        let is_cloneable = context.is_cloneable() && explorer.gold.is_none_or(Context::is_cloneable);
        let mut walker = Walker {
            pools,
            gold_pools,
            copies: is_cloneable && !explorer.replays,
            base: checks.world(),
            base_id: 0,
            path: vec![],
            scratch: checks.world(),
            checks,
            sink: explorer.matching.sink(),
            states: States::new(explorer.is_exact),
            counts: Counts::default(),
            transitions: 0,
            suite: Suite::default(),
            new_targets: vec![],
            failures: vec![],
            deadline: explorer.budget.map(|budget| Instant::now() + budget),
            explorer,
        };
        walker.explorer.matching.write(&walker.base.store, &walker.pools, 0, None, &mut walker.sink);
        walker.write_gold(false);
        walker.states.insert(walker.sink.bytes(), 0, 0);
        Ok(walker)
    }

    pub(super) fn calls(&self) -> CallId {
        self.explorer.context.calls
    }

    pub(super) fn max_length(&self) -> usize {
        self.explorer.max_length
    }

    /// Goes to a state by the calls that led to it. Nothing new happens on the way.
    pub(super) fn go_to(&mut self, id: StateId) {
        let mut path = std::mem::take(&mut self.path);
        self.states.path(id, &mut path);
        self.path = path;
        self.base_id = id;
        self.start();
    }

    /// Goes to the state at the end of a path.
    pub(super) fn go_along(&mut self, path: &[CallId], id: StateId) {
        self.path.clear();
        self.path.extend_from_slice(path);
        self.base_id = id;
        self.start();
    }

    /// Goes on from the state that the last call led to.
    pub(super) fn go_on(&mut self, call: CallId, id: StateId) {
        self.path.push(call);
        self.base_id = id;
        if self.copies {
            std::mem::swap(&mut self.base, &mut self.scratch);
            self.scratch.mark_all();
        }
    }

    fn start(&mut self) {
        if self.copies {
            self.base.mark_all();
            if quiet::catch(|| self.base.reset()).is_err() {
                // A destructor: what it left behind is not to be used.
                self.base = self.checks.world();
            }
            self.checks.replay(&self.path, &mut self.base);
            self.scratch.mark_all();
        }
    }

    /// Makes a call in the state.
    pub(super) fn step(&mut self, call: CallId) -> Step {
        let made = quiet::catch(|| self.make(call));
        let reply = match made {
            Ok(Ok(reply)) => reply,
            Ok(Err(fault)) => return self.fail(call, fault),
            Err(panic) => {
                // In a clone or a destructor, so values may be lost.
                self.scratch = self.checks.world();
                self.scratch.mark_all();
                return self.fail(call, Fault::Panic(panic));
            }
        };
        if reply == Reply::Skipped {
            return Step::Skipped;
        }
        self.cover(call);
        if self.copies && !self.scratch.is_dirty() && !self.explorer.matching.counts_calls() {
            return Step::To { id: self.base_id, is_new: false };
        }
        let length = self.path.len() + 1;
        self.explorer.matching.write(&self.scratch.store, &self.pools, length, Some(call), &mut self.sink);
        self.write_gold(true);
        let (id, is_new) = self.states.insert(self.sink.bytes(), self.base_id, call);
        if is_new && let Some(on_state) = &mut self.explorer.on_state {
            on_state(&self.scratch.store, length);
        }
        Step::To { id, is_new }
    }

    /// The state of the reference implementation is a part of the state: otherwise states in which the two differ, but
    /// do not show it yet, would be taken for others.
    fn write_gold(&mut self, is_scratch: bool) {
        let world = if is_scratch { &self.scratch } else { &self.base };
        if let Some(gold) = &world.gold {
            self.explorer.matching.write_more(gold, &self.gold_pools, &mut self.sink);
        }
    }

    fn make(&mut self, call: CallId) -> Result<Reply, Fault> {
        if self.copies {
            self.scratch.restore(&self.base);
        } else {
            self.scratch.reset();
            self.checks.replay(&self.path, &mut self.scratch);
        }
        let (reply, fault) = self.checks.call(call, &mut self.scratch);
        self.counts.count(reply);
        self.transitions += u64::from(reply != Reply::Skipped);
        fault.map_or(Ok(reply), Err)
    }

    fn fail(&mut self, call: CallId, fault: Fault) -> Step {
        self.cover(call);
        let mut path = self.path.clone();
        path.push(call);
        self.failures.push((path, fault));
        Step::Failed
    }

    fn cover(&mut self, call: CallId) {
        let Some(coverage) = &mut self.explorer.coverage else { return };
        coverage.take_new(&mut self.new_targets);
        if !self.new_targets.is_empty() {
            let mut path = self.path.clone();
            path.push(call);
            let targets = std::mem::take(&mut self.new_targets);
            self.suite.witnesses.push(Witness {
                test: Test::of(&path),
                targets,
                transitions: self.transitions,
            });
        }
    }

    /// Whether there is a reason to stop.
    pub(super) fn stop(&self) -> Option<Stop> {
        if !self.failures.is_empty() && self.explorer.stops_at_failure {
            return Some(Stop::FirstFailure);
        }
        if self.states.len() as u64 >= self.explorer.max_states {
            return Some(Stop::LimitReached(Limit::States));
        }
        if self.explorer.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        let is_late = |deadline| self.counts.calls.is_multiple_of(PATIENCE) && Instant::now() >= deadline;
        self.deadline.is_some_and(is_late).then_some(Stop::LimitReached(Limit::Time))
    }
}
