//! Classes in the search: each valid candidate is given to `eq_class`, and what that reads is noted.
//!
//! The engines that complete candidates by themselves (`owned`, `lazy`) run it before they do: then it is `eq_class` that
//! opens slots and decides questions next, as if it were a part of the invariant, and everything that is opened later
//! makes no difference to the class. `korat` runs it on the complete candidate, as published.
//!
//! To prune is to close the path as far as the class does not depend on it. That is found out by trying: the last step is
//! taken off, and `eq_class` is run on what is left, which must not be opened further. If it comes to an end all the same,
//! it has not looked at the step; all values that agree on the steps before it are in the same class. For slots that are
//! read by value this comes down to the published rule, "advance the last field that `eqClass` has read". Where the steps
//! of `eq_class` come behind those of the invariant, it goes through all of them, and one value is delivered for each class
//! that the same steps of the invariant lead to.

use super::{NO_LEAF, SearchCore, Subject, Verdict, panic_message};
use crate::ask;
use crate::eq_class::{ClassTable, CoveredClass};
use crate::error::{Error, Failure, FailureKind};
use crate::guard;
use crate::heap::{Closed, DeadEnd, Guide, State, Strayed};
use crate::key;
use crate::options::{Classes, Engine};
use std::any::Any;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the search knows about classes.
pub(super) struct Sorting {
    mode: Classes,
    /// There is an `eq_class`, and it is wanted.
    classifies: bool,
    /// How many steps the invariant and `eq_class` have taken.
    end: usize,
    /// How many answers there were when `eq_class` began.
    log: usize,
    /// The class of the current candidate: its fingerprint, and its text if it is new.
    class: u128,
    label: Option<String>,
    table: ClassTable,
    /// Where the class of the last value is in the table, and how many values there were before it.
    current: Option<(usize, u64)>,
    /// How many values the table had from before, and how many this search had delivered then.
    from: (u64, u64),
    /// A value stands for all that have its class for the same reason, so these are passed over.
    is_spent: bool,
    /// The classes of values for which the invariant has taken the same steps.
    covered_here: Vec<u128>,
}

impl Sorting {
    pub(super) fn new(mode: Classes, subject: Subject) -> Result<Self, Error> {
        let classifies = mode != Classes::Ignored;
        if classifies && !(subject.has_classes)() {
            return Err(Error::NoClasses { of: (subject.name)().into() });
        }
        Ok(Sorting {
            mode,
            classifies,
            end: 0,
            log: 0,
            class: 0,
            label: None,
            table: ClassTable::default(),
            current: None,
            from: (0, 0),
            is_spent: false,
            covered_here: vec![],
        })
    }

    /// Values are passed over.
    pub(super) fn prunes(&self) -> bool {
        matches!(self.mode, Classes::Pruned | Classes::One)
    }

    /// What is known about the current candidate, while it is run again for other reasons than to go on.
    pub(super) fn set_aside(&mut self) -> Vec<u128> {
        std::mem::take(&mut self.covered_here)
    }

    /// Puts that back.
    pub(super) fn put_back(&mut self, covered_here: Vec<u128>) {
        self.covered_here = covered_here;
    }

    /// Nothing is passed over.
    pub(super) fn forgive(&mut self) {
        self.is_spent = false;
    }

    /// Whether a value of the current class is wanted.
    fn is_wanted(&mut self) -> bool {
        match self.mode {
            Classes::One => self.table.place(self.class).is_none(),
            Classes::Pruned if self.covered_here.contains(&self.class) => false,
            Classes::Pruned => {
                self.covered_here.push(self.class);
                true
            }
            _ => true,
        }
    }
}

/// What has come of `eq_class`, if it was no class.
type Thrown = Box<dyn Any + Send>;

impl SearchCore {
    /// The classes of the values that were delivered so far.
    ///
    /// They are counted if [`Options::classes`](crate::Options::classes) says so.
    pub fn classes(&mut self) -> &ClassTable {
        self.count_class();
        &self.sorting.table
    }

    /// The same, for another search to go on with.
    pub fn take_classes(&mut self) -> ClassTable {
        self.count_class();
        self.sorting.current = None;
        self.sorting.from = (0, self.outcome.valid);
        std::mem::take(&mut self.sorting.table)
    }

    /// Goes on with classes that were covered before.
    pub fn go_on_with_classes(&mut self, table: ClassTable) {
        self.sorting.from = (table.delivered(), self.outcome.valid);
        self.sorting.table = table;
    }

    /// The class of the current candidate, which the invariant has to accept, as text; none if classes are ignored.
    pub fn class(&mut self) -> Result<Option<String>, Failure> {
        if !self.sorting.classifies {
            return Ok(None);
        }
        let log = self.heap().state.borrow().log.len();
        let mut label = String::new();
        match self.run_class(log, &mut |value, _| label = format!("{value:?}")) {
            Ok(_) => Ok(Some(label)),
            Err(thrown) => {
                let kind = class_failure(thrown).unwrap_or_else(|| FailureKind::Unbuildable {
                    why: "the bounds leave too few objects for what `eq_class` looks at".into(),
                });
                Err(self.failure(kind))
            }
        }
    }

    /// Gives the values since the last class to that.
    fn count_class(&mut self) {
        let valid = self.outcome.valid;
        if let Some((place, before)) = &mut self.sorting.current {
            self.sorting.table.count(*place, valid - *before);
            *before = valid;
        }
    }

    /// Whether the values of a path are counted up. If some are passed over, each is looked at.
    pub(super) fn may_count_up(&self) -> bool {
        self.options.lazy.plan && !self.sorting.prunes()
    }

    /// How much of the path is decided, by the invariant and by `eq_class`.
    pub(super) fn decided(&self) -> usize {
        if self.sorting.classifies { self.sorting.end } else { self.leaf }
    }

    /// The invariant has come to an end: what comes next on the path comes from `eq_class`.
    pub(super) fn begin_class(&mut self) {
        if self.sorting.classifies {
            self.sorting.end = usize::MAX;
            self.sorting.log = self.heap.state.borrow().log.len();
            self.sorting.covered_here.clear();
        }
    }

    /// Finds the class of a candidate that is not complete, unless it is known.
    #[inline]
    pub(super) fn classify_open(&mut self) -> Option<Verdict> {
        let is_due = self.sorting.classifies
            && self.options.engine != Engine::Korat
            && self.heap.state.borrow().path.len() <= self.sorting.end;
        if is_due { self.classify() } else { None }
    }

    /// Finds the class of a complete candidate.
    #[inline]
    pub(super) fn classify_complete(&mut self) -> Option<Verdict> {
        let is_due = self.sorting.classifies && self.options.engine == Engine::Korat;
        if is_due { self.classify() } else { None }
    }

    fn classify(&mut self) -> Option<Verdict> {
        let log = self.sorting.log;
        // If it comes to no end, what it has opened is still to be classified, however long that makes the path.
        self.sorting.end = usize::MAX;
        let mut label = None;
        let class =
            match self.run_class(log, &mut |value, is_new| label = is_new.then(|| format!("{value:?}"))) {
                Ok(class) => class,
                Err(thrown) => return Some(class_failure(thrown).map_or(Verdict::DeadEnd, Verdict::Failed)),
            };
        let end = self.heap.state.borrow().path.len();
        if self.is_rechecked() {
            let again = self.run_class(log, &mut |_, _| {});
            let is_same = again.as_ref().is_ok_and(|again| *again == class)
                && self.heap.state.borrow().path.len() == end;
            if !is_same {
                let difference = match again {
                    Ok(again) if again != class => "a second run on the same candidate gave another class",
                    Ok(_) => "a second run on the same candidate read other fields",
                    Err(_) => "a second run on the same candidate did not come to the same end",
                };
                return Some(Verdict::Failed(FailureKind::ClassUnstable { difference: difference.into() }));
            }
        }
        (self.sorting.class, self.sorting.label, self.sorting.end) = (class, label, end);
        None
    }

    /// One run of `eq_class`. `show` gets what it returns, and whether the class is new; whatever that reads is closed
    /// again.
    fn run_class(&mut self, log: usize, show: &mut dyn FnMut(&dyn Debug, bool)) -> Result<u128, Thrown> {
        if !self.sorting.classifies {
            return Ok(0);
        }
        self.sorting.table.ran();
        let (heap, root, table) = (self.heap, self.root, &self.sorting.table);
        let is_lazy = self.options.engine == Engine::Lazy;
        let keys = key::enter(is_lazy.then_some(heap));
        if is_lazy {
            let mut s = heap.state.borrow_mut();
            s.cursor = log;
            // Conjunctions in here are not the invariant.
            s.conjunctions.depth = 1;
        }
        let outer = guard::arm();
        let mut class = None;
        let run = catch_unwind(AssertUnwindSafe(|| {
            root.classify(&mut |value| {
                let (depth, answers) = {
                    let s = heap.state.borrow();
                    (s.path.len(), s.log.len())
                };
                show(value.value, table.place(value.fingerprint).is_none());
                let mut s = heap.state.borrow_mut();
                s.close_down_to_step(depth);
                s.log.truncate(answers);
                class = Some(value.fingerprint);
            });
        }));
        guard::disarm(outer);
        key::enter(keys);
        ask::unpromise();
        run.map(|()| class.unwrap_or(0))
    }

    /// Notes the class of a valid candidate; whether the candidate is delivered.
    #[inline]
    pub(super) fn covers_class(&mut self) -> bool {
        !self.sorting.classifies || self.note_class()
    }

    #[inline(never)]
    fn note_class(&mut self) -> bool {
        self.count_class();
        if self.sorting.prunes() {
            self.settle_rest();
            self.sorting.is_spent = true;
        }
        if !self.sorting.is_wanted() {
            self.sorting.current = None;
            return false;
        }
        let place = self.sorting.table.place(self.sorting.class).unwrap_or_else(|| {
            let label = self.sorting.label.take().unwrap_or_default();
            let (others, before) = self.sorting.from;
            let first = others + self.outcome.valid - before + 1;
            let row = CoveredClass { label, count: 0, first, witness: self.candidate(), scope: None };
            self.sorting.table.add(self.sorting.class, row)
        });
        self.sorting.current = Some((place, self.outcome.valid));
        true
    }

    /// Passes over the values that the last one stands for.
    #[inline]
    pub(super) fn drop_spent(&mut self) {
        if std::mem::take(&mut self.sorting.is_spent) {
            self.close_spent();
        }
    }

    /// The current candidate was delivered before.
    pub(super) fn spend(&mut self) {
        self.sorting.is_spent = self.sorting.prunes();
    }

    /// Closes what the class does not depend on.
    fn close_spent(&mut self) {
        self.rest.clear();
        let heap = self.heap;
        if self.leaf != NO_LEAF {
            heap.state.borrow_mut().close_down_to_step(self.sorting.end);
        }
        while let Some((closed, is_choice)) = { heap.state.borrow_mut().pop_choice() } {
            // What `eq_class` has decided by itself it has to know.
            let is_own = heap.state.borrow().path.len() >= self.leaf;
            if is_own && is_choice || !self.knows_class() {
                heap.state.borrow_mut().reopen(&closed, closed.choice);
                break;
            }
        }
        self.low = self.low.min(heap.state.borrow().path.len());
    }

    /// Whether the path says which class it is.
    fn knows_class(&mut self) -> bool {
        let (depth, log, trail) = {
            let mut s = self.heap.state.borrow_mut();
            s.guide = Guide::Frozen;
            (s.path.len(), s.log.len(), s.store.mark())
        };
        let is_known = match self.run_class(log, &mut |_, _| {}) {
            Ok(_) => true,
            // Whatever was thrown may have a destructor that panics.
            Err(thrown) => {
                std::mem::forget(thrown);
                false
            }
        };
        let mut s = self.heap.state.borrow_mut();
        s.guide = Guide::First;
        s.close_down_to_step(depth);
        s.log.truncate(log);
        s.store.undo_to(trail);
        is_known
    }
}

impl State {
    /// Closes the last step; says whether it had other choices.
    fn pop_choice(&mut self) -> Option<(Closed, bool)> {
        let closed = self.pop()?;
        let is_choice = self.next_choice(&closed, 0) != Some(closed.choice)
            || self.next_choice(&closed, closed.choice + 1).is_some();
        Some((closed, is_choice))
    }
}

/// What `eq_class` has done wrong, if it was not just that no object was left.
fn class_failure(thrown: Thrown) -> Option<FailureKind> {
    if thrown.is::<DeadEnd>() {
        return None;
    }
    if thrown.is::<Strayed>() {
        let difference = "a second run on the same candidate compared other fields".into();
        return Some(FailureKind::ClassUnstable { difference });
    }
    Some(match thrown.downcast_ref() {
        Some(guard::Exhausted::Steps) => {
            FailureKind::ClassEndless { budget: format!("{} steps", guard::STEPS) }
        }
        Some(guard::Exhausted::Stack) => {
            FailureKind::ClassEndless { budget: format!("{} bytes of stack", guard::STACK) }
        }
        None => FailureKind::ClassPanicked { message: panic_message(thrown) },
    })
}
