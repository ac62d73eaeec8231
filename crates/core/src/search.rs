//! The search: run the invariant, deliver or reject, advance the last slot that was read.

mod any;
mod check;
mod classes;
mod combined;
mod deliver;
mod drawing;
mod elsewhere;
mod leaf;
mod order;
mod orders;
mod paths;
mod position;
mod record;
mod run;
mod slots;
mod spread;
mod subject;
mod typed;

pub use any::AnySearch;
pub(crate) use combined::Showing;
pub use deliver::{Hold, Kept, Owned};
pub(crate) use deliver::{Maker, Refused};
pub use drawing::{Drawing, DrawnField, DrawnNode, DrawnValue};
pub use position::Position;
pub use slots::{ReadDescription, Rejection, SlotDescription};
pub use spread::Spread;
pub(crate) use subject::{Root, Subject};
pub use typed::Search;

use crate::bounds::{Bounds, MAX_DEEPENING, WHOLE};
use crate::disjoint::Selected;
use crate::error::{Error, Failure, FailureKind};
use crate::guard;
use crate::heap::{DeadEnd, Heap};
use crate::link::Builder;
use crate::options::{Engine, Options};
use crate::outcome::{Outcome, Stop};
use crate::walk::{TooDeep, Walk};
use classes::Sorting;
use combined::Combined;
use deliver::{Delivery, panic_message};
use leaf::Leaf;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a search does, whatever the type of its values. Every [`Search`] is one.
pub struct SearchCore {
    heap: &'static Heap,
    root: &'static dyn Root,
    subject: Subject,
    options: Options,
    outcome: Outcome,
    started: bool,
    /// Candidates until the caller's `tick` is due.
    until_tick: u64,
    /// How many slots the invariant read when it accepted the current candidate. Those behind were opened to
    /// complete it, and whatever they hold, it will be accepted. [`NO_LEAF`] if it was not accepted, or for engines
    /// that run the invariant on every candidate.
    leaf: usize,
    /// The end of the path of the last valid candidate, as far as the invariant has not decided it.
    rest: Leaf,
    /// Where on the path the keys begin that stand for all in the same order, if the candidate is valid and only one of
    /// them is wanted.
    keys: Option<usize>,
    /// Deliver only what these scopes do not contain, and the whole bounds do.
    left_out: Option<u64>,
    /// Deliver one value of each path only.
    one_per_path: bool,
    /// The current value was delivered.
    is_delivered: bool,
    /// How much of the path is the same as when [`SearchCore::changes`] was called last.
    low: usize,
    /// Where to stop; empty for nowhere.
    end: Vec<u32>,
    /// Where candidates were rejected, if somebody wants to know.
    rejections: Option<Vec<Rejection>>,
    delivery: Delivery,
    sorting: Sorting,
    /// The part of the invariant that is run, if it is not all of it.
    selected: Option<&'static Selected>,
    /// Disjoint parts, if they are searched on their own.
    combined: Option<Box<Combined>>,
}

/// What the search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A valid candidate; [`Search::value`] builds it.
    Valid,
    /// The end: see [`SearchCore::outcome`].
    End,
}

/// What one run of the invariant came to.
enum Verdict {
    Valid,
    Invalid,
    /// There was no object left for a mandatory pointer: not a candidate within the bounds.
    DeadEnd,
    Failed(FailureKind),
}

/// Why not every reachable slot could be opened.
enum Incomplete {
    /// One of them has no choice.
    DeadEnd,
    /// There are too many of them behind each other.
    TooDeep,
}

/// The invariant has not accepted the current candidate.
const NO_LEAF: usize = usize::MAX;

/// Candidates between two calls of the caller's `tick`.
const TICK: u64 = 1024;

impl SearchCore {
    /// Lays out the bounded heap.
    pub(crate) fn new(subject: Subject, bounds: &Bounds, options: Options) -> Result<Self, Error> {
        Self::with_root(subject, (subject.blank)(), bounds, options)
    }

    fn with_root(
        subject: Subject,
        root: &'static dyn Root,
        bounds: &Bounds,
        options: Options,
    ) -> Result<Self, Error> {
        let options = options.settled()?;
        let heap = Builder::build(root, bounds, options.engine == Engine::Korat)?;
        if options.engine == Engine::Lazy {
            heap.make_lazy(options.audit, options.lazy.resume);
        }
        let outcome = Outcome { stop: Stop::Interrupted, explored: 0, valid: 0, pruned: 0, audited: 0 };
        let mut search = SearchCore {
            heap,
            root,
            subject,
            options,
            outcome,
            started: false,
            until_tick: TICK,
            leaf: NO_LEAF,
            rest: Leaf::default(),
            keys: None,
            left_out: None,
            one_per_path: false,
            is_delivered: false,
            low: 0,
            end: vec![],
            rejections: None,
            delivery: Delivery::new(),
            sorting: Sorting::new(options.classes, subject)?,
            selected: None,
            combined: None,
        };
        search.combine(bounds)?;
        if options.engine == Engine::Lazy && options.lazy.order && !search.is_combined() {
            search.choose_order(bounds);
        }
        Ok(search)
    }

    /// The type of the values.
    pub(crate) fn subject(&self) -> Subject {
        self.subject
    }

    /// Does not deliver what a smaller scope contains, because that was delivered before.
    pub fn leave_out(&mut self, scope: u32) {
        assert!(scope <= MAX_DEEPENING, "scope {scope} cannot be told apart from larger ones");
        *self.left_out.get_or_insert(0) |= 1 << scope;
    }

    /// What was seen so far, and why the search stopped if it has.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The size of the space: log2 of the number of candidate vectors.
    pub fn space_bits(&self) -> f64 {
        let s = self.heap.state.borrow();
        (0..s.slots.len() as u32).map(|i| (s.choices(i).max(1) as f64).log2()).sum()
    }

    /// Number of slots of the bounded heap.
    pub fn slot_count(&self) -> usize {
        self.heap.state.borrow().slots.len()
    }

    /// The field of every slot, and how many choices it has: equal for structures whose candidates mean the same.
    pub fn slots(&self) -> Vec<(String, u64)> {
        let s = self.heap.state.borrow();
        (0..s.slots.len() as u32).map(|i| (s.label(i), s.choices(i))).collect()
    }

    /// Searches on for the next valid candidate. `tick` is called now and then and may stop the search.
    #[inline]
    pub fn find_next(
        &mut self,
        tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
    ) -> Result<Found, Failure> {
        if self.rest.count_on() {
            self.outcome.valid += 1;
            self.delivery.found();
            return Ok(Found::Valid);
        }
        self.count_up_or_search(tick)
    }

    #[inline(never)]
    fn count_up_or_search(
        &mut self,
        tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
    ) -> Result<Found, Failure> {
        if self.next_in_plan() { Ok(Found::Valid) } else { self.search_on(tick) }
    }

    #[inline(never)]
    fn search_on(&mut self, tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>) -> Result<Found, Failure> {
        if self.is_combined() {
            return self.next_combination(tick);
        }
        if self.is_at_end() {
            return Ok(Found::End);
        }
        self.rest.show(self.heap);
        self.delivery.lost();
        self.leave_path();
        loop {
            self.until_tick -= 1;
            if self.until_tick == 0 {
                self.until_tick = TICK;
                if let ControlFlow::Break(stop) = tick(&self.outcome) {
                    self.outcome.stop = stop;
                    return Ok(Found::End);
                }
            }
            let is_first = !self.started;
            let Some(depth) = self.next_candidate() else {
                self.outcome.stop = self.end_of_space();
                return Ok(Found::End);
            };
            self.is_delivered = false;
            // Whether the first one lies before the end is not known yet.
            let checked = if is_first { 0 } else { depth };
            if let Some(end) = self.stop_at_end(checked) {
                return Ok(end);
            }
            let is_known = depth >= self.leaf;
            let verdict = if !is_known {
                self.run_and_complete()
            } else if self.rest.is_complete() {
                Verdict::Valid
            } else {
                self.complete_valid()
            };
            if let Some(end) = self.stop_at_end(checked) {
                return Ok(end);
            }
            self.outcome.explored += u64::from(!is_known);
            match verdict {
                Verdict::Valid if self.is_new() && self.covers_class() => {
                    self.outcome.valid += 1;
                    self.delivery.found();
                    self.is_delivered = true;
                    return Ok(Found::Valid);
                }
                Verdict::Valid => {}
                Verdict::DeadEnd => self.outcome.pruned += 1,
                Verdict::Invalid => {
                    if self.options.audit || self.rejections.is_some() {
                        self.note_rejection();
                        self.audit()?;
                    }
                }
                Verdict::Failed(kind) => return Err(self.failure(kind)),
            }
        }
    }

    /// Goes on with the values of a plan, as long as nothing else has to be looked at.
    #[inline(always)]
    fn next_in_plan(&mut self) -> bool {
        if self.left_out.is_some() || self.one_per_path || self.until_tick <= 1 {
            return false;
        }
        let Some((depth, free)) = self.rest.count_up(self.until_tick as u32 - 2) else { return false };
        self.until_tick -= 1 + u64::from(free);
        self.low = self.low.min(depth);
        self.outcome.valid += 1;
        self.delivery.found();
        true
    }

    /// Lets the store and the path know what was counted up, to go on in another way.
    fn settle_rest(&mut self) {
        self.note_raised();
        self.rest.settle(self.heap);
    }

    /// Takes note of what counting up has changed.
    fn note_raised(&mut self) {
        if let Some(depth) = self.rest.last_raised() {
            self.low = self.low.min(depth);
        }
    }

    /// The heap, with the path as it should be: counting up leaves it behind.
    #[inline]
    fn heap(&self) -> &'static Heap {
        self.rest.show(self.heap);
        self.show_current();
        self.heap
    }

    /// Searches on, unless the search has come to its end before.
    fn find_next_value(&mut self) -> Result<Found, Failure> {
        if matches!(self.outcome.stop, Stop::Exhausted | Stop::ClassesCovered | Stop::OrdersCovered) {
            return Ok(Found::End);
        }
        self.find_next(&mut |_| ControlFlow::Continue(()))
    }

    /// Searches to the end, without visiting all values.
    fn count_all(&mut self) -> Result<Outcome, Failure> {
        while self.find_next(&mut |_| ControlFlow::Continue(()))? == Found::Valid {
            self.outcome.valid += self.skip_rest();
        }
        Ok(self.outcome)
    }

    /// Back to the beginning, with nothing counted.
    fn reset(&mut self) {
        self.delivery.lost();
        self.rest.clear();
        self.keys = None;
        self.heap().state.borrow_mut().close_down_to(0);
        self.outcome = Outcome { stop: Stop::Interrupted, explored: 0, valid: 0, pruned: 0, audited: 0 };
        (self.started, self.is_delivered) = (false, false);
        (self.until_tick, self.leaf, self.low) = (TICK, NO_LEAF, 0);
        self.sorting.forgive();
    }

    /// Goes to the next candidate, and says how much of the path it has in common with the one before.
    #[inline]
    fn next_candidate(&mut self) -> Option<usize> {
        self.close_keys();
        self.drop_spent();
        let mut s = self.heap.state.borrow_mut();
        if !self.started {
            self.started = true;
            return Some(s.path.len().saturating_sub(1));
        }
        let depth = match self.rest.next(&mut s) {
            Some(depth) => depth,
            None if s.advance() => s.path.len() - 1,
            None => return None,
        };
        self.low = self.low.min(depth);
        Some(depth)
    }

    /// Runs the invariant; if it holds, opens every reachable slot that it has not read. Now and then, does so
    /// twice.
    #[inline]
    fn run_and_complete(&mut self) -> Verdict {
        let verdict = self.run_and_complete_once();
        if self.is_rechecked() && matches!(verdict, Verdict::Valid | Verdict::Invalid) {
            return self.recheck(verdict);
        }
        verdict
    }

    #[inline]
    fn run_and_complete_once(&mut self) -> Verdict {
        self.delivery.next_run();
        self.leaf = NO_LEAF;
        self.keys = None;
        self.rest.clear();
        match self.run() {
            Verdict::Valid if self.options.audit && self.heap.state.borrow().breaks_promise() => {
                let difference = "the invariant accepts a candidate that a comparison in it was taken to rule out; this is \
                                  an error of smallscope's, please report it with the invariant"
                    .into();
                Verdict::Failed(FailureKind::Disagreement { difference })
            }
            Verdict::Valid => {
                if self.options.engine != Engine::Korat {
                    self.leaf = self.heap.state.borrow().path.len();
                }
                self.begin_class();
                self.complete_valid()
            }
            other => other,
        }
    }

    /// Opens every reachable slot that the invariant has not read; it accepts the candidate.
    fn complete_valid(&mut self) -> Verdict {
        self.rest.clear();
        if let Some(other) = self.classify_open() {
            return other;
        }
        let completed = if self.options.order_types { self.complete_in_order() } else { self.complete() };
        match completed {
            Ok(()) if self.heap.state.borrow().is_ruled_out() => Verdict::DeadEnd,
            Ok(()) => {
                if self.leaf != NO_LEAF && !self.options.order_types {
                    self.rest.note(&mut self.heap.state.borrow_mut(), self.decided(), self.may_count_up());
                    self.rest.end_at(self.heap, &self.end);
                }
                self.classify_complete().unwrap_or(Verdict::Valid)
            }
            Err(Incomplete::DeadEnd) => Verdict::DeadEnd,
            Err(Incomplete::TooDeep) => {
                Verdict::Failed(FailureKind::Unbuildable { why: guard::TOO_DEEP.into() })
            }
        }
    }

    /// Opens every reachable slot.
    fn complete(&self) -> Result<(), Incomplete> {
        let walked = self.catching_dead_ends(|| match self.heap.complete_without_walk() {
            true => Ok(()),
            false => Walk::complete(self.heap, self.root),
        });
        walked.ok_or(Incomplete::DeadEnd)?.map_err(|TooDeep| Incomplete::TooDeep)
    }

    fn catching_dead_ends<R>(&self, f: impl FnOnce() -> R) -> Option<R> {
        catching_dead_ends(f)
    }

    fn is_new(&self) -> bool {
        self.left_out.is_none_or(|left_out| {
            let scopes = self.heap().state.borrow().scopes();
            scopes & (left_out | 1 << WHOLE) == 1 << WHOLE
        })
    }

    #[cold]
    fn failure(&mut self, kind: FailureKind) -> Failure {
        self.outcome.stop = Stop::FirstFailure;
        let depth = self.heap().state.borrow().path.len();
        let candidate = self.candidate();
        self.heap().state.borrow_mut().close_down_to(depth);
        Failure { kind, candidate }
    }
}

fn catching_dead_ends<R>(f: impl FnOnce() -> R) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(r) => Some(r),
        Err(thrown) if thrown.is::<DeadEnd>() => None,
        Err(thrown) => std::panic::resume_unwind(thrown),
    }
}
