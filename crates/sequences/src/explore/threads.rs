//! Breadth first on several threads, with the same report as on one.
//!
//! The states of a level are cut into pieces. Threads make the calls in the states of a piece, and write down what they
//! found: which states are not in the table, in order. Only then the table gets them, piece after piece: so numbers, parents
//! and witnesses are those that one thread would have found. While threads work, nobody changes the table.
//!
//! A piece in which something ends the exploration, a failure or the last state that is allowed, is thrown away and done
//! again by the thread that has begun the exploration. So there is one place that decides when to stop.

use std::any::Any;
use std::collections::HashSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};

use super::breadth;
use super::coverage::Coverage;
use super::machine::{Machine, Made, Setting};
use super::states::{StateId, States};
use super::walker::Walker;
use crate::context::CallId;
use crate::outcome::{Limit, Stop};
use crate::quiet;
use crate::run::{Counts, Fault};
use crate::stack;

/// Calls in a piece: some ten microseconds are enough to pay for handing it out.
const CALLS_PER_PIECE: u32 = 512;

/// Pieces between two changes of the table, for each thread.
const PIECES_PER_ROUND: usize = 64;

/// Threads that are not started yet.
pub(super) struct Threads<'e> {
    number: usize,
    setting: Setting<'e>,
    forks: Vec<Option<Box<dyn Coverage + Send>>>,
}

/// Threads that wait for work.
pub(super) struct Team<'s> {
    workers: Vec<Sender<Round>>,
    table: &'s RwLock<States>,
    results: Receiver<Done>,
    /// What is in the suite already.
    known: HashSet<u64>,
}

/// Some states, cut into pieces.
#[derive(Clone)]
struct Round {
    states: Range<StateId>,
    /// States in a piece.
    piece: u32,
    /// The next piece that nobody has begun.
    next: Arc<AtomicUsize>,
}

/// A piece that is done, or the panic that has ended its thread.
type Done = (usize, Result<Piece, Box<dyn Any + Send>>);

/// What was found in a piece.
#[derive(Default)]
struct Piece {
    states: Range<StateId>,
    candidates: Vec<Candidate>,
    /// Their linearizations, one after the other, if states are compared exactly.
    bytes: Vec<u8>,
    counts: Counts,
    transitions: u64,
    reached: Vec<Reached>,
    failures: Vec<(Vec<CallId>, Fault)>,
}

/// A state that is not in the table.
struct Candidate {
    fingerprint: u128,
    parent: StateId,
    call: CallId,
    /// Where its linearization ends.
    end: usize,
}

/// A call has reached something that its thread had not seen.
struct Reached {
    path: Vec<CallId>,
    targets: Vec<u64>,
    /// Transitions in the piece up to it.
    transitions: u64,
}

impl<'e> Threads<'e> {
    /// Several threads, if they are wanted, and if each can have its own account of what it reaches.
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
        let table = RwLock::new(States::new(false));
        let (sender, results) = channel();
        std::thread::scope(|scope| {
            let mut workers = Vec::with_capacity(self.number);
            for fork in self.forks {
                let (worker, rounds) = channel::<Round>();
                let (table, sender, setting) = (&table, sender.clone(), self.setting);
                let work = move || quiet::silently(|| work(setting, fork, &rounds, table, &sender));
                stack::thread().spawn_scoped(scope, work).expect("a thread can be started");
                workers.push(worker);
            }
            // They end when the team is dropped.
            explore(&mut Team { workers, table: &table, results, known: HashSet::new() })
        })
    }
}

impl Team<'_> {
    /// Makes every call in each of some states.
    pub(super) fn expand(&mut self, walker: &mut Walker<'_>, states: Range<StateId>) -> Option<Stop> {
        let piece = (CALLS_PER_PIECE / walker.calls().max(1)).max(1);
        if states.len() <= piece as usize {
            return breadth::expand(walker, states);
        }
        let in_round = piece as usize * PIECES_PER_ROUND * self.workers.len();
        let starts = states.clone().step_by(in_round);
        for start in starts {
            let end = start.saturating_add(in_round as StateId).min(states.end);
            let pieces = self.round(walker, Round { states: start..end, piece, next: Arc::default() });
            for piece in pieces {
                let stop = self.merge(walker, piece);
                if stop.is_some() {
                    return stop;
                }
            }
        }
        None
    }

    /// Lets the threads do the pieces of a round. Returns them in order.
    fn round(&mut self, walker: &mut Walker<'_>, round: Round) -> Vec<Piece> {
        let pieces = round.states.len().div_ceil(round.piece as usize);
        std::mem::swap(&mut *write(self.table), &mut walker.states);
        for worker in &self.workers {
            worker.send(round.clone()).expect("a thread waits until there is no more work");
        }
        let mut done: Vec<Option<Piece>> = (0..pieces).map(|_| None).collect();
        for _ in 0..pieces {
            match self.results.recv().expect("a thread waits until there is no more work") {
                (number, Ok(piece)) => done[number] = Some(piece),
                (_, Err(panic)) => resume_unwind(panic),
            }
        }
        std::mem::swap(&mut *write(self.table), &mut walker.states);
        done.into_iter().flatten().collect()
    }

    /// The table gets what was found in a piece.
    fn merge(&mut self, walker: &mut Walker<'_>, piece: Piece) -> Option<Stop> {
        let ends_here = !piece.failures.is_empty() && walker.setting.stops_at_failure;
        let may_fill = walker.states.len() + piece.candidates.len();
        if ends_here || may_fill as u64 >= walker.limits.states {
            return breadth::expand(walker, piece.states);
        }
        for reached in piece.reached {
            self.witness(walker, reached);
        }
        walker.machine.counts.add(piece.counts);
        walker.machine.transitions += piece.transitions;
        walker.failures.extend(piece.failures);
        let mut start = 0;
        for Candidate { fingerprint, parent, call, end } in piece.candidates {
            let bytes = &piece.bytes[start..end];
            start = end;
            let (_, is_new) = walker.states.insert_hashed(fingerprint, bytes, parent, call);
            if is_new && let Some(on_state) = &mut walker.listeners.on_state {
                let id = (walker.states.len() - 1) as StateId;
                walker.machine.replay(|path| walker.states.path(id, path));
                on_state(walker.machine.store(), walker.machine.path().len());
            }
        }
        if walker.is_interrupted() {
            return Some(Stop::Interrupted);
        }
        walker.is_late().then_some(Stop::LimitReached(Limit::Time))
    }

    /// Keeps what nobody has reached before, in the order of one thread.
    fn witness(&mut self, walker: &mut Walker<'_>, reached: Reached) {
        // Also what was reached without threads, where a level was small.
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

/// What a thread does.
fn work(
    setting: Setting<'_>,
    mut coverage: Option<Box<dyn Coverage + Send>>,
    rounds: &Receiver<Round>,
    table: &RwLock<States>,
    results: &Sender<Done>,
) {
    let mut machine = setting.machine().expect("the first machine had no problem either");
    if let Some(coverage) = &mut coverage {
        coverage.begin();
    }
    while let Ok(Round { states, piece, next }) = rounds.recv() {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(start) = states.clone().nth(number * piece as usize) else { break };
            let part = start..start.saturating_add(piece).min(states.end);
            let done = catch_unwind(AssertUnwindSafe(|| {
                let coverage = coverage.as_deref_mut().map(|coverage| coverage as &mut dyn Coverage);
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                expand(setting, &mut machine, coverage, &table, part)
            }));
            if results.send((number, done)).is_err() {
                return;
            }
        }
    }
}

/// Makes every call in each of some states.
fn expand(
    setting: Setting<'_>,
    machine: &mut Machine<'_>,
    mut coverage: Option<&mut (dyn Coverage + '_)>,
    table: &States,
    states: Range<StateId>,
) -> Piece {
    let mut piece = Piece { states: states.clone(), ..Piece::default() };
    machine.counts = Counts::default();
    machine.transitions = 0;
    'states: for parent in states {
        machine.go_along(|path| table.path(parent, path));
        for call in 0..setting.calls() {
            let made = machine.step(call, coverage.as_deref_mut());
            if let Some(targets) = machine.take_new_targets() {
                let (path, transitions) = (machine.path_with(call), machine.transitions);
                piece.reached.push(Reached { path, targets, transitions });
            }
            match made {
                Made::Same | Made::Skipped => {}
                Made::Failed(fault) => {
                    piece.failures.push((machine.path_with(call), fault));
                    if setting.stops_at_failure {
                        break 'states;
                    }
                }
                Made::State => {
                    if let Err(fingerprint) = table.find(machine.written()) {
                        if setting.is_exact {
                            piece.bytes.extend_from_slice(machine.written());
                        }
                        let end = piece.bytes.len();
                        piece.candidates.push(Candidate { fingerprint, parent, call, end });
                    }
                }
            }
        }
    }
    piece.counts = machine.counts;
    piece.transitions = machine.transitions;
    piece
}

fn write(table: &RwLock<States>) -> impl std::ops::DerefMut<Target = States> {
    table.write().unwrap_or_else(PoisonError::into_inner)
}
