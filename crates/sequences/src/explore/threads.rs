//! Breadth first on several threads, with the same report as on one.
//!
//! The states of a level are cut into pieces. Threads make the calls in the states of a piece, and note the states that
//! are not in the table, in order. The thread that began the exploration puts these into the table, piece by piece, while
//! the others go on: so numbers, parents and witnesses are those that one thread would have found. How much of the table
//! a thread has seen decides only how many states it notes in vain.
//!
//! A piece in which something ends the exploration, a failure or the last state that is allowed, is dropped and done
//! again by the thread that began the exploration. So one place decides when to stop.

use std::any::Any;
use std::collections::HashSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::task::Poll;

use smallscope_support::ordered::{Numbers, Pieces};
use smallscope_support::panics;

use super::breadth;
use super::coverage::Coverage;
use super::machine::{Machine, Made, Setting};
use super::states::{StateId, States};
use super::walker::Walker;
use crate::context::CallId;
use crate::outcome::{Limit, Stop};
use crate::run::{Counts, Fault};
use crate::stack;

/// Calls in a piece: less than a millisecond is enough to pay for handing it out.
const CALLS_PER_PIECE: u32 = 1024;

/// Pieces that may wait for the table, for each thread.
const PIECES_IN_QUEUE: usize = 32;

/// Threads that are not started yet.
pub(super) struct Threads<'e> {
    number: usize,
    setting: Setting<'e>,
    forks: Vec<Option<Box<dyn Coverage + Send>>>,
}

/// Threads that wait for work. They end when this is dropped.
pub(super) struct Team<'s> {
    shared: &'s Shared,
    /// What is in the suite already.
    known: HashSet<u64>,
}

/// What the threads share.
struct Shared {
    table: RwLock<States>,
    /// Pieces of a level, by the numbers of their states.
    pieces: Pieces<Numbers, Result<Piece, Thrown>>,
    /// How often pieces were dropped. What they reached is forgotten, so that it is reached again.
    restarts: AtomicUsize,
}

/// The panic that has ended a piece.
type Thrown = Box<dyn Any + Send>;

/// What was found in a piece.
#[derive(Default)]
pub(super) struct Piece {
    /// The states in which calls were made.
    pub states: Range<StateId>,
    pub candidates: Vec<Candidate>,
    /// Their linearizations, one after the other, if states are compared exactly.
    pub bytes: Vec<u8>,
    pub counts: Counts,
    pub transitions: u64,
    reached: Vec<Reached>,
    pub failures: Vec<(Vec<CallId>, Fault)>,
    /// The state and the call of each failure.
    pub failing: Vec<(StateId, CallId)>,
}

/// A state that is not in the table.
pub(super) struct Candidate {
    pub fingerprint: u128,
    pub parent: StateId,
    pub call: CallId,
    /// Where its linearization ends.
    pub end: usize,
}

/// A call reached targets that its thread had not seen.
struct Reached {
    path: Vec<CallId>,
    targets: Vec<u64>,
    /// The transitions in the piece up to the call.
    transitions: u64,
}

impl<'e> Threads<'e> {
    /// Several threads, if more than one is requested and each can have its own record of coverage.
    pub(super) fn of(walker: &Walker<'e>, number: usize) -> Option<Threads<'e>> {
        if number < 2 {
            return None;
        }
        let forks = match &walker.listeners.coverage {
            None => (0..number).map(|_| None).collect(),
            Some(coverage) => (0..number).map(|_| coverage.fork().map(Some)).collect::<Option<_>>()?,
        };
        Some(Threads { number, setting: walker.setting, forks })
    }

    pub(super) fn run<R>(self, explore: impl FnOnce(&mut Team<'_>) -> R) -> R {
        let shared = Shared {
            table: RwLock::new(States::new(false)),
            pieces: Pieces::new(PIECES_IN_QUEUE * self.number),
            restarts: AtomicUsize::new(0),
        };
        std::thread::scope(|scope| {
            // Before the first thread starts: if one cannot be started, the others end.
            let mut team = Team { shared: &shared, known: HashSet::new() };
            for fork in self.forks {
                let (shared, setting) = (&shared, self.setting);
                let work = move || panics::silently(|| shared.work(setting, fork));
                stack::thread().spawn_scoped(scope, work).expect("a thread can be started");
            }
            explore(&mut team)
        })
    }
}

impl Drop for Team<'_> {
    fn drop(&mut self) {
        self.shared.pieces.stop();
    }
}

/// Why the pieces of a level were not all put into the table.
enum Break {
    Stop(Stop),
    /// Something in these states ends the exploration.
    Ends(Range<StateId>),
}

impl Team<'_> {
    /// Makes every call in each of some states.
    pub(super) fn expand(&mut self, walker: &mut Walker<'_>, mut states: Range<StateId>) -> Option<Stop> {
        let piece = (CALLS_PER_PIECE / walker.calls().max(1)).max(1);
        while states.len() > piece as usize {
            std::mem::swap(&mut *self.shared.write(), &mut walker.states);
            let broken = self.share(walker, states.clone(), piece);
            std::mem::swap(&mut *self.shared.write(), &mut walker.states);
            match broken {
                None => return None,
                Some(Break::Stop(stop)) => return Some(stop),
                Some(Break::Ends(last)) => {
                    states.start = last.end;
                    self.shared.restarts.fetch_add(1, Ordering::Relaxed);
                    let stop = breadth::expand(walker, last);
                    if stop.is_some() {
                        return stop;
                    }
                }
            }
        }
        breadth::expand(walker, states)
    }

    /// Lets the threads do the pieces of a level, and puts what they find into the table in order.
    fn share(&mut self, walker: &mut Walker<'_>, states: Range<StateId>, piece: u32) -> Option<Break> {
        let pieces = &self.shared.pieces;
        pieces.add(Numbers { range: states.start.into()..states.end.into(), piece: piece.into() });
        loop {
            match pieces.result() {
                Poll::Pending => {}
                Poll::Ready(None) => return None,
                Poll::Ready(Some(Err(thrown))) => resume_unwind(thrown),
                Poll::Ready(Some(Ok(piece))) => {
                    let broken = self.merge(walker, piece);
                    if broken.is_some() {
                        // Pieces that are begun are finished in vain: their threads need the table.
                        pieces.abandon();
                        return broken;
                    }
                }
            }
        }
    }

    /// Puts what was found in a piece into the table.
    fn merge(&mut self, walker: &mut Walker<'_>, piece: Piece) -> Option<Break> {
        let ends_here = !piece.failures.is_empty() && walker.setting.stops_at_failure;
        let known = self.shared.read().len();
        let may_fill = known + piece.candidates.len();
        if ends_here || may_fill as u64 >= walker.limits.states {
            return Some(Break::Ends(piece.states));
        }
        for reached in piece.reached {
            self.witness(walker, reached);
        }
        walker.machine.counts.add(piece.counts);
        walker.machine.transitions += piece.transitions;
        walker.failures.extend(piece.failures);
        self.insert(walker.setting.is_exact, &piece.candidates, &piece.bytes);
        if let Some(on_state) = &mut walker.listeners.on_state {
            let table = self.shared.read();
            for id in known..table.len() {
                walker.machine.replay(|path| table.path(id as StateId, path));
                on_state(walker.machine.values(), walker.machine.path().len());
            }
        }
        if walker.is_interrupted() {
            return Some(Break::Stop(Stop::Interrupted));
        }
        if walker.is_over_memory(&self.shared.read()) {
            return Some(Break::Stop(Stop::LimitReached(Limit::Memory)));
        }
        walker.is_late().then_some(Break::Stop(Stop::LimitReached(Limit::Time)))
    }

    fn insert(&self, is_exact: bool, candidates: &[Candidate], bytes: &[u8]) {
        if is_exact {
            let mut table = self.shared.write();
            let mut start = 0;
            for Candidate { fingerprint, parent, call, end } in candidates {
                table.insert_hashed(*fingerprint, &bytes[start..*end], *parent, *call);
                start = *end;
            }
            return;
        }
        let mut table = self.shared.read();
        for Candidate { fingerprint, parent, call, .. } in candidates {
            if !table.insert_beside_readers(*fingerprint, *parent, *call) {
                // The other threads must release it for a moment.
                drop(table);
                self.shared.write().insert_hashed(*fingerprint, &[], *parent, *call);
                table = self.shared.read();
            }
        }
    }

    /// Keeps the targets that are new, in the order of one thread.
    fn witness(&mut self, walker: &mut Walker<'_>, reached: Reached) {
        // Includes targets that were reached without threads, in small levels.
        self.known.extend(walker.suite.witnesses.iter().flat_map(|witness| &witness.targets));
        let targets: Vec<u64> =
            reached.targets.into_iter().filter(|target| self.known.insert(*target)).collect();
        if targets.is_empty() {
            return;
        }
        if let Some(coverage) = &mut walker.listeners.coverage {
            coverage.add(&targets);
        }
        walker.witness(reached.path, targets, walker.machine.transitions + reached.transitions);
    }
}

impl Shared {
    /// Does pieces until the exploration ends.
    fn work(&self, setting: Setting<'_>, fork: Option<Box<dyn Coverage + Send>>) {
        let mut machine = None;
        let mut coverage = None;
        let mut restarts = None;
        while let Some(piece) = self.pieces.next(|| {}) {
            let done = catch_unwind(AssertUnwindSafe(|| {
                let machine = machine.get_or_insert_with(|| {
                    setting.machine().expect("the first machine had no problem either")
                });
                let now = self.restarts.load(Ordering::Relaxed);
                if restarts.replace(now) != Some(now) {
                    coverage = fork.as_ref().and_then(|fork| fork.fork());
                    coverage.iter_mut().for_each(|coverage| coverage.begin());
                }
                let coverage = coverage.as_deref_mut().map(|coverage| coverage as &mut dyn Coverage);
                let Range { start, end } = piece.work.range;
                let states = start as StateId..end as StateId;
                expand(setting, machine, coverage, &self.read(), states, || false)
            }));
            piece.hand_over(1, done);
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, States> {
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, States> {
        self.table.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes every call in each of some states, until the caller stops it.
pub(super) fn expand(
    setting: Setting<'_>,
    machine: &mut Machine<'_>,
    mut coverage: Option<&mut (dyn Coverage + '_)>,
    table: &States,
    states: Range<StateId>,
    is_stopped: impl Fn() -> bool,
) -> Piece {
    let mut piece = Piece { states: states.clone(), ..Piece::default() };
    machine.counts = Counts::default();
    machine.transitions = 0;
    'states: for parent in states {
        if is_stopped() {
            piece.states.end = parent;
            break;
        }
        machine.go_along(|path| table.path(parent, path));
        for call in 0..setting.calls() {
            // Destructors are a part of the test.
            let made = machine.step(call, coverage.as_deref_mut(), true);
            if let Some(targets) = machine.take_new_targets() {
                let (path, transitions) = (machine.path_with(call), machine.transitions);
                piece.reached.push(Reached { path, targets, transitions });
            }
            let fault = match made {
                Made::Same | Made::Skipped => continue,
                Made::Failed(fault) => {
                    machine.drop_values(call);
                    Some(fault)
                }
                Made::State => None,
            };
            if let Some(fault) = fault {
                piece.failures.push((machine.failing(call), *fault));
                piece.failing.push((parent, call));
                if setting.stops_at_failure {
                    break 'states;
                }
                continue;
            }
            if let Err(fingerprint) = table.find(machine.written()) {
                if setting.is_exact {
                    piece.bytes.extend_from_slice(machine.written());
                }
                let end = piece.bytes.len();
                piece.candidates.push(Candidate { fingerprint, parent, call, end });
            }
        }
    }
    piece.counts = machine.counts;
    piece.transitions = machine.transitions;
    piece
}
