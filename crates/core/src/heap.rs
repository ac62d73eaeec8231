//! The bounded heap: numbered slots, classes of objects, and the path of reads.
//!
//! # The path is the candidate
//!
//! A slot is *open* when it is on the path; then its cell holds a choice. The invariants, which
//! everything else relies on:
//!
//! 1. The path lists the open slots in the order of their first read since the point up to which the
//!    previous candidate agreed with this one; an unread slot holds no choice at all. So the path is the
//!    read log of the published algorithm, and its unchanged prefix survives from one run to the next.
//! 2. The objects of a class in use are `0..used`: a pointer takes an object that is in use, or the
//!    lowest one that is not. This is the isomorphism rule: of all renamings of the objects only the one
//!    that numbers them in order of introduction is visited.
//! 3. Every step records what it changed, and closing the last step undoes exactly that. Slots are closed
//!    in reverse order of opening, so used objects, owners and reservations are functions of the path.
//! 4. (Ownership) `reserved` objects of a class are promised to mandatory pointers that are not open yet;
//!    `used + reserved <= size` always, so a prepaid pointer finds a fresh object as long as `reserved > 0`. A
//!    raw pointer that introduces an object may use up a promise (`borrowed`), because the object may well be
//!    the one that the mandatory pointer will own. So `reserved` never promises more than is needed.
//! 5. (Questions) The lazy engine does not open every slot that is asked about: see `decide`. Its path has steps for
//!    decisions, too, and what is known besides the path is in the `store`, which each step restores when it is
//!    closed.
//! 6. (Ownership) A `Box` or an element of a vector is the only owner of its object. An object that was met
//!    through a weak or raw pointer first has no owner yet; a complete candidate in which the root does not own
//!    every object, directly or indirectly, is not a value (`State::is_ruled_out`).

mod ask;
mod class;
mod decide;
mod flat;
mod guide;
mod objects;
mod open;
mod orders;
mod part;
mod parts;
mod questions;
mod slot;
mod store;

pub(crate) use class::{Class, ClassId, Need};
pub(crate) use decide::{About, Claim, Question, Strayed};
pub(crate) use guide::{Follow, Guide, Script};
pub(crate) use open::Closed;
pub(crate) use part::OBSERVE;
pub(crate) use parts::Parts;
pub(crate) use slot::{Code, NOT_LAZY, Pointer, Slot, SlotInfo, Texts};
pub use slot::{Kind, Ownership};
pub(crate) use store::Store;

use crate::cell::{Asks, Head, UNREAD};
use crate::conjuncts::Conjunctions;
use decide::Logged;
use open::How;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::panic::resume_unwind;
use std::rc::Rc;

/// The heap of one search. Leaked, so that cells can refer to it; see [`crate::cell`].
#[derive(Default)]
pub struct Heap {
    pub(crate) state: RefCell<State>,
    /// The number of the current walk; objects visited in it carry it as their mark.
    pub(crate) walk: Cell<u32>,
    /// Questions are decided, not values.
    pub(crate) is_lazy: Cell<bool>,
    /// The only disjoint part that is there, while it is searched on its own; 0 if all are, [`OBSERVE`] if all are and it
    /// is noted which of them are asked for.
    pub(crate) focus: Cell<u32>,
    /// The parts that were asked for, as bits.
    pub(crate) asked: Cell<u64>,
    /// The first slot of another part that was asked for nevertheless.
    pub(crate) foreign: Cell<Option<u32>>,
}

impl std::fmt::Debug for Heap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Heap")
    }
}

#[derive(Default)]
pub(crate) struct State {
    pub slots: Vec<Slot>,
    pub infos: Vec<SlotInfo>,
    pub classes: Vec<Class>,
    /// The ways in which pointers of these types hold objects, by class, whether the bounds allow such pointers or
    /// not.
    pub pointers: HashSet<(ClassId, Ownership)>,
    pub path: Vec<Step>,
    /// Every pointer may alias (the published algorithm); otherwise ownership is respected.
    pub aliasing: bool,
    /// Slots that hold something, by a step on the path that leaves it open what.
    pub classed: Vec<bool>,
    /// For keys that are decided but not shown, how many answers there were before; or [`NOT_HIDDEN`].
    pub hidden: Vec<u32>,
    /// Where choices come from, other than the order of the search.
    pub guide: Guide,
    /// Questions are decided, not values.
    pub is_lazy: bool,
    /// Promises rule nothing out, so that they can be checked.
    pub audits: bool,
    /// What is known about slots that are not open.
    pub store: Store,
    /// The decisions on the path.
    pub questions: Vec<Question>,
    /// The choices among which pointers on the path were opened, where these were not all.
    among: Vec<Rc<[u32]>>,
    /// The answers up to here, in the order of the questions.
    pub log: Vec<Logged>,
    /// What promises would have ruled out, if they were not being checked.
    pub claims: Vec<Claim>,
    /// How many of them were asked for in this run.
    pub cursor: usize,
    /// What is known about the conjuncts of the invariant.
    pub conjunctions: Conjunctions,
    /// The disjoint parts.
    pub parts: Parts,
    /// How many slots there are, if they are all there whatever others hold.
    flat: Option<flat::Flat>,
}

/// One open slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    head: &'static Head,
    pub slot: u32,
    pub choice: u32,
    /// What was known, and how many answers there were, before it.
    trail: u32,
    log: u32,
    /// What opening it changed, apart from the cell.
    done: u16,
}

impl Step {
    pub fn is_question(&self) -> bool {
        self.done & QUESTION != 0
    }

    /// Changes what a slot of plain data holds, and nothing else.
    #[inline(always)]
    pub fn set(&mut self, head: &Head, choice: u32) {
        self.choice = choice;
        head.index.set(choice);
    }

    /// Says what can be asked about the cell.
    pub fn set_asks(&self, asks: Asks) {
        self.head.asks.set(asks);
    }

    /// Whether the choice is what the slot holds, and not the alternative of a question.
    pub fn is_value(&self) -> bool {
        self.done & QUESTION == 0 && (self.done & CLASS == 0 || self.choice == 0)
    }

    /// The place of the choice in the slot's table.
    pub fn index(&self) -> u32 {
        self.head.index.get()
    }
}

/// Nothing: closing the slot concerns its cell only.
const NOTHING: u16 = 0;

/// The pointer introduced a new object.
const FRESH: u16 = 1;
/// The mandatory pointer took an object that is in use, and gave its reservation back.
const RELEASED: u16 = 2;
/// The read was the first to look at its own object of an arena by position.
const TOUCHED_OWNER: u16 = 4;
/// The index was the first to refer to its object.
const TOUCHED_TARGET: u16 = 8;
/// Owners, reservations or lengths changed; which ones follows from the slot and the choice.
const COUNTED: u16 = 16;
/// The raw pointer used up the promise of an object that its own object may come to be.
const BORROWED: u16 = 32;
/// The mandatory pointer came without a promise, since a raw pointer had used that up.
const UNPROMISED: u16 = 64;
/// The step is a decision, and its choice the alternative.
const QUESTION: u16 = 128;
/// The slot holds nothing (0), or something that is left open (1).
const CLASS: u16 = 256;
/// Not every choice is tried: see [`State::open_among`].
const AMONG: u16 = 512;
/// The value of a key is decided, but its cell does not show it: see [`State::open_hidden`].
const HIDDEN: u16 = 1024;

/// Thrown, without the panic hook, when a slot has no allowed choice at all.
pub(crate) struct DeadEnd;

impl Heap {
    /// Called by a cell that is read for the first time. It is left open which key it holds.
    pub(crate) fn first_read(&self, slot: u32) {
        self.stay_in_part(slot);
        if self.is_lazy.get() && self.state.borrow().slots[slot as usize].holds_key() {
            self.state.borrow_mut().open_class(slot);
        } else {
            self.open_value(slot);
        }
    }

    /// Chooses what a slot holds.
    pub(crate) fn open_value(&self, slot: u32) {
        if !self.state.borrow_mut().open(slot) {
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// From now on, questions are decided, not values.
    pub(crate) fn make_lazy(&self, audits: bool, resumes: bool) {
        self.is_lazy.set(true);
        let mut s = self.state.borrow_mut();
        (s.is_lazy, s.audits, s.conjunctions.resumes) = (true, audits, resumes);
        for slot in &s.slots {
            slot.head.asks.set(slot.asks());
        }
    }

    pub(crate) fn next_walk(&self) {
        self.walk.set(self.walk.get().wrapping_add(1).max(1));
    }
}

impl State {
    /// Opens a slot with its first allowed choice; false if there is none.
    fn open(&mut self, slot: u32) -> bool {
        if let Kind::Index { arena, .. } = self.slots[slot as usize].kind
            && self.slots[arena as usize].head.index.get() == UNREAD
            && !self.open(arena)
        {
            return false;
        }
        let choice = match &mut self.guide {
            Guide::First => self.allowed(slot, 0),
            Guide::Repeat(_) => return self.repeat(slot),
            Guide::Follow(_) => self.follow(slot, NOTHING),
            Guide::Frozen => Some(self.known_choice(slot)),
        };
        match choice {
            Some(choice) => {
                self.push(slot, choice);
                true
            }
            None => false,
        }
    }

    /// The place of a choice in the slot's table; `start` is the first element of a vector of objects.
    fn table_index(&self, slot: u32, choice: u32, start: u32) -> u32 {
        match self.slots[slot as usize].kind {
            Kind::Items { class, prefix, .. } if choice >= prefix => {
                prefix + (choice - prefix) * (self.classes[class as usize].size + 1) + start
            }
            _ => choice,
        }
    }

    /// The first allowed choice of a slot at or after `from`.
    pub fn allowed(&self, slot: u32, from: u32) -> Option<u32> {
        match self.slots[slot as usize].kind {
            Kind::Values { frugal: true, .. } if self.is_lazy => {
                let (lo, hi) = self.store.bounds(slot);
                let from = from.max(lo);
                (from <= hi).then_some(from)
            }
            Kind::Values { count, frugal: true } => (from < count).then_some(from),
            Kind::Values { count, frugal: false } => {
                let needs = &self.infos[slot as usize].needs;
                (from..count).find(|&c| self.aliasing || self.has_room(&needs[c as usize]))
            }
            Kind::Pointer(p) if self.is_lazy => {
                let (lo, hi) = self.store.bounds(slot);
                self.allowed_object(p, from.max(lo)).filter(|&choice| choice <= hi)
            }
            Kind::Pointer(p) => self.allowed_object(p, from),
            Kind::Items { class, prefix, .. } => {
                let lengths = &self.infos[slot as usize].lengths;
                let class = &self.classes[class as usize];
                let fits = |c: u32| {
                    c < prefix || {
                        let len = lengths[(c - prefix) as usize];
                        class
                            .fresh
                            .iter()
                            .all(|&(c, n)| self.classes[c as usize].free() >= n.saturating_mul(len))
                    }
                };
                (from..prefix + lengths.len() as u32).find(|&c| fits(c))
            }
            Kind::Index { arena, prefix, count } => {
                // Without a vector there are no indices.
                let Some((class, start, len)) = self.arena(arena) else {
                    return (from < prefix).then_some(from);
                };
                // Reading the slot touches its own object, if that lies in the same vector.
                let this = &self.slots[slot as usize];
                let own = (this.arena_class == class).then(|| this.arena_object.wrapping_sub(start));
                let touched = &self.classes[class as usize].touched[start as usize..(start + len) as usize];
                let is_touched = |i: u32| own == Some(i) || touched[i as usize] > 0;
                let fresh = (0..len).find(|&i| !is_touched(i)).unwrap_or(len);
                let fits = |c: u32| {
                    c < prefix || c - prefix < len && (c - prefix <= fresh || is_touched(c - prefix))
                };
                (from..prefix + count).find(|&c| fits(c))
            }
        }
    }

    /// Class, first object and length of the vector that an open length slot stands for.
    fn arena(&self, slot: u32) -> Option<(ClassId, u32, u32)> {
        let Kind::Items { class, prefix, .. } = self.slots[slot as usize].kind else { return None };
        let index = self.slots[slot as usize].head.index.get();
        let index = if index == UNREAD { None } else { index.checked_sub(prefix) }?;
        let stride = self.classes[class as usize].size + 1;
        let len = self.infos[slot as usize].lengths[(index / stride) as usize];
        Some((class, index % stride, len))
    }

    /// Opens a slot with a choice that `allowed` has approved.
    pub fn push(&mut self, id: u32, choice: u32) {
        let slot = &self.slots[id as usize];
        let head = slot.head;
        let mut done = NOTHING;
        let mut index = choice;
        let in_arena = slot.arena_class != NO_CLASS;
        match slot.kind {
            Kind::Values { frugal: true, .. } => {
                if self.is_lazy {
                    return self.push_narrowed(id, choice);
                }
            }
            Kind::Values { frugal: false, .. } => {
                done |= COUNTED;
                self.reserve(id, choice, true);
            }
            Kind::Pointer(p) if choice < p.prefix => {}
            Kind::Pointer(p) => done |= self.take_object(p, choice - p.prefix),
            Kind::Items { prefix, .. } if choice < prefix => {}
            Kind::Items { class: c, prefix, .. } => {
                done |= COUNTED;
                let len = self.infos[id as usize].lengths[(choice - prefix) as usize];
                let class = &mut self.classes[c as usize];
                index = prefix + (choice - prefix) * (class.size + 1) + class.used;
                class.used += len;
                Class::reserve_rest(&mut self.classes, c, len, true);
            }
            Kind::Index { prefix, .. } if choice < prefix => {}
            Kind::Index { arena, prefix, .. } => {
                if let Some((class, start, _)) = self.arena(arena) {
                    self.classes[class as usize].touched[(start + choice - prefix) as usize] += 1;
                    done |= TOUCHED_TARGET;
                }
            }
        }
        if in_arena {
            let slot = &self.slots[id as usize];
            self.classes[slot.arena_class as usize].touched[slot.arena_object as usize] += 1;
            done |= TOUCHED_OWNER;
        }
        head.index.set(index);
        let (trail, log) = (self.store.mark(), self.log.len() as u32);
        self.path.push(Step { head, slot: id, choice, trail, log, done });
    }

    /// Closes the last open slot, or takes the last decision back.
    pub fn pop(&mut self) -> Option<Closed> {
        let step = self.path.pop()?;
        let Step { slot, choice, .. } = step;
        if self.is_lazy {
            self.store.undo_to(step.trail);
            self.log.truncate(step.log as usize);
            self.conjunctions.shorten(self.path.len());
            while self.claims.last().is_some_and(|claim| claim.path > self.path.len()) {
                self.claims.pop();
            }
            if step.done & QUESTION != 0
                && let Some(question) = self.questions.pop()
            {
                return Some(Closed { slot, choice, how: How::Question(question) });
            }
        }
        if step.done & !(CLASS | AMONG | HIDDEN) != NOTHING {
            self.undo(step);
        }
        step.head.index.set(UNREAD);
        let how = if step.done & CLASS != 0 {
            self.classed[slot as usize] = false;
            How::Class
        } else if step.done & AMONG != 0 {
            How::Among(self.among.pop().unwrap_or_default())
        } else if step.done & HIDDEN != 0 {
            self.hidden[slot as usize] = NOT_HIDDEN;
            How::Hidden
        } else {
            How::Value
        };
        Some(Closed { slot, choice, how })
    }

    fn undo(&mut self, step: Step) {
        let slot = &self.slots[step.slot as usize];
        if step.done & TOUCHED_OWNER != 0 {
            self.classes[slot.arena_class as usize].touched[slot.arena_object as usize] -= 1;
        }
        match slot.kind {
            Kind::Values { .. } if step.done & COUNTED != 0 => self.reserve(step.slot, step.choice, false),
            Kind::Pointer(p) if step.done & (FRESH | COUNTED) != 0 => self.give_object_back(p, step),
            Kind::Items { class: c, prefix, .. } if step.done & COUNTED != 0 => {
                let len = self.infos[step.slot as usize].lengths[(step.choice - prefix) as usize];
                self.classes[c as usize].used -= len;
                Class::reserve_rest(&mut self.classes, c, len, false);
            }
            Kind::Index { arena, prefix, .. } if step.done & TOUCHED_TARGET != 0 => {
                if let Some((class, start, _)) = self.arena(arena) {
                    self.classes[class as usize].touched[(start + step.choice - prefix) as usize] -= 1;
                }
            }
            _ => {}
        }
    }

    /// The step of the published algorithm: advance the last slot of the path that has another choice,
    /// closing those after it. False when the space is exhausted.
    ///
    /// Only slots that were read are advanced: the answer of the predicate is the same for every value of
    /// the others. Why nothing is lost: any two candidates that agree on the path up to its last slot are
    /// treated alike by the predicate up to there, and the loop visits every allowed choice of that slot
    /// before it closes it.
    pub fn advance(&mut self) -> bool {
        while let Some(step) = self.path.last_mut() {
            let next = step.choice + 1;
            // The two usual cases need no closing and opening: plain data, and pointers that may alias.
            match self.slots[step.slot as usize].kind {
                Kind::Values { count, frugal: true } if next < count && !self.is_lazy => {
                    step.choice = next;
                    step.head.index.set(next);
                    return true;
                }
                Kind::Pointer(p) if self.aliasing && next >= p.prefix && step.done & !FRESH == NOTHING => {
                    let class = &mut self.classes[p.class as usize];
                    let object = next - p.prefix;
                    // A fresh object is the last choice; `used` counts it already.
                    if step.done == NOTHING && object <= class.used && object < class.size {
                        if object == class.used {
                            class.used += 1;
                            step.done = FRESH;
                        }
                        step.choice = next;
                        step.head.index.set(next);
                        return true;
                    }
                    class.used -= u32::from(step.done == FRESH);
                    step.head.index.set(UNREAD);
                    self.path.pop();
                    continue;
                }
                _ => {}
            }
            let (slot, done) = (step.slot, step.done);
            let is_last = done & FRESH != 0 || done == NOTHING && self.finds_no_object(slot, next);
            let Some(closed) = self.pop() else { break };
            // No pointer goes beyond the lowest object that is not in use.
            if is_last {
                debug_assert_eq!(self.next_choice(&closed, next), None, "that was the last choice");
            } else if let Some(next) = self.next_choice(&closed, next) {
                self.reopen(&closed, next);
                return true;
            }
        }
        false
    }

    /// Whether nothing was learned since a step was taken.
    pub fn knew_all_since(&self, step: &Step) -> bool {
        self.store.mark() == step.trail
    }

    /// Closes everything behind the first `depth` steps.
    pub fn close_down_to_step(&mut self, depth: usize) {
        while self.path.len() > depth {
            self.pop();
        }
    }

    /// Closes everything behind the first `depth` steps. If these are none, nothing is known any more.
    pub fn close_down_to(&mut self, depth: usize) {
        self.close_down_to_step(depth);
        if depth == 0 {
            self.forget();
        }
    }
}

/// A key that is not decided, or is to be seen.
pub(crate) const NOT_HIDDEN: u32 = u32::MAX;

/// Slots outside of an arena.
pub(crate) const NO_CLASS: u32 = u32::MAX;
