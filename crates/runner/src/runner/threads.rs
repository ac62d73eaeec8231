//! A pass on several threads.
//!
//! A pass begins on one thread, and most end there. When it takes longer, its range is cut into pieces, in the order of
//! the search, and threads search them and run the test on what they find. A thread that is out of work gets the
//! later part of somebody's piece. Values are built and tested where they are found, so their types need not be
//! `Send`. The first failure in the order of the search is the one that is reported, as if there were one thread:
//! pieces behind a failure are given up, pieces before it are searched to their end.

use super::budget::Budget;
use super::case::{Case, LayOut, SharedCase};
use super::trial::{Wrong, caught_lay_out, try_value};
use smallscope_core::{AnySearch, Bounds, ClassTable, Found, Limit, Options, Outcome, Position, Stop};
use smallscope_support::panics::{self, Panic};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A pass that takes no longer stays on its thread.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// How to lay out the search of a pass once more.
#[derive(Clone)]
pub(crate) struct Layout {
    pub(crate) new: LayOut,
    pub(crate) bounds: Bounds,
    pub(crate) options: Options,
    /// The scope of the pass, if it is not the last one.
    pub(crate) within: Option<u32>,
    /// The scopes of the passes before it.
    pub(crate) covered: Vec<u32>,
}

impl Layout {
    pub(crate) fn lay_out(&self) -> Result<AnySearch, String> {
        let mut search = caught_lay_out(self.new, &self.bounds, self.within, self.options)?;
        self.covered.iter().for_each(|&scope| search.leave_out(scope));
        Ok(search)
    }
}

/// A value on which something went wrong.
pub(crate) struct Failed {
    pub(crate) wrong: Box<Wrong>,
    /// Its path.
    pub(crate) path: Vec<u32>,
    /// It is valid; otherwise the invariant misbehaved.
    pub(crate) is_valid: bool,
}

/// A piece of the pass.
struct Piece {
    start: Position,
    end: Option<Position>,
    /// What was seen in it, when it is closed.
    outcome: Outcome,
    classes: ClassTable,
    result: Option<Result<Stop, Failed>>,
}

/// The pieces.
#[derive(Default)]
struct Board {
    pieces: Vec<Piece>,
    /// In the order of the search.
    order: Vec<usize>,
    unbegun: Vec<usize>,
    /// Threads that have a piece.
    working: usize,
}

const NOTHING: Outcome = Outcome { stop: Stop::Interrupted, explored: 0, valid: 0, pruned: 0, audited: 0 };

impl Board {
    fn add(&mut self, behind: Option<usize>, start: Position, end: Option<Position>) -> usize {
        let id = self.pieces.len();
        let classes = ClassTable::default();
        self.pieces.push(Piece { start, end, outcome: NOTHING, classes, result: None });
        let place = behind.and_then(|behind| self.order.iter().position(|&id| id == behind));
        self.order.insert(place.map_or(0, |place| place + 1), id);
        id
    }

    /// The earliest piece that nobody has begun.
    fn take(&mut self) -> Option<usize> {
        let first = self.order.iter().find_map(|id| self.unbegun.iter().position(|other| other == id))?;
        self.working += 1;
        Some(self.unbegun.swap_remove(first))
    }

    /// Whether something before a piece has failed.
    fn is_moot(&self, id: usize) -> bool {
        let failed = |&id: &usize| matches!(self.pieces[id].result, Some(Err(_)));
        self.order.iter().take_while(|&&other| other != id).any(failed)
    }
}

/// What the threads share.
struct Crew<'a> {
    board: Mutex<Board>,
    /// Something on the board has changed.
    news: Condvar,
    budget: &'a Budget,
    idle: AtomicUsize,
    has_failed: AtomicBool,
    /// The time is up.
    is_over: AtomicBool,
}

/// What all threads together have come to.
pub(crate) struct Together {
    /// Every valid value was tested.
    pub(crate) outcome: Outcome,
    /// The classes of these values.
    pub(crate) classes: ClassTable,
    pub(crate) failed: Option<Failed>,
}

/// Runs the rest of a pass on several threads. `search` stands where the pass has come to, and goes on as one of them;
/// `tick` hears about it now and then.
pub(crate) fn run(
    threads: usize,
    budget: &Budget,
    layout: &Layout,
    case: &dyn SharedCase,
    search: &mut AnySearch,
    tick: &dyn Fn(&Outcome),
) -> Together {
    let crew = Crew {
        board: Mutex::default(),
        news: Condvar::new(),
        budget,
        idle: AtomicUsize::new(0),
        has_failed: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
    };
    let first = {
        let mut board = crew.lock();
        board.working = 1;
        board.add(None, Position::START, None)
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let (crew, layout) = (&crew, layout.clone());
            scope.spawn(move || {
                // It was laid out before, so it can be.
                if let Ok(mut search) = layout.lay_out() {
                    Worker { crew, search: &mut search, case: case.on_thread(), tick: &|_| {} }.work();
                }
            });
        }
        let mut worker = Worker { crew: &crew, search, case: case.on_thread(), tick };
        let result = worker.search_piece(first);
        let cleared = worker.clear();
        let result = result.and_then(|stop| cleared.map(|()| stop));
        let classes = worker.search.take_classes();
        crew.close(first, worker.search.outcome(), classes, result);
        worker.work();
    });
    crew.together()
}

impl Crew<'_> {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, id: usize, outcome: Outcome, classes: ClassTable, result: Result<Stop, Failed>) {
        let mut board = self.lock();
        if result.is_err() {
            self.has_failed.store(true, Ordering::Relaxed);
        }
        board.pieces[id].outcome = outcome;
        board.pieces[id].classes = classes;
        board.pieces[id].result = Some(result);
        board.working -= 1;
        self.news.notify_all();
    }

    /// Why to leave a piece, if so.
    fn stop(&self, id: usize) -> Option<Stop> {
        if let Some(stop) = self.budget.check_time() {
            self.is_over.store(true, Ordering::Relaxed);
            return Some(stop);
        }
        let is_moot = self.has_failed.load(Ordering::Relaxed) && self.lock().is_moot(id);
        is_moot.then_some(Stop::Interrupted)
    }

    /// Sums up in the order of the search, to the first failure.
    fn together(self) -> Together {
        let mut board = self.board.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut sum = Outcome { stop: Stop::Exhausted, ..NOTHING };
        let mut classes = ClassTable::default();
        for id in std::mem::take(&mut board.order) {
            let Piece { outcome, result, classes: covered, .. } = &mut board.pieces[id];
            classes.append(std::mem::take(covered));
            sum.explored += outcome.explored;
            sum.valid += outcome.valid;
            sum.pruned += outcome.pruned;
            sum.audited += outcome.audited;
            match result.take() {
                Some(Ok(Stop::Exhausted | Stop::LimitReached(Limit::Position))) => {}
                // It is the end of the last piece, and says nothing about the others.
                Some(Ok(Stop::OrdersCovered)) if sum.stop != Stop::Exhausted => {}
                Some(Ok(stop)) => sum.stop = stop,
                Some(Err(failed)) => return Together { outcome: sum, classes, failed: Some(failed) },
                // Nobody has begun it, because the time was up.
                None => sum.stop = Stop::LimitReached(Limit::Time),
            }
        }
        Together { outcome: sum, classes, failed: None }
    }
}

/// One of the threads.
struct Worker<'a> {
    crew: &'a Crew<'a>,
    search: &'a mut AnySearch,
    case: Box<dyn Case + 'a>,
    tick: &'a dyn Fn(&Outcome),
}

impl Worker<'_> {
    /// Takes one piece after the other.
    fn work(&mut self) {
        while let Some(id) = self.next_piece() {
            let before = self.search.outcome();
            let (start, end) = {
                let piece = &self.crew.lock().pieces[id];
                (piece.start.clone(), piece.end.clone())
            };
            let result = match self.search.start_at(&start) {
                Ok(()) => {
                    self.search.until(end.as_ref().unwrap_or(&Position::START));
                    self.search_piece(id)
                }
                Err(error) => {
                    let caught = Panic { message: error.to_string(), place: None };
                    Err(self.failed(Wrong::construction(caught), false))
                }
            };
            let cleared = self.clear();
            let result = result.and_then(|stop| cleared.map(|()| stop));
            let after = self.search.outcome();
            let outcome = Outcome {
                stop: after.stop,
                explored: after.explored - before.explored,
                valid: after.valid - before.valid,
                pruned: after.pruned - before.pruned,
                audited: after.audited - before.audited,
            };
            let classes = self.search.take_classes();
            self.crew.close(id, outcome, classes, result);
        }
    }

    /// Waits for a piece; none when nobody has one that could be split.
    fn next_piece(&self) -> Option<usize> {
        let mut board = self.crew.lock();
        self.crew.idle.fetch_add(1, Ordering::Relaxed);
        let piece = loop {
            if self.crew.is_over.load(Ordering::Relaxed) {
                break None;
            }
            if let Some(id) = board.take() {
                break Some(id);
            }
            if board.working == 0 {
                break None;
            }
            (self.tick)(&self.search.outcome());
            let waited = self.crew.news.wait_timeout(board, Duration::from_millis(50));
            board = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        self.crew.idle.fetch_sub(1, Ordering::Relaxed);
        self.crew.news.notify_all();
        piece
    }

    /// Runs the test on every value from where the search stands to the end of the piece.
    fn search_piece(&mut self, id: usize) -> Result<Stop, Failed> {
        loop {
            if let Some(stop) = self.crew.stop(id) {
                return Ok(stop);
            }
            (self.tick)(&self.search.outcome());
            if self.crew.idle.load(Ordering::Relaxed) > 0 {
                self.give_away(id);
            }
            let found =
                panics::catch(|| self.search.find_next(&mut |_| ControlFlow::Break(Stop::Interrupted)));
            match found {
                Ok(Ok(Found::Valid)) => {
                    let tried = try_value(self.search, &mut *self.case);
                    tried.map_err(|wrong| self.failed(wrong, true))?;
                }
                Ok(Ok(Found::Paused)) => {}
                Ok(Ok(Found::End)) => return Ok(self.search.outcome().stop),
                Ok(Err(failure)) => return Err(self.failed(Wrong::invariant(failure), false)),
                Err(caught) => return Err(self.failed(Wrong::construction(caught), false)),
            }
        }
    }

    /// Drops what was kept for the next value.
    fn clear(&mut self) -> Result<(), Failed> {
        panics::catch(|| self.case.clear()).map_err(|caught| self.failed(Wrong::construction(caught), false))
    }

    /// Puts the later part of the piece on the board.
    fn give_away(&mut self, id: usize) {
        let Some(cut) = self.search.split() else { return };
        let mut board = self.crew.lock();
        let end = board.pieces[id].end.replace(cut.clone());
        let new = board.add(Some(id), cut, end);
        board.unbegun.push(new);
        self.crew.news.notify_all();
    }

    fn failed(&self, wrong: Box<Wrong>, is_valid: bool) -> Failed {
        Failed { wrong, path: self.search.path(), is_valid }
    }
}
