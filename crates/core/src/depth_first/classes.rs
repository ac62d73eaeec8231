//! Classes in the search: `eq_class` runs on each valid candidate, and the search observes what it reads.
//!
//! The engines that complete candidates by themselves (`owned`, `lazy`) run `eq_class` before they do: then `eq_class` opens
//! slots and decides questions next, as if it were a part of the invariant, and everything that is opened later makes no
//! difference to the class. `korat` runs it on the complete candidate, as published.
//!
//! To prune is to close the path as far as the class does not depend on it. That is found out by trying: the last step is
//! taken off, and `eq_class` runs on what is left, which must not be opened further. If it ends all the same, it has not
//! looked at the step, and all values that agree on the steps before it are in the same class. For slots that are read by
//! value this is the published rule, "advance the last field that `eqClass` has read". Where the steps of `eq_class` come
//! behind those of the invariant, the search goes through all of them, and delivers one value for each class that the same
//! steps of the invariant lead to.

use super::set::PathSet;
use crate::eq_class::{ClassTable, CoveredClass, Skipped};
use crate::error::{Error, FailureKind};
use crate::heap::State;
use crate::invariant::{Left, Structure, Thrown, Verdict};
use crate::mirror::root::ValueType;
use crate::options::Classes;
use crate::path::{Closed, Guide};
use std::fmt::Debug;

/// The classes of the values of a search.
pub(crate) struct ClassLayer {
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
    /// The last value stands for all values that have its class for the same reason, and these are passed over.
    is_spent: bool,
    /// The classes of values for which the invariant has taken the same steps.
    covered_here: Vec<u128>,
}

impl ClassLayer {
    pub fn new(mode: Classes, of: ValueType) -> Result<Self, Error> {
        let classifies = mode != Classes::Ignored;
        if classifies && !(of.has_classes)() {
            return Err(Error::NoClasses { of: (of.name)().into() });
        }
        Ok(ClassLayer {
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

    /// Whether values are passed over.
    pub fn prunes(&self) -> bool {
        matches!(self.mode, Classes::Pruned | Classes::One)
    }

    #[inline]
    pub fn are_ignored(&self) -> bool {
        !self.classifies
    }

    /// Puts aside what is known about the current candidate, while the candidate runs again for another reason.
    pub fn set_aside(&mut self) -> Vec<u128> {
        std::mem::take(&mut self.covered_here)
    }

    /// Puts that back.
    pub fn put_back(&mut self, covered_here: Vec<u128>) {
        self.covered_here = covered_here;
    }

    /// Passes no values over.
    pub fn keep_all(&mut self) {
        self.is_spent = false;
    }

    /// The current candidate was delivered before.
    pub fn spend(&mut self) {
        self.is_spent = self.prunes();
    }

    /// Whether the values that the last one stands for are to be passed over; the answer is given once.
    #[inline]
    pub fn take_spent(&mut self) -> bool {
        std::mem::take(&mut self.is_spent)
    }

    /// The table of the classes, with the values counted of a search that has delivered so many.
    pub fn table(&mut self, valid: u64) -> &ClassTable {
        self.count(valid);
        &self.table
    }

    /// The same, for another search to go on with.
    pub fn take_table(&mut self, valid: u64) -> ClassTable {
        self.count(valid);
        self.current = None;
        self.from = (0, valid);
        std::mem::take(&mut self.table)
    }

    /// Goes on with classes that were covered before.
    pub fn go_on_with(&mut self, table: ClassTable, valid: u64) {
        self.from = (table.delivered(), valid);
        self.table = table;
    }

    /// Gives the values since the last class to that class.
    pub fn count(&mut self, valid: u64) {
        if let Some((place, before)) = &mut self.current {
            self.table.count(*place, valid - *before);
            *before = valid;
        }
    }

    /// How many steps of the path are decided, by the invariant (so many) and by `eq_class`.
    pub fn decided(&self, accepted: usize) -> usize {
        if self.classifies { self.end } else { accepted }
    }

    /// The invariant has accepted: the next steps come from `eq_class`.
    pub fn begin(&mut self, s: &State) {
        if self.classifies {
            self.end = usize::MAX;
            self.log = s.answers.log.len();
            self.covered_here.clear();
        }
    }

    /// Finds the class of the current candidate, unless it is known. Returns why the candidate is none.
    #[inline(never)]
    pub fn classify_unless_known(&mut self, structure: Structure, is_rechecked: bool) -> Option<Verdict> {
        let is_due = structure.heap.state.borrow().path.len() <= self.end;
        if is_due { self.classify(structure, is_rechecked) } else { None }
    }

    fn classify(&mut self, structure: Structure, is_rechecked: bool) -> Option<Verdict> {
        let log = self.log;
        // If `eq_class` reaches no end, what it has opened is still to be classified, however long that makes the path.
        self.end = usize::MAX;
        let mut label = None;
        let class = match self.run(structure, log, &mut |value, is_new| {
            label = is_new.then(|| format!("{value:?}"));
        }) {
            Ok(class) => class,
            Err(thrown) => return Some(class_failure(thrown).map_or(Verdict::DeadEnd, Verdict::Failed)),
        };
        let end = structure.heap.state.borrow().path.len();
        if is_rechecked {
            let again = self.run(structure, log, &mut |_, _| {});
            let is_same = again.as_ref().is_ok_and(|again| *again == class)
                && structure.heap.state.borrow().path.len() == end;
            if !is_same {
                let difference = match again {
                    Ok(again) if again != class => "a second run on the same candidate gave another class",
                    Ok(_) => "a second run on the same candidate read other fields",
                    Err(_) => "a second run on the same candidate ended differently",
                };
                return Some(Verdict::Failed(FailureKind::ClassUnstable { difference: difference.into() }));
            }
        }
        (self.class, self.label, self.end) = (class, label, end);
        None
    }

    /// The class of the current candidate, which the invariant has to accept, as text; none if classes are ignored.
    pub fn describe(&mut self, structure: Structure) -> Result<Option<String>, FailureKind> {
        if !self.classifies {
            return Ok(None);
        }
        let log = structure.heap.state.borrow().answers.log.len();
        let mut label = String::new();
        match self.run(structure, log, &mut |value, _| label = format!("{value:?}")) {
            Ok(_) => Ok(Some(label)),
            Err(thrown) => Err(class_failure(thrown).unwrap_or_else(|| FailureKind::Unbuildable {
                why: "the bounds leave too few objects for what `eq_class` looks at".into(),
            })),
        }
    }

    /// Runs `eq_class` once. `show` gets the result, and whether the class is new; what `show` reads is closed again.
    fn run(
        &mut self,
        structure: Structure,
        log: usize,
        show: &mut dyn FnMut(&dyn Debug, bool),
    ) -> Result<u128, Thrown> {
        self.table.ran();
        let (heap, table) = (structure.heap, &self.table);
        let mut class = None;
        structure.run_class(log, |root| {
            root.classify(&mut |value| {
                let (depth, answers) = {
                    let s = heap.state.borrow();
                    (s.path.len(), s.answers.log.len())
                };
                show(value.value, table.place(value.fingerprint).is_none());
                let mut s = heap.state.borrow_mut();
                s.close_down_to_step(depth);
                s.answers.log.truncate(answers);
                class = Some(value.fingerprint);
            });
        })?;
        Ok(class.unwrap_or(0))
    }

    /// Notes the class of the current candidate, which is valid; `valid` values were delivered before. Whether the candidate
    /// is delivered.
    pub fn cover(&mut self, structure: Structure, valid: u64) -> bool {
        self.is_spent |= self.prunes();
        if !self.is_wanted() {
            self.table.skip(Skipped::Values);
            self.current = None;
            return false;
        }
        let place = self.table.place(self.class).unwrap_or_else(|| {
            let label = self.label.take().unwrap_or_default();
            let (others, before) = self.from;
            let first = others + valid - before + 1;
            let row = CoveredClass { label, count: 0, first, witness: structure.candidate(), scope: None };
            self.table.add(self.class, row)
        });
        self.current = Some((place, valid));
        true
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

    /// Closes the steps that the class does not depend on. Returns how much of the path is left.
    pub fn close_spent(&mut self, structure: Structure, set: &mut PathSet) -> usize {
        set.clear();
        let heap = structure.heap;
        if set.is_accepted() {
            self.note_other_completions(&mut heap.state.borrow_mut());
            heap.state.borrow_mut().close_down_to_step(self.end);
        }
        while let Some((closed, others)) = { pop_choice(&mut heap.state.borrow_mut()) } {
            // The class depends on what `eq_class` has decided by itself.
            let is_own = heap.state.borrow().path.len() >= set.accepted;
            if is_own && others != Others::None || !self.is_known(structure) {
                heap.state.borrow_mut().reopen(&closed, closed.choice);
                break;
            }
            if others == Others::Later {
                self.table.skip(Skipped::Candidates);
            }
        }
        heap.state.borrow().path.len()
    }

    /// Notes whether there are other values that differ only in what neither the invariant nor `eq_class` has looked at.
    fn note_other_completions(&mut self, s: &mut State) {
        while self.table.skipped() < Skipped::Values && s.path.len() > self.end {
            if let Some((_, Others::Later)) = pop_choice(s) {
                self.table.skip(Skipped::Values);
            }
        }
    }

    /// Whether the path determines the class.
    fn is_known(&mut self, structure: Structure) -> bool {
        let (depth, log, trail) = {
            let mut s = structure.heap.state.borrow_mut();
            s.guide = Guide::Frozen;
            (s.path.len(), s.answers.log.len(), s.constraints.mark())
        };
        let is_known = match self.run(structure, log, &mut |_, _| {}) {
            Ok(_) => true,
            // The payload may have a destructor that panics.
            Err(thrown) => {
                std::mem::forget(thrown);
                false
            }
        };
        let mut s = structure.heap.state.borrow_mut();
        s.guide = Guide::First;
        s.close_down_to_step(depth);
        s.answers.log.truncate(log);
        s.constraints.undo_to(trail);
        is_known
    }
}

/// The other choices of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Others {
    None,
    /// All of them were tried before.
    Earlier,
    /// Some are still to be tried.
    Later,
}

/// Closes the last step. Returns it, and the other choices that it had.
fn pop_choice(s: &mut State) -> Option<(Closed, Others)> {
    let closed = s.pop()?;
    let others = if s.next_choice(&closed, closed.choice + 1).is_some() {
        Others::Later
    } else if s.next_choice(&closed, 0) != Some(closed.choice) {
        Others::Earlier
    } else {
        Others::None
    };
    Some((closed, others))
}

/// How `eq_class` misbehaved; none if no object was left.
fn class_failure(thrown: Thrown) -> Option<FailureKind> {
    Some(match Left::of(thrown) {
        Left::DeadEnd => return None,
        Left::Strayed => FailureKind::ClassUnstable {
            difference: "a second run on the same candidate compared other fields".into(),
        },
        Left::OutOfTurn => FailureKind::ClassPanicked { message: "(no message)".into() },
        Left::Endless(budget) => FailureKind::ClassEndless { budget },
        Left::Panicked(message) => FailureKind::ClassPanicked { message },
    })
}
