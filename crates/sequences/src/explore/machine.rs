//! Makes calls in states, and linearizes the states that they lead to. It does not know which states were seen.

use std::collections::BTreeSet;
use std::sync::Arc;

use smallscope_support::panics;

use super::Explorer;
use super::abstraction::Matching;
use super::comparison::Omissions;
use super::coverage::Coverage;
use super::history::History;
use crate::context::{CallId, Context, Error, Reply, Values};
use crate::pulse::Beat;
use crate::run::{Checks, Counts, Fault, Oracles, World};
use crate::sink::Sink;

/// What all threads of an exploration share.
#[derive(Clone, Copy)]
pub(super) struct Setting<'e> {
    context: &'e Context,
    matching: &'e Matching<'e>,
    oracles: Oracles<'e>,
    /// Whether states are copied instead of being reached again by their calls.
    copies: bool,
    pub is_exact: bool,
    pub stops_at_failure: bool,
    /// How many of the last calls are a part of the state.
    last_calls: usize,
    omissions: &'e Omissions,
}

pub(super) struct Machine<'e> {
    setting: Setting<'e>,
    checks: Checks<'e>,
    /// The pools that are a part of the state: ours, and those of the reference implementation.
    pools: Vec<u32>,
    gold_pools: Vec<u32>,
    /// The state that calls are tried in.
    base: World,
    path: Vec<CallId>,
    /// A copy of it, in which a call is made.
    scratch: World,
    history: Option<History>,
    sink: Sink,
    beat: Arc<Beat>,
    /// The number of calls begun. It is never reset.
    begun: u64,
    new_targets: Vec<u64>,
    phase: Phase,
    /// Whether clones or oracles reach targets.
    is_noisy: bool,
    pub counts: Counts,
    pub transitions: u64,
}

/// The phases of a call.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// Copies the state that the call is made in.
    Copying,
    /// Makes the call and runs the oracles.
    Calling,
    /// Linearizes the state that it led to.
    Writing,
    /// Drops the values.
    Dropping,
}

/// What a call led to.
pub(super) enum Made {
    /// A state, which is linearized.
    State,
    /// The state that it was made in.
    Same,
    /// Nothing: it could not be made.
    Skipped,
    /// A failure.
    Failed(Box<Fault>),
}

impl<'e> Setting<'e> {
    pub(super) fn new(explorer: &'e Explorer<'_>, omissions: &'e Omissions) -> Setting<'e> {
        let context = explorer.context;
        let is_cloneable = context.is_cloneable() && explorer.options.gold.is_none_or(Context::is_cloneable);
        Setting {
            context,
            matching: &explorer.matching,
            oracles: explorer.options.oracles(),
            copies: is_cloneable && !explorer.replays,
            is_exact: explorer.is_exact,
            stops_at_failure: explorer.options.stops_at_failure,
            last_calls: explorer.last_calls,
            omissions,
        }
    }

    pub(super) fn machine(self) -> Result<Machine<'e>, Error> {
        let pools = self.matching.pools(self.context)?;
        let gold_pools = self.oracles.gold.map(|gold| self.matching.pools(gold)).transpose()?;
        let checks = Checks::new(self.context, self.oracles);
        Ok(Machine {
            setting: self,
            pools,
            gold_pools: gold_pools.unwrap_or_default(),
            base: checks.world(),
            path: vec![],
            scratch: checks.world(),
            beat: checks.beat(),
            begun: 0,
            checks,
            history: History::new(self.context, self.oracles.gold, self.last_calls),
            sink: self.matching.sink(),
            new_targets: vec![],
            phase: Phase::Copying,
            is_noisy: false,
            counts: Counts::default(),
            transitions: 0,
        })
    }

    pub(super) fn calls(&self) -> CallId {
        self.context.calls
    }

    /// Adds parts of values that another process has left out.
    pub(super) fn add_left_out(&self, list: Vec<(String, bool)>) {
        self.omissions.add_list(list);
    }
}

impl Machine<'_> {
    /// The calls that lead to the state.
    pub(super) fn path(&self) -> &[CallId] {
        &self.path
    }

    /// The calls that lead to the state, and one more.
    pub(super) fn path_with(&self, call: CallId) -> Vec<CallId> {
        let mut path = self.path.clone();
        path.push(call);
        path
    }

    /// The calls up to the failure. If a state cannot be copied, the next call is not the cause.
    pub(super) fn failing(&self, call: CallId) -> Vec<CallId> {
        match self.phase {
            Phase::Copying if !self.path.is_empty() => self.path.clone(),
            _ => self.path_with(call),
        }
    }

    /// The linearization of the state that the last call led to.
    pub(super) fn written(&self) -> &[u8] {
        self.sink.bytes()
    }

    /// The values after the last call.
    pub(super) fn values(&self) -> &Values {
        &self.scratch.values
    }

    /// The targets that the last call reached first.
    pub(super) fn take_new_targets(&mut self) -> Option<Vec<u64>> {
        (!self.new_targets.is_empty()).then(|| std::mem::take(&mut self.new_targets))
    }

    /// Linearizes the state before any call.
    pub(super) fn write_first(&mut self) {
        self.write(None);
    }

    /// Goes to a state along a path of calls that were made before.
    pub(super) fn go_along(&mut self, set_path: impl FnOnce(&mut Vec<CallId>)) {
        set_path(&mut self.path);
        self.beat.set_calls(&self.path);
        if self.setting.copies {
            self.base.mark_all();
            reset(&mut self.base, &self.checks);
            self.checks.replay(&self.path, &mut self.base, &self.beat);
            self.beat.rest();
            self.scratch.mark_all();
        }
    }

    /// Continues from the state that the last call led to.
    pub(super) fn go_on(&mut self, call: CallId) {
        self.path.push(call);
        self.beat.set_calls(&self.path);
        if self.setting.copies {
            std::mem::swap(&mut self.base, &mut self.scratch);
            self.scratch.mark_all();
            if panics::catch_silenced(|| self.scratch.clear()).is_err() {
                self.scratch = self.checks.world();
                self.scratch.mark_all();
            }
        }
    }

    /// Drops the values after the last call. Returns the fault of a destructor.
    pub(super) fn drop_values(&mut self, call: CallId) -> Option<Fault> {
        let dropped = panics::catch_silenced(|| self.drop_now(call));
        self.beat.rest();
        dropped.err().map(|panic| {
            self.scratch = self.checks.world();
            self.scratch.mark_all();
            Fault::Panic(*panic)
        })
    }

    /// Makes the calls of a path, without oracles.
    pub(super) fn replay(&mut self, set_path: impl FnOnce(&mut Vec<CallId>)) {
        set_path(&mut self.path);
        self.scratch = self.checks.world();
        self.checks.replay(&self.path, &mut self.scratch, &self.beat);
        self.beat.rest();
        self.scratch.mark_all();
    }

    /// Adds the names of the fields in the values after the last call.
    pub(super) fn name_fields(&self, names: &mut BTreeSet<String>) {
        let World { values, gold } = &self.scratch;
        names.extend(Sink::names_of(|sink| {
            self.setting.matching.write_more(values, &self.pools, sink);
            if let Some(gold) = gold {
                self.setting.matching.write_more(gold, &self.gold_pools, sink);
            }
        }));
    }

    /// Makes a call in the state. If it leads to one, drops the values at once if `drops`: see
    /// [`Machine::drop_values`]. Catching panics once for both is faster.
    pub(super) fn step(
        &mut self,
        call: CallId,
        mut coverage: Option<&mut (dyn Coverage + '_)>,
        drops: bool,
    ) -> Made {
        let mut made = Made::Skipped;
        // By reference, because a debug build would copy what the closure captures at each step on its way.
        let thrown = panics::catch_silenced(&mut || {
            made = match &mut coverage {
                None => self.make(call, None),
                Some(coverage) => self.make(call, Some(&mut **coverage)),
            };
            if drops && matches!(made, Made::State) {
                self.phase = Phase::Dropping;
                match self.setting.copies {
                    // It does not begin anew: the call is still the one that is blamed.
                    true if self.scratch.is_dirty() => self.scratch.clear(),
                    true => {}
                    false => self.scratch.reset(),
                }
            }
        });
        self.beat.rest();
        match thrown {
            Ok(()) => made,
            Err(panic) => self.lost(*panic),
        }
    }

    /// What a panic means that was not in the call itself, so that values may be lost.
    #[cold]
    fn lost(&mut self, panic: panics::Panic) -> Made {
        self.scratch = self.checks.world();
        self.scratch.mark_all();
        Made::Failed(Box::new(match self.phase {
            Phase::Calling | Phase::Dropping => Fault::Panic(panic),
            Phase::Copying | Phase::Writing => Fault::State(panic),
        }))
    }

    /// Drops the values after the last call, if it has changed them.
    fn drop_now(&mut self, call: CallId) {
        match self.setting.copies {
            true if self.scratch.is_dirty() => {
                self.begin(call);
                self.scratch.clear();
            }
            true => {}
            false => {
                self.begin(call);
                self.scratch.reset();
            }
        }
    }

    /// Writes the state after a call, or the one before any call. Writes the state of the reference implementation, too:
    /// otherwise a hidden difference between the two would be matched with a state without it.
    fn write(&mut self, call: Option<CallId>) {
        let Setting { context, matching, omissions, .. } = self.setting;
        let (world, length) = match call {
            Some(_) => (&self.scratch, self.path.len() + 1),
            None => (&self.base, 0),
        };
        let sink = &mut self.sink;
        sink.clear();
        if let Some(history) = &self.history {
            history.write(context, &self.path, call, sink);
        }
        matching.write(&world.values, &self.pools, length, call, sink);
        if let Some(gold) = &world.gold {
            matching.write_more(gold, &self.gold_pools, sink);
        }
        if sink.has_left_out() {
            omissions.add(sink);
        }
    }

    /// Whether a call always leads to another state, even if no value changes.
    fn is_part_of_state(&self, call: CallId) -> bool {
        self.setting.matching.counts_calls()
            || self.history.as_ref().is_some_and(|history| history.has(self.setting.context, call))
    }

    fn make(&mut self, call: CallId, coverage: Option<&mut (dyn Coverage + '_)>) -> Made {
        self.phase = Phase::Copying;
        let context = self.setting.context;
        if context.is_avoiding() && context.avoids(&self.path, call) {
            self.counts.count(Reply::Skipped);
            return Made::Skipped;
        }
        if self.setting.copies {
            // Before any call, there is none to blame.
            match self.path.len() {
                0 => self.begin(call),
                length => {
                    self.begun += 1;
                    self.beat.begin_copy(self.begun, length - 1);
                }
            }
            self.scratch.restore(&self.base);
        } else {
            reset(&mut self.scratch, &self.checks);
            self.checks.replay(&self.path, &mut self.scratch, &self.beat);
        }
        self.begin(call);
        self.phase = Phase::Calling;
        let (reply, fault) = match coverage {
            None => self.checks.call(call, &mut self.scratch),
            Some(coverage) => {
                if self.is_noisy {
                    coverage.discard();
                }
                let mut has_news = false;
                let look = || has_news = coverage.has_news();
                let made = self.checks.call_and_look(call, &mut self.scratch, look);
                if has_news {
                    self.repeat_for_coverage(call, coverage);
                }
                made
            }
        };
        self.phase = Phase::Writing;
        self.counts.count(reply);
        // Patterns, because `==` is a call in a debug build.
        let is_skipped = matches!(reply, Reply::Skipped);
        if !is_skipped {
            self.transitions += 1;
        }
        if let Some(fault) = fault {
            return Made::Failed(fault);
        }
        if is_skipped {
            return Made::Skipped;
        }
        if self.setting.copies && !self.scratch.is_dirty() && !self.is_part_of_state(call) {
            return Made::Same;
        }
        self.write(Some(call));
        Made::State
    }

    #[inline]
    fn begin(&mut self, call: CallId) {
        self.begun += 1;
        self.beat.begin_longer(self.begun, call);
    }

    /// Makes the whole sequence again without clones and oracles, which may have reached the new targets.
    #[cold]
    fn repeat_for_coverage(&mut self, call: CallId, coverage: &mut (dyn Coverage + '_)) {
        if !coverage.discard() {
            return coverage.take_new(&mut self.new_targets);
        }
        let mut world = self.checks.world();
        self.checks.replay(&self.path, &mut world, &self.beat);
        self.begin(call);
        coverage.discard();
        self.setting.context.call(call, &mut world.values);
        coverage.take_new(&mut self.new_targets);
        self.is_noisy |= self.new_targets.is_empty();
    }
}

/// Restores the initial values. After a destructor panicked, the old values are not used again.
fn reset(world: &mut World, checks: &Checks<'_>) {
    if panics::catch_silenced(|| world.reset()).is_err() {
        *world = checks.world();
    }
}
