//! The depth-first search over the path, with its layers: one search for the whole structure.
//!
//! The loop ([`find`]) is the published algorithm. The engine ([`crate::heap`]) decides what comes next on the path. Layers
//! decide what becomes of a candidate: the range ends the search; deepening, classes and one value per path pass values over;
//! rechecks and audits look for invariants that misbehave. Each layer owns its data and stands in its own file. A valid
//! path stands for a set of values ([`set`]).

mod audit;
mod classes;
pub(crate) mod conjunct_order;
mod deepening;
pub(crate) mod find;
mod one_per_path;
mod order_types;
mod position;
pub(crate) mod range;
mod recheck;
mod rejections;
pub(crate) mod run;
pub(crate) mod set;
#[cfg_attr(not(feature = "summaries"), path = "depth_first/no_summaries.rs")]
pub(crate) mod summarised;

pub use find::Found;
pub use range::Position;
pub use rejections::Rejection;

use crate::bounds::Bounds;
use crate::build::Build;
use crate::conjuncts::select::Selected;
use crate::error::{Error, Failure, FailureKind};
use crate::guard;
use crate::heap::Heap;
use crate::invariant::{Incomplete, Structure, Verdict};
use crate::layout::Inner;
use crate::link::Builder;
use crate::mirror::root::{Root, ValueType};
use crate::options::{Engine, Options};
use crate::outcome::{Limit, Stop};
use audit::audit;
use classes::ClassLayer;
use conjunct_order::Order;
use deepening::Deepening;
use find::Source;
use one_per_path::OnePerPath;
use range::Range;
use rejections::Rejections;
use run::{Run, Tick};
use set::PathSet;

/// A search over the path of one structure.
pub(crate) struct DepthFirst {
    pub structure: Structure,
    pub options: Options,
    /// What the current path stands for.
    pub set: PathSet,
    pub deepening: Deepening,
    pub sample: OnePerPath,
    pub classes: ClassLayer,
    pub rejections: Rejections,
}

impl DepthFirst {
    /// Lays out the bounded heap.
    pub fn new(
        of: ValueType,
        root: &'static dyn Root,
        bounds: &Bounds,
        options: Options,
    ) -> Result<Self, Error> {
        let heap = Builder::build(root, bounds, options.engine, options.order_types)?;
        heap.configure(options.audit, options.lazy.resume);
        let promises = options.engine.decides_questions() && options.lazy.promises;
        let inner = heap.layout.inner.as_ref();
        let can_wait = |inner: &Inner| inner.can_wait && conjunct_order::can_be_moved(heap.layout);
        heap.state.borrow_mut().conjunctions.parts_first = !inner.is_none_or(can_wait);
        let structure = Structure {
            heap,
            root,
            of,
            engine: options.engine,
            promises,
            selected: None,
            is_decided: false,
            inner,
        };
        Ok(DepthFirst {
            structure,
            options,
            set: PathSet::new(),
            deepening: Deepening::default(),
            sample: OnePerPath::default(),
            classes: ClassLayer::new(options.classes, of)?,
            rejections: Rejections::default(),
        })
    }

    /// The heap, with the path up to date: counting up leaves it behind.
    #[inline]
    pub fn shown(&self) -> &'static Heap {
        self.set.show(self.structure.heap);
        self.structure.heap
    }

    /// From now on, only a part of the invariant runs, and only some parts of the structure exist.
    pub fn select(&mut self, selected: &'static Selected, parts: u64) {
        self.structure.selected = Some(selected);
        self.structure.heap.focus.set(parts);
    }

    /// Sets the order of the conjuncts and of the invariants of parts.
    pub fn run_in(&mut self, order: &Order) {
        order.own.iter().for_each(|own| self.set_order(own.clone()));
        self.set_parts_first(order.parts_first);
    }

    /// Sets the order of the conjuncts of the invariant.
    pub fn set_order(&mut self, order: Vec<u32>) {
        let sites = (self.structure.of.conjuncts)();
        self.structure.heap.state.borrow_mut().conjunctions.set_order(sites, order);
    }

    /// Sets whether the invariants of parts run before that of the whole.
    pub fn set_parts_first(&mut self, parts_first: bool) {
        self.structure.heap.state.borrow_mut().conjunctions.parts_first = parts_first;
    }

    /// Back to the beginning.
    pub fn reset(&mut self) {
        self.set.reset();
        self.structure.heap.state.borrow_mut().close_down_to(0);
        self.sample.is_delivered = false;
        self.classes.keep_all();
    }

    /// Finds the next valid candidate.
    pub fn find_next(
        &mut self,
        run: &mut Run,
        build: &mut Build,
        tick: &mut Tick<'_>,
    ) -> Result<Found, Failure> {
        if self.set.count_on() {
            return Ok(run.found());
        }
        if self.count_up(run) { Ok(Found::Valid) } else { self.search_on(run, build, tick) }
    }

    /// Finds the next valid candidate where counting up does not.
    #[inline]
    pub fn search_on(
        &mut self,
        run: &mut Run,
        build: &mut Build,
        tick: &mut Tick<'_>,
    ) -> Result<Found, Failure> {
        if Range::is_reached(&run.outcome) {
            return Ok(Found::End);
        }
        self.leave(run);
        find::find(self, run, build, tick)
    }

    /// Moves to the next value of the set of the current path, as long as no layer has to look at it.
    #[inline(always)]
    pub fn count_up(&mut self, run: &mut Run) -> bool {
        if self.deepening.is_pass() || self.sample.is_on || run.until_tick <= 1 {
            return false;
        }
        let Some((depth, free)) = self.set.count_up(run.until_tick as u32 - 2) else { return false };
        run.until_tick -= 1 + u64::from(free);
        run.keep(depth);
        run.found();
        true
    }

    /// Gets ready to go on behind the current candidate.
    fn leave(&mut self, run: &mut Run) {
        self.set.show(self.structure.heap);
        run.lose();
        if self.sample.is_done() {
            self.drop_set(run);
        }
    }

    /// Passes over the values behind the current one that belong to the same path.
    pub fn drop_set(&mut self, run: &mut Run) {
        run.lose();
        if let Some(depth) = self.set.close(self.structure.heap) {
            run.keep(depth);
        }
    }

    /// Passes over the values behind the current one that belong to the same path. Returns how many these are; 0 if they are
    /// not easily counted.
    #[inline]
    pub fn skip_set(&mut self, run: &mut Run) -> u64 {
        if self.deepening.is_pass() || self.sample.is_on {
            return 0;
        }
        run.lose();
        self.set.skip(&mut self.shown().state.borrow_mut())
    }

    /// Tells the path and the constraints what was counted up, to go on in another way.
    pub fn settle(&mut self, run: &mut Run) {
        self.note_raised(run);
        self.set.settle(self.structure.heap);
    }

    /// Notes what counting up has changed.
    pub fn note_raised(&mut self, run: &mut Run) {
        if let Some(depth) = self.set.last_raised() {
            run.keep(depth);
        }
    }

    /// Closes everything, to go to a candidate from outside.
    pub fn close_all(&mut self, run: &mut Run) {
        self.shown();
        self.set.reset();
        self.classes.keep_all();
        run.begin_run();
        self.structure.heap.state.borrow_mut().close_down_to(0);
    }

    /// Whether the current candidate runs twice: the first ones do, and then one in so many.
    #[inline]
    fn is_rechecked(&self, run: &Run) -> bool {
        recheck::is_due(self.options.recheck_every, run.outcome.explored)
    }

    /// Runs the invariant. If it holds, opens every reachable slot that it has not read. Does so twice now and then.
    // Without `always`, whether it is inlined into the loop changes with unrelated code, by 3 to 4 % of the instructions.
    #[inline(always)]
    fn run_and_complete(&mut self, run: &mut Run) -> Verdict {
        let verdict = self.run_once(run);
        if self.is_rechecked(run) && matches!(verdict, Verdict::Valid | Verdict::Invalid) {
            return recheck::recheck(self, run, verdict);
        }
        verdict
    }

    /// Runs the invariant. If it holds, opens every reachable slot that it has not read.
    #[inline(always)]
    pub fn run_once(&mut self, run: &mut Run) -> Verdict {
        run.begin_run();
        self.set.reset();
        match self.structure.run() {
            Verdict::Valid if self.options.audit && self.structure.heap.state.borrow().breaks_promise() => {
                let difference = "the invariant accepts a candidate that a comparison in it was taken to rule out; this is \
                                  an error of smallscope's, please report it with the invariant"
                    .into();
                Verdict::Failed(FailureKind::Disagreement { difference })
            }
            Verdict::Valid => {
                let s = self.structure.heap.state.borrow();
                if self.options.engine != Engine::Korat {
                    self.set.accepted = s.path.len();
                }
                self.classes.begin(&s);
                drop(s);
                self.complete_valid(run)
            }
            other => other,
        }
    }

    /// Opens every reachable slot that the invariant has not read; the invariant accepts the candidate.
    pub fn complete_valid(&mut self, run: &Run) -> Verdict {
        self.set.clear();
        let heap = self.structure.heap;
        let classifies = !self.classes.are_ignored();
        if let Some(other) = self.classify(classifies && self.options.engine != Engine::Korat, run) {
            return other;
        }
        let completed = match self.options.order_types {
            true => order_types::complete(self.structure, &mut self.set),
            false => self.structure.complete(),
        };
        match completed {
            Ok(()) if heap.state.borrow().is_ruled_out() => Verdict::DeadEnd,
            Ok(()) => {
                if self.set.is_accepted() && !self.options.order_types {
                    let decided = self.classes.decided(self.set.accepted);
                    // If classes prune, each value is looked at.
                    let with_digits = self.options.lazy.plan && !self.classes.prunes();
                    self.set.begin(&mut heap.state.borrow_mut(), decided, with_digits);
                    self.set.end_at(heap, &run.range.end);
                }
                let is_due = classifies && self.options.engine == Engine::Korat;
                self.classify(is_due, run).unwrap_or(Verdict::Valid)
            }
            Err(Incomplete::DeadEnd) => Verdict::DeadEnd,
            Err(Incomplete::TooDeep) => {
                Verdict::Failed(FailureKind::Unbuildable { why: guard::TOO_DEEP.into() })
            }
        }
    }
}

impl Source for DepthFirst {
    #[inline]
    fn advance(&mut self, run: &mut Run) -> Option<usize> {
        let heap = self.structure.heap;
        self.set.close_keys(heap);
        if self.classes.take_spent() {
            run.keep(self.classes.close_spent(self.structure, &mut self.set));
        }
        self.sample.is_delivered = false;
        let mut s = heap.state.borrow_mut();
        if !std::mem::replace(&mut run.has_begun, true) {
            // Whether the first candidate lies before the end is not known yet.
            run.range.compared = 0;
            return Some(s.path.len().saturating_sub(1));
        }
        let depth = match self.set.next(&mut s) {
            Some(depth) => depth,
            None if s.advance() => s.path.len() - 1,
            None => return None,
        };
        run.keep(depth);
        run.range.compared = depth;
        Some(depth)
    }

    #[inline]
    fn judge(&mut self, kept: usize, run: &mut Run) -> Option<Verdict> {
        if run.range.ends_before(self.structure.heap) {
            return None;
        }
        let is_known = kept >= self.set.accepted;
        let verdict = if !is_known {
            self.run_and_complete(run)
        } else if self.set.is_complete() {
            Verdict::Valid
        } else {
            self.complete_valid(run)
        };
        // The path is longer now.
        if run.range.ends_before(self.structure.heap) {
            return None;
        }
        run.outcome.explored += u64::from(!is_known);
        Some(verdict)
    }

    #[inline]
    fn wants(&mut self, run: &mut Run) -> bool {
        let is_wanted = self.deepening.is_new(self.structure.heap)
            && (self.classes.are_ignored() || self.covers_class(run));
        self.sample.is_delivered = is_wanted;
        is_wanted
    }

    #[inline]
    fn inspect_rejected(&mut self, run: &mut Run, build: &mut Build) -> Result<(), Failure> {
        if self.rejections.are_noted() {
            self.rejections.note(&self.structure.heap.state.borrow());
        }
        self.audit_rejected(run, build)
    }

    fn end_of_space(&self) -> Stop {
        if self.sample.is_on {
            Stop::LimitReached(Limit::OnePerPath)
        } else if self.classes.prunes() {
            Stop::ClassesCovered
        } else if self.options.order_types {
            Stop::OrdersCovered
        } else {
            Stop::Exhausted
        }
    }

    #[cold]
    fn failure(&mut self, kind: FailureKind, run: &mut Run) -> Failure {
        run.outcome.stop = Stop::FirstFailure;
        let heap = self.shown();
        let depth = heap.state.borrow().path.len();
        let candidate = self.structure.candidate();
        heap.state.borrow_mut().close_down_to(depth);
        Failure { kind, candidate }
    }
}

impl DepthFirst {
    /// In audit mode, checks that the real invariant rejects the current candidate, too.
    #[inline]
    pub fn audit_rejected(&mut self, run: &mut Run, build: &mut Build) -> Result<(), Failure> {
        if !self.options.audit {
            return Ok(());
        }
        audit(self.structure, &mut run.outcome, build).map_err(|kind| self.failure(kind, run))
    }

    /// Finds the class of the current candidate if that is due and the class is not known. Returns why the candidate is none.
    #[inline(always)]
    fn classify(&mut self, is_due: bool, run: &Run) -> Option<Verdict> {
        match is_due {
            true => self.classes.classify_unless_known(self.structure, self.is_rechecked(run)),
            false => None,
        }
    }

    /// Notes the class of the current candidate, which is valid. Whether the candidate is delivered.
    #[inline(never)]
    fn covers_class(&mut self, run: &mut Run) -> bool {
        self.classes.count(run.outcome.valid);
        if self.classes.prunes() {
            self.settle(run);
        }
        self.classes.cover(self.structure, run.outcome.valid)
    }
}
