//! The heap of one search: the layout, what changes while the search runs, and how cells reach both.

mod asking;
mod decide;
#[cfg_attr(not(feature = "summaries"), path = "heap/no_rules.rs")]
mod follow;
pub(crate) mod patterns;
mod state;
#[cfg(test)]
mod tests;
pub(crate) mod watch;
mod weigh;

pub(crate) use decide::OrderedKey;
pub(crate) use state::State;
pub use watch::ValueRead;

use crate::cell::Tracker;
use crate::cell::members::Members;
use crate::engine::{self, with_engine};
use crate::ids::SlotId;
use crate::layout::{Kind, Layout, Patterns};
use crate::leaked::leak;
use crate::options::Engine;
use crate::path::Guide;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::rc::Rc;
use watch::Watcher;

/// The heap of one search. Leaked, so that cells can refer to it; see [`crate::cell`].
pub struct Heap {
    pub(crate) layout: &'static Layout,
    engine: Engine,
    pub(crate) state: RefCell<State>,
    /// The number of the current walk; objects visited in it carry it as their mark.
    pub(crate) walk: Cell<u32>,
    /// The disjoint parts that are searched on their own, as bits, so that the others are out of reach; 0 if all are
    /// searched, [`OBSERVE`] if all are, and `asked` records which of them are read; [`FOLLOW`] if rules are followed.
    pub(crate) focus: Cell<u64>,
    /// The parts that were read or asked about, as bits.
    pub(crate) asked: Cell<u64>,
    /// The first slot of another part that was read or asked about nevertheless.
    pub(crate) foreign: Cell<Option<SlotId>>,
    /// Learns of each slot of plain data that is read by value, if a tool wants to know.
    watcher: Cell<Option<&'static Watcher>>,
    /// What can be asked about sets and maps, by the address of their table.
    members: RefCell<Vec<(usize, Option<Rc<Members>>)>>,
}

/// In place of parts: see [`Heap::focus`].
pub(crate) const OBSERVE: u64 = u64::MAX;

/// In place of parts: all are searched, and the search follows rules.
pub(crate) const FOLLOW: u64 = u64::MAX - 1;

/// With more objects, a walk finds out whether the structure is too deep.
const MOST_OBJECTS: u32 = 256;

/// Thrown, without the panic hook, when a slot has no allowed choice at all.
pub(crate) struct DeadEnd;

impl std::fmt::Debug for Heap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Heap")
    }
}

impl Heap {
    /// A heap without open slots. Its cells refer to it from now on.
    pub(crate) fn new(layout: &'static Layout, engine: Engine) -> &'static Heap {
        let heap: &'static Heap = leak(Heap {
            layout,
            engine,
            state: RefCell::new(State::new(layout, engine)),
            walk: Cell::new(0),
            focus: Cell::new(0),
            asked: Cell::new(0),
            foreign: Cell::new(None),
            watcher: Cell::new(None),
            members: RefCell::default(),
        });
        for slot in &layout.slots {
            slot.head.heap.set(Some(heap));
        }
        heap.let_ask();
        heap
    }

    /// Lets cells ask what the engine can answer.
    fn let_ask(&self) {
        for slot in &self.layout.slots {
            slot.head.asks.set(with_engine!(self.engine, engine => engine::Engine::asks(engine, slot)));
        }
    }

    /// Lets the lazy engine check promises in place of relying on them, and skip conjuncts that are known to hold.
    pub(crate) fn configure(&self, audits: bool, resumes: bool) {
        let mut s = self.state.borrow_mut();
        s.answers.audits = audits;
        s.conjunctions.resumes = resumes;
    }

    /// Chooses what a slot holds.
    pub(crate) fn open_value(&self, slot: SlotId) {
        self.follow_rules(slot);
        if self.layout.slot(slot).patterns != Patterns::None {
            patterns::settle(&mut self.state.borrow_mut(), slot);
        }
        if !self.state.borrow_mut().open(slot) {
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// Opens a slot for which the invariant has no more use: keys stay open wherever they can.
    pub(crate) fn open_but_keys(&self, slot: SlotId) {
        self.follow_rules(slot);
        if self.layout.slot(slot).patterns == Patterns::None {
            self.first_read(slot);
        } else if !patterns::open(&mut self.state.borrow_mut(), slot) {
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// Begins another walk.
    pub(crate) fn next_walk(&self) {
        self.walk.set(self.walk.get().wrapping_add(1).max(1));
    }

    /// Ends the run if the slot belongs to another part than the one that is searched.
    #[inline]
    pub(crate) fn stay_in_part(&self, slot: SlotId) {
        if self.focus.get() != 0 {
            self.check_part(slot);
        }
    }

    /// Chooses a rule for the object with a slot, if the search follows rules and has not done so yet.
    #[inline]
    fn follow_rules(&self, slot: SlotId) {
        if self.focus.get() == FOLLOW {
            self.check_part(slot);
        }
    }

    /// Lets the search follow rules from now on.
    #[cfg(feature = "summaries")]
    pub(crate) fn follow(&self, guided: follow::Guided) {
        self.state.borrow_mut().guided = Some(Box::new(guided));
        self.focus.set(FOLLOW);
    }

    /// Runs something that puts a candidate in from outside, which need not follow the rules of the search.
    pub(crate) fn without_rules<R>(&self, f: impl FnOnce() -> R) -> R {
        let focus = self.focus.get();
        if focus == FOLLOW {
            self.focus.set(0);
        }
        let result = f();
        self.focus.set(focus);
        result
    }

    #[cold]
    fn check_part(&self, slot: SlotId) {
        if self.focus.get() == FOLLOW {
            if !follow::choose(&mut self.state.borrow_mut(), slot) {
                resume_unwind(Box::new(DeadEnd));
            }
        } else if self.focus.get() == OBSERVE {
            self.asked.set(self.asked.get() | 1 << self.layout.info(slot).part);
        } else if self.is_foreign(slot) {
            self.foreign.set(self.foreign.get().or(Some(slot)));
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// Whether a part, or what belongs to none, is searched.
    pub(crate) fn is_in_focus(&self, part: u32) -> bool {
        let focus = self.focus.get();
        focus == 0 || focus == FOLLOW || part == 0 || focus >> part & 1 == 1
    }

    /// Whether the slot belongs to another part than the one that is searched.
    #[inline]
    pub(crate) fn is_foreign(&self, slot: SlotId) -> bool {
        self.focus.get() != 0 && self.is_out_of_focus(slot)
    }

    #[cold]
    fn is_out_of_focus(&self, slot: SlotId) -> bool {
        let focus = self.focus.get();
        if focus >= FOLLOW {
            return false;
        }
        let is_foreign = |slot: SlotId| focus >> self.layout.info(slot).part & 1 == 0;
        is_foreign(slot) || matches!(self.layout.kind(slot), Kind::Index { arena, .. } if is_foreign(arena))
    }

    /// Opens every reachable slot, if that takes no walk. May unwind with `DeadEnd`.
    ///
    /// In a structure of plain data and pointers only, every slot of an object in use is reachable. Often all are open,
    /// or all but plain data of the root.
    pub(crate) fn complete_without_walk(&self) -> bool {
        let Some(flat) = &self.layout.flat else { return false };
        let is_closed = |slot: &SlotId| !self.layout.is_open(*slot);
        {
            let s = self.state.borrow();
            // A guide may prescribe other objects.
            if self.focus.get() != 0 || !matches!(s.guide, Guide::First) {
                return false;
            }
            let (mut objects, mut slots) = (0, flat.of_root);
            for (pool, of_object) in s.objects.pools().iter().zip(&flat.of_object) {
                objects += pool.used;
                slots += pool.used as usize * of_object;
            }
            let mut closed = 0;
            for slot in &flat.data_of_root {
                closed += usize::from(is_closed(slot));
            }
            // Every step opens a slot, or answers a question.
            let open = s.path.len() - s.answers.questions.len();
            if objects > MOST_OBJECTS || slots != open + closed {
                return false;
            }
        }
        for slot in &flat.data_of_root {
            if is_closed(slot) {
                self.open_value(*slot);
            }
        }
        true
    }
}
