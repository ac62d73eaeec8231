//! One step of an exploration in any order: makes a call in a state, checks it, and finds the state that it leads to.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use smallscope_support::memory::{self, Meter};

use super::OnState;
use super::coverage::{Coverage, Suite, Witness};
use super::machine::{Machine, Made, Setting};
use super::states::{StateId, States};
use crate::context::{CallId, Error};
use crate::outcome::{Limit, Stop};
use crate::run::Fault;
use crate::test::Test;

/// The current state of an exploration, and what it has found.
pub(super) struct Walker<'e> {
    pub setting: Setting<'e>,
    pub machine: Machine<'e>,
    pub limits: Limits<'e>,
    base_id: StateId,
    pub states: States,
    pub suite: Suite,
    pub failures: Vec<(Vec<CallId>, Fault)>,
    pub listeners: Listeners<'e>,
    deadline: Option<Instant>,
    meter: Meter,
    /// The number of states at which the room for their sequences is checked next, if they are kept.
    next_room: Cell<usize>,
    /// Whether there was no room for them.
    lacks_room: Cell<bool>,
    /// Whether the values after a call are dropped at once instead of being used for the next call.
    pub drops_values: bool,
}

/// When to stop.
#[derive(Clone, Copy)]
pub(super) struct Limits<'e> {
    pub length: usize,
    pub states: u64,
    pub budget: Option<Duration>,
    pub memory: memory::Limit,
    /// Whether memory is needed for a sequence per state at the end.
    pub keeps_sequences: bool,
    pub interrupt: Option<&'e AtomicBool>,
}

/// What observes an exploration, on the thread that began it.
pub(super) struct Listeners<'e> {
    pub coverage: Option<&'e mut dyn Coverage>,
    pub on_state: Option<Box<OnState<'e>>>,
}

/// Where a call led.
pub(super) enum Step {
    /// To a state, perhaps a new one.
    To { id: StateId, is_new: bool },
    /// To no state: it could not be made.
    Skipped,
    /// To a failure.
    Failed,
}

/// The number of calls between two looks at the clock.
const PATIENCE: u64 = 1024;

/// The fewest states between two checks of the room for their sequences.
const ROOM_FOR: usize = 1 << 14;

impl<'e> Walker<'e> {
    pub(super) fn new(
        setting: Setting<'e>,
        limits: Limits<'e>,
        listeners: Listeners<'e>,
    ) -> Result<Self, Error> {
        let mut machine = setting.machine()?;
        machine.write_first();
        let mut states = States::new(setting.is_exact);
        states.insert(machine.written(), 0, 0);
        Ok(Walker {
            setting,
            machine,
            limits,
            base_id: 0,
            states,
            suite: Suite {
                total: listeners.coverage.as_ref().and_then(|coverage| coverage.total()),
                ..Suite::default()
            },
            failures: vec![],
            listeners,
            deadline: limits.budget.and_then(|budget| Instant::now().checked_add(budget)),
            meter: Meter::new(limits.memory),
            next_room: Cell::new(if limits.keeps_sequences { ROOM_FOR } else { usize::MAX }),
            lacks_room: Cell::new(false),
            drops_values: true,
        })
    }

    pub(super) fn calls(&self) -> CallId {
        self.setting.calls()
    }

    /// Goes to a state by the calls that led to it.
    pub(super) fn go_to(&mut self, id: StateId) {
        self.machine.go_along(|path| self.states.path(id, path));
        self.base_id = id;
    }

    /// Goes to the state at the end of a path.
    pub(super) fn go_along(&mut self, calls: &[CallId], id: StateId) {
        self.machine.go_along(|path| {
            path.clear();
            path.extend_from_slice(calls);
        });
        self.base_id = id;
    }

    /// Continues from the state that the last call led to.
    pub(super) fn go_on(&mut self, call: CallId, id: StateId) {
        self.machine.go_on(call);
        self.base_id = id;
    }

    /// Makes a call in the state.
    pub(super) fn step(&mut self, call: CallId) -> Step {
        // Destructors are a part of the test.
        let drops_at_once = self.drops_values && self.listeners.on_state.is_none();
        let made = match &mut self.listeners.coverage {
            None => self.machine.step(call, None, drops_at_once),
            Some(coverage) => {
                let made = self.machine.step(call, Some(&mut **coverage), drops_at_once);
                if let Some(targets) = self.machine.take_new_targets() {
                    self.witness(self.machine.path_with(call), targets, self.machine.transitions);
                }
                made
            }
        };
        match made {
            Made::Skipped => Step::Skipped,
            Made::Same => Step::To { id: self.base_id, is_new: false },
            Made::Failed(fault) => {
                self.machine.drop_values(call);
                self.fail(call, *fault)
            }
            Made::State => {
                if let Some(on_state) = &mut self.listeners.on_state {
                    if self.states.find(self.machine.written()).is_err() {
                        on_state(self.machine.values(), self.machine.path().len() + 1);
                    }
                }
                if self.drops_values && !drops_at_once {
                    if let Some(fault) = self.machine.drop_values(call) {
                        return self.fail(call, fault);
                    }
                }
                let (id, is_new) = self.states.insert(self.machine.written(), self.base_id, call);
                Step::To { id, is_new }
            }
        }
    }

    #[cold]
    fn fail(&mut self, call: CallId, fault: Fault) -> Step {
        self.failures.push((self.machine.failing(call), fault));
        Step::Failed
    }

    /// Records a sequence that was the first to reach some targets.
    #[cold]
    pub(super) fn witness(&mut self, path: Vec<CallId>, targets: Vec<u64>, transitions: u64) {
        let names =
            self.listeners.coverage.as_ref().map_or(vec![], |coverage| {
                targets.iter().filter_map(|target| coverage.name(*target)).collect()
            });
        self.suite.witnesses.push(Witness { test: Test::of(&path), targets, names, transitions });
    }

    /// The reason to stop, if there is one.
    pub(super) fn stop(&self) -> Option<Stop> {
        // Patterns in place of adapters, which are calls in a debug build.
        if !self.failures.is_empty() && self.setting.stops_at_failure {
            return Some(Stop::FirstFailure);
        }
        if self.states.len() as u64 >= self.limits.states {
            return Some(Stop::LimitReached(Limit::States));
        }
        if self.is_interrupted() {
            return Some(Stop::Interrupted);
        }
        if self.is_over_memory(&self.states) {
            return Some(Stop::LimitReached(Limit::Memory));
        }
        if self.machine.counts.calls % PATIENCE == 0 && self.is_late() {
            return Some(Stop::LimitReached(Limit::Time));
        }
        None
    }

    /// Whether the caller requested a stop.
    pub(super) fn is_interrupted(&self) -> bool {
        match self.limits.interrupt {
            Some(flag) => flag.load(Ordering::Relaxed),
            None => false,
        }
    }

    /// Whether the memory limit is reached, with these states. Most calls only count.
    pub(super) fn is_over_memory(&self, states: &States) -> bool {
        self.meter.is_over() || (states.len() >= self.next_room.get() && self.lacks_room(states))
    }

    /// Whether there is no room for the sequences of these states.
    #[cold]
    fn lacks_room(&self, states: &States) -> bool {
        self.next_room.set(states.len() + (states.len() / 8).max(ROOM_FOR));
        self.lacks_room.set(!self.limits.memory.has_room(bytes_of_sequences(states)));
        self.lacks_room.get()
    }

    /// Describes how the memory limit was reached, if it was.
    pub(super) fn exceeded(&self) -> Option<String> {
        if self.lacks_room.get() {
            let bytes = memory::approximate(bytes_of_sequences(&self.states));
            return Some(format!("the sequences that are kept, one for each state, take up to {bytes}"));
        }
        self.meter.exceeded().map(|exceeded| exceeded.to_string())
    }

    /// Whether the time limit is reached.
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The memory that the sequences of these states take, if none is longer than the last.
fn bytes_of_sequences(states: &States) -> u64 {
    let mut path = vec![];
    states.path(states.len() as StateId - 1, &mut path);
    // The allocator needs about two words for each.
    let each = size_of::<Test>() + size_of_val(&*path) + 16;
    (states.len() * each) as u64
}
