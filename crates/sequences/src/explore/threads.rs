//! Breadth first on several threads, with the same report as on one.
//!
//! The states of a level are cut into pieces. Threads make the calls in the states of a piece, and write down what they
//! found: which states are not in the table, in order. One more thread puts these into the table, piece after piece, while the others
//! go on: so numbers, parents and witnesses are those that one thread would have found. What a thread has seen of the table decides
//! only how much it writes down in vain.
//!
//! A piece in which something ends the exploration, a failure or the last state that is allowed, is thrown away and done
//! again by the thread that has begun the exploration. So there is one place that decides when to stop.

use std::any::Any;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

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

/// Threads that wait for work.
pub(super) struct Team<'s> {
    workers: Vec<Sender<Round>>,
    table: &'s RwLock<States>,
    results: Receiver<Done>,
    /// What is in the suite already.
    known: HashSet<u64>,
    /// Whether pieces were thrown away, so that what they have reached is as if it were not.
    begins_anew: bool,
}

/// Some states, cut into pieces.
#[derive(Clone)]
struct Round {
    states: Range<StateId>,
    /// States in a piece.
    piece: u32,
    /// The next piece that nobody has begun.
    next: Arc<AtomicUsize>,
    /// Whether what was reached up to now is to be forgotten.
    begins_anew: bool,
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
        let (sender, results) = sync_channel(PIECES_IN_QUEUE * self.number);
        std::thread::scope(|scope| {
            let mut workers = Vec::with_capacity(self.number);
            for fork in self.forks {
                let (worker, rounds) = channel::<Round>();
                let (table, sender, setting) = (&table, sender.clone(), self.setting);
                let work = move || panics::silently(|| work(setting, fork, &rounds, table, &sender));
                stack::thread().spawn_scoped(scope, work).expect("a thread can be started");
                workers.push(worker);
            }
            // They end when the team is dropped.
            explore(&mut Team { workers, table: &table, results, known: HashSet::new(), begins_anew: false })
        })
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
            std::mem::swap(&mut *write(self.table), &mut walker.states);
            let begins_anew = std::mem::take(&mut self.begins_anew);
            let round = Round { states: states.clone(), piece, next: Arc::default(), begins_anew };
            let broken = self.share(walker, round);
            std::mem::swap(&mut *write(self.table), &mut walker.states);
            match broken {
                None => return None,
                Some(Break::Stop(stop)) => return Some(stop),
                Some(Break::Ends(last)) => {
                    states.start = last.end;
                    self.begins_anew = true;
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
    fn share(&mut self, walker: &mut Walker<'_>, round: Round) -> Option<Break> {
        for worker in &self.workers {
            worker.send(round.clone()).expect("a thread waits until there is no more work");
        }
        let mut pieces = round.states.len().div_ceil(round.piece as usize);
        let mut early = BTreeMap::new();
        let mut next = 0;
        let mut broken = None;
        for received in 0.. {
            if received == pieces {
                break;
            }
            match self.results.recv().expect("a thread waits until there is no more work") {
                (number, Ok(piece)) => early.insert(number, piece),
                (_, Err(panic)) => resume_unwind(panic),
            };
            while broken.is_none()
                && let Some(piece) = early.remove(&next)
            {
                next += 1;
                broken = self.merge(walker, piece);
                if broken.is_some() {
                    // Those that were begun are finished, in vain.
                    pieces = round.next.swap(pieces, Ordering::Relaxed).min(pieces);
                }
            }
        }
        broken
    }

    /// The table gets what was found in a piece.
    fn merge(&mut self, walker: &mut Walker<'_>, piece: Piece) -> Option<Break> {
        let ends_here = !piece.failures.is_empty() && walker.setting.stops_at_failure;
        let known = read(self.table).len();
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
            let table = read(self.table);
            for id in known..table.len() {
                walker.machine.replay(|path| table.path(id as StateId, path));
                on_state(walker.machine.store(), walker.machine.path().len());
            }
        }
        if walker.is_interrupted() {
            return Some(Break::Stop(Stop::Interrupted));
        }
        walker.is_late().then_some(Break::Stop(Stop::LimitReached(Limit::Time)))
    }

    fn insert(&self, is_exact: bool, candidates: &[Candidate], bytes: &[u8]) {
        if is_exact {
            let mut table = write(self.table);
            let mut start = 0;
            for Candidate { fingerprint, parent, call, end } in candidates {
                table.insert_hashed(*fingerprint, &bytes[start..*end], *parent, *call);
                start = *end;
            }
            return;
        }
        let mut table = read(self.table);
        for Candidate { fingerprint, parent, call, .. } in candidates {
            if !table.insert_beside_readers(*fingerprint, *parent, *call) {
                // The others have to let go of it for a moment.
                drop(table);
                write(self.table).insert_hashed(*fingerprint, &[], *parent, *call);
                table = read(self.table);
            }
        }
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
    fork: Option<Box<dyn Coverage + Send>>,
    rounds: &Receiver<Round>,
    table: &RwLock<States>,
    results: &SyncSender<Done>,
) {
    let mut machine = setting.machine().expect("the first machine had no problem either");
    let mut coverage = None;
    while let Ok(Round { states, piece, next, begins_anew }) = rounds.recv() {
        if coverage.is_none() || begins_anew {
            coverage = fork.as_ref().and_then(|fork| fork.fork());
            coverage.iter_mut().for_each(|coverage| coverage.begin());
        }
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(start) = states.clone().nth(number * piece as usize) else { break };
            let part = start..start.saturating_add(piece).min(states.end);
            let done = catch_unwind(AssertUnwindSafe(|| {
                let coverage = coverage.as_deref_mut().map(|coverage| coverage as &mut dyn Coverage);
                let table = read(table);
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
            // Destructors are a part of the test.
            let fault = match made {
                Made::Same | Made::Skipped => continue,
                Made::Failed(fault) => {
                    machine.let_go(call);
                    Some(fault)
                }
                Made::State => machine.let_go(call),
            };
            if let Some(fault) = fault {
                piece.failures.push((machine.failing(call), fault));
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

fn read(table: &RwLock<States>) -> RwLockReadGuard<'_, States> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(table: &RwLock<States>) -> RwLockWriteGuard<'_, States> {
    table.write().unwrap_or_else(PoisonError::into_inner)
}
