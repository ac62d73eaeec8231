//! Visiting every slot reachable from the root, depth first, in declaration order: to complete a valid
//! candidate, to record it in canonical form, to replay a record, to draw it.
//!
//! The order of the walk numbers the objects of each pool by their first appearance. Two candidates are
//! isomorphic exactly if their walks give the same numbers, so the record of a walk is a canonical form.

use crate::ask;
use crate::build::Owned;
use crate::cell::Head;
use crate::error::Error;
use crate::guard::{Depth, TOO_DEEP};
use crate::heap::{Heap, OrderedKey, State, patterns};
use crate::ids::{Choice, SlotId};
use crate::layout::{InnerCheck, Kind, Patterns};
use crate::mirror::Pooled;
use crate::mirror::root::Root;
use crate::promise::Promise;
use crate::shape::Part;
use std::any::TypeId;
use std::mem::ManuallyDrop;

/// One walk.
pub struct Walk {
    heap: &'static Heap,
    mode: Mode,
    /// Canonical object numbers, by pool.
    numbers: Vec<Numbers>,
    limit: Depth,
    /// The limit was reached, and not everything was visited.
    is_too_deep: bool,
}

/// The canonical numbers of a pool.
#[derive(Default)]
struct Numbers {
    /// One more than the number, by object; 0 for none.
    given: Vec<u32>,
    count: u32,
}

/// The structure is deeper than the stack allows.
#[derive(Debug)]
pub(crate) struct TooDeep;

enum Mode {
    /// Opens what is unread, with its first choice.
    Complete,
    /// Leaves keys open that can be, and notes all keys.
    AllButKeys(Vec<OrderedKey>),
    /// Also notes the canonical choice of each slot.
    Record(Vec<u32>),
    /// Opens each slot with the next recorded choice.
    Replay(Replay),
    /// Also notes what each slot holds, in words.
    Draw(Vec<Drawn>),
    /// Sets each slot from outside, without the rules of a search.
    Set(Box<dyn SetSlot>),
    /// Runs the invariant of some parts of the value, with tracked reads on the way to them.
    Check(Check),
    /// Finds what the boxes of one object own, object by object.
    Owned(Vec<Owned>),
}

/// Which invariant of parts is run.
struct Check {
    check: &'static InnerCheck,
    /// What its result means for the whole.
    promise: Promise,
    /// No part has broken it yet.
    holds: bool,
}

/// Sets the slots that a walk visits.
pub(crate) trait SetSlot {
    /// Gives a cell the table index of some choice.
    fn set(&mut self, heap: &Heap, head: &'static Head);
}

/// A record being replayed.
struct Replay {
    choices: Vec<u32>,
    next: usize,
    /// Indices that the walk has reached before the vector that they lead into.
    early: Vec<(SlotId, Choice)>,
    error: Option<Error>,
}

/// A slot and what it holds.
pub(crate) struct Drawn {
    pub slot: SlotId,
    pub text: String,
    /// It is a pointer, and the text the name of its object.
    pub is_link: bool,
}

impl Walk {
    fn new(heap: &'static Heap, mode: Mode) -> Walk {
        heap.next_walk();
        Walk { heap, mode, numbers: vec![], limit: Depth::from_here(), is_too_deep: false }
    }

    /// Visits everything from the root on.
    fn run(&mut self, root: &'static dyn Root) -> Result<(), TooDeep> {
        root.walk(self);
        if self.is_too_deep { Err(TooDeep) } else { Ok(()) }
    }

    /// Opens every reachable slot. May unwind with `DeadEnd`.
    pub(crate) fn complete(heap: &'static Heap, root: &'static dyn Root) -> Result<(), TooDeep> {
        // It owns no memory in this mode, so there is nothing to drop, which saves each valid candidate some instructions.
        ManuallyDrop::new(Walk::new(heap, Mode::Complete)).run(root)
    }

    /// The same, but leaves keys open that the lazy engine need not decide. Returns all keys.
    pub(crate) fn all_but_keys(
        heap: &'static Heap,
        root: &'static dyn Root,
    ) -> Result<Vec<OrderedKey>, TooDeep> {
        let mut w = Walk::new(heap, Mode::AllButKeys(vec![]));
        w.run(root)?;
        match w.mode {
            Mode::AllButKeys(keys) => Ok(keys),
            _ => unreachable!("the mode of a walk does not change"),
        }
    }

    /// The canonical choices of all reachable slots. May unwind with `DeadEnd`.
    pub(crate) fn record(heap: &'static Heap, root: &'static dyn Root) -> Result<Vec<u32>, TooDeep> {
        let mut w = Walk::new(heap, Mode::Record(vec![]));
        w.run(root)?;
        match w.mode {
            Mode::Record(choices) => Ok(choices),
            _ => unreachable!("the mode of a walk does not change"),
        }
    }

    /// Opens every reachable slot with the recorded choices.
    pub(crate) fn replay(heap: &'static Heap, root: &'static dyn Root, choices: &[u32]) -> Result<(), Error> {
        let replay = Replay { choices: choices.to_vec(), next: 0, early: vec![], error: None };
        let mut w = Walk::new(heap, Mode::Replay(replay));
        w.run(root).map_err(|TooDeep| Error::Stale { why: TOO_DEEP.into() })?;
        let Mode::Replay(mut replay) = w.mode else { unreachable!("the mode of a walk does not change") };
        for (slot, choice) in std::mem::take(&mut replay.early) {
            replay.open(&mut heap.state.borrow_mut(), slot, Some(choice));
        }
        match replay.error {
            Some(e) => Err(e),
            None if replay.next < replay.choices.len() => Err(Error::Stale {
                why: format!("it has {} choices, the structure now takes {}", choices.len(), replay.next),
            }),
            None => Ok(()),
        }
    }

    /// What every reachable slot holds, in words, as far as the stack reaches.
    pub(crate) fn draw(heap: &'static Heap, root: &'static dyn Root) -> Vec<Drawn> {
        let mut w = Walk::new(heap, Mode::Draw(vec![]));
        let _ = w.run(root);
        match w.mode {
            Mode::Draw(drawn) => drawn,
            _ => unreachable!("the mode of a walk does not change"),
        }
    }

    /// Sets every reachable slot from outside, until the setter unwinds.
    #[inline]
    pub(crate) fn set(heap: &'static Heap, root: &'static dyn Root, setter: Box<dyn SetSlot>) {
        root.walk(&mut Walk::new(heap, Mode::Set(setter)));
    }

    /// Whether an invariant holds for all the parts of the value that it is about.
    pub(crate) fn check(
        heap: &'static Heap,
        root: &'static dyn Root,
        check: &'static InnerCheck,
        promise: Promise,
    ) -> bool {
        let mut w = Walk::new(heap, Mode::Check(Check { check, promise, holds: true }));
        // A structure that is too deep is found out when it is completed.
        let _ = w.run(root);
        match w.mode {
            Mode::Check(check) => check.holds,
            _ => unreachable!("the mode of a walk does not change"),
        }
    }

    /// What the boxes of an object own, and theirs, and so on: each object after its owner. The candidate is complete.
    #[cold]
    pub(crate) fn owned(heap: &'static Heap, object: Owned) -> Vec<Owned> {
        let mut w = Walk::new(heap, Mode::Owned(vec![]));
        object.walk(&mut w);
        let mut next = 0;
        loop {
            let Mode::Owned(found) = &mut w.mode else { unreachable!("the mode of a walk does not change") };
            let Some(&object) = found.get(next) else { return std::mem::take(found) };
            next += 1;
            object.walk(&mut w);
        }
    }

    /// Whether invariants of parts are run.
    #[inline(always)]
    pub fn is_checking(&self) -> bool {
        matches!(self.mode, Mode::Check(_))
    }

    /// Visits a structure that has fields with an invariant: `holds` runs that of a field.
    pub fn structure<P: ?Sized + 'static>(&mut self, this: &P, holds: impl Fn(u32) -> bool) {
        if let Mode::Check(_) = self.mode {
            self.check_structure(TypeId::of::<P>(), std::ptr::from_ref(this).cast(), &holds);
        }
    }

    fn check_structure(&mut self, of: TypeId, this: *const (), holds: &dyn Fn(u32) -> bool) {
        let heap = self.heap;
        let Mode::Check(Check { check, promise, holds: all }) = &mut self.mode else { return };
        let is_due = *all && check.owner == of;
        if is_due && heap.layout.inner.as_ref().is_some_and(|inner| inner.is_about(check, this)) {
            ask::promise(*promise);
            *all = holds(check.index);
            ask::unpromise();
        }
    }

    /// Visits a slot; true if what it holds is to be visited. That is so if it is open afterwards, which it is unless it is
    /// an index whose vector comes later in a record.
    #[inline(always)]
    pub fn slot(&mut self, head: &'static Head) -> bool {
        head.is_open() && matches!(self.mode, Mode::Complete) || self.visit_slot(head)
    }

    fn visit_slot(&mut self, head: &'static Head) -> bool {
        match self.mode {
            // By far the most frequent, and then the slot is not open.
            Mode::Complete if !self.heap.is_foreign(head.slot.get()) => self.open_first(head),
            Mode::Complete | Mode::Owned(_) => {}
            _ => return self.visit_slot_in_mode(head),
        }
        head.is_open() || self.shows_inside(head)
    }

    /// The same for modes that do more than to open slots.
    fn visit_slot_in_mode(&mut self, head: &'static Head) -> bool {
        if let Mode::Check(Check { check, holds, .. }) = &self.mode {
            // The visitor reads it, if it leads anywhere.
            let inner = self.heap.layout.inner.as_ref();
            return *holds && inner.is_some_and(|inner| inner.leads_to(head.slot.get(), check));
        }
        self.open_slot(head);
        head.is_open() || self.shows_inside(head)
    }

    /// Whether a slot shows a pattern that has cells inside.
    fn shows_inside(&self, head: &Head) -> bool {
        !head.is_unread() && self.heap.layout.slot(head.slot.get()).patterns == Patterns::Inside
    }

    fn open_slot(&mut self, head: &'static Head) {
        let id = head.slot.get();
        if let Mode::Set(setter) = &mut self.mode {
            return setter.set(self.heap, head);
        }
        if self.heap.is_foreign(id) {
            return;
        }
        if let Mode::AllButKeys(keys) = &mut self.mode {
            if head.is_unread() {
                self.heap.open_but_keys(id);
            }
            return note_keys(self.heap, id, keys);
        }
        if !head.is_open() {
            let replayed = match &mut self.mode {
                Mode::Replay(replay) => replay.slot(&mut self.heap.state.borrow_mut(), id),
                _ => false,
            };
            if replayed {
                return;
            }
            // After a choice that is not allowed, the rest of the record means nothing: take first choices.
            self.open_first(head);
        }
        if let Mode::Record(_) = self.mode {
            let choice = self.canonical(id);
            if let Mode::Record(choices) = &mut self.mode {
                choices.push(choice);
            }
        }
    }

    /// Opens a slot with its first choice, unless it shows a pattern with cells inside.
    #[inline]
    fn open_first(&self, head: &Head) {
        let id = head.slot.get();
        if self.heap.layout.slot(id).patterns != Patterns::Inside {
            self.heap.open_value(id);
        } else if head.is_unread() {
            self.heap.open_but_keys(id);
        }
    }

    /// Notes what the slot holds, for drawing.
    #[inline(always)]
    pub fn show(&mut self, head: &Head, label: impl Fn() -> String) {
        if matches!(self.mode, Mode::Draw(_)) {
            self.note(head, &label);
        }
    }

    /// Visits the components of a tuple or range. A drawing shows them as one, if none leads to an object.
    pub(crate) fn joined(&mut self, [open, between, close]: [&str; 3], visit: impl FnOnce(&mut Walk)) {
        let drawn = |w: &Walk| if let Mode::Draw(drawn) = &w.mode { drawn.len() } else { 0 };
        let before = drawn(self);
        visit(self);
        let Mode::Draw(drawn) = &mut self.mode else { return };
        if drawn.len() > before && drawn[before..].iter().all(|component| !component.is_link) {
            let texts: Vec<String> = drawn[before..].iter().map(|component| component.text.clone()).collect();
            drawn.truncate(before + 1);
            drawn[before].text = format!("{open}{}{close}", texts.join(between));
        }
    }

    /// Visits what is inside of a value. A drawing shows that in place of the value itself.
    pub(crate) fn in_place(&mut self, visit: impl FnOnce(&mut Walk)) {
        let last = if let Mode::Draw(drawn) = &mut self.mode { drawn.pop() } else { None };
        visit(self);
        if let (Mode::Draw(drawn), Some(last)) = (&mut self.mode, last) {
            if drawn.last().is_none_or(|inside| inside.slot <= last.slot) {
                drawn.push(last);
            }
        }
    }

    fn note(&mut self, head: &Head, label: &dyn Fn() -> String) {
        let id = head.slot.get();
        let choice = self.canonical(id);
        let (text, is_link) = {
            let layout = self.heap.layout;
            match layout.kind(id) {
                Kind::Pointer(p) if choice < u32::from(p.nones) => ("none".to_owned(), false),
                Kind::Pointer(p) if choice < p.prefix => (label(), false),
                Kind::Pointer(p) => (format!("{}#{}", layout.pool_label(p.pool), choice - p.prefix), true),
                Kind::Index { prefix, .. } if choice < prefix => ("none".to_owned(), false),
                Kind::Index { prefix, .. } => (format!("[{}]", choice - prefix), false),
                _ if !head.is_open() => ((layout.info(id).texts)(choice), false),
                _ => (label(), false),
            }
        };
        if let Mode::Draw(drawn) = &mut self.mode {
            drawn.push(Drawn { slot: id, text, is_link });
        }
    }

    /// The choice of an open slot, with the object's canonical number in place of its own.
    fn canonical(&mut self, id: SlotId) -> Choice {
        let is_open = self.heap.layout.is_open(id);
        let pattern = if is_open { None } else { patterns::lowest_value(&self.heap.state.borrow(), id) };
        let choice = pattern.unwrap_or_else(|| self.heap.layout.choice(id));
        match self.heap.layout.kind(id) {
            Kind::Pointer(p) if choice >= p.prefix => {
                let (pool, object) = (p.pool.index(), p.object(choice).index());
                while self.numbers.len() <= pool {
                    self.numbers.push(Numbers::default());
                }
                let Numbers { given, count } = &mut self.numbers[pool];
                if given.len() <= object {
                    given.resize(object + 1, 0);
                }
                if given[object] == 0 {
                    *count += 1;
                    given[object] = *count;
                }
                p.prefix + given[object] - 1
            }
            _ => choice,
        }
    }

    /// Visits the object of a box.
    #[inline]
    pub(crate) fn boxed<O: Part>(&mut self, object: &'static Pooled<O>) {
        match &mut self.mode {
            Mode::Owned(found) => found.push(Owned::of(object)),
            _ => self.object(object),
        }
    }

    /// Visits an object that is shared, unless it was visited before.
    pub fn object<O: Part>(&mut self, object: &'static Pooled<O>) {
        if let Mode::Owned(_) = self.mode {
            return;
        }
        let walk = self.heap.walk.get();
        if object.mark.replace(walk) != walk {
            if self.limit.is_reached() {
                self.is_too_deep = true;
                return;
            }
            object.object.walk(self);
        }
    }
}

/// Notes the keys that an open slot holds, or those of its pattern.
fn note_keys(heap: &Heap, id: SlotId, found: &mut Vec<OrderedKey>) {
    let (slot, info) = (heap.layout.slot(id), heap.layout.info(id));
    match &info.keys {
        Some(keys) if slot.head.is_open() => {
            for &key in keys.of(heap.layout.choice(id)) {
                found.push(OrderedKey::Number(key));
            }
        }
        Some(keys) => {
            let count = heap.state.borrow().path.pattern(id).map_or(0, |first| keys.of(first).len());
            for &key in &info.key_slots[..count] {
                found.push(OrderedKey::Slot(key));
            }
        }
        None if slot.is_key && info.code.is_some() && slot.head.index.get() >= slot.nones => {
            found.push(OrderedKey::Slot(id));
        }
        None => {}
    }
}

impl Replay {
    /// Visits a slot; whether it needs nothing more.
    fn slot(&mut self, s: &mut State, id: SlotId) -> bool {
        let choice = self.choices.get(self.next).copied();
        self.next += 1;
        match choice {
            Some(choice) if s.layout.is_early_index(id) => {
                self.early.push((id, choice));
                true
            }
            _ => self.open(s, id, choice),
        }
    }

    /// Opens a slot if the choice is allowed there, and notes the first one that is not.
    fn open(&mut self, s: &mut State, id: SlotId, choice: Option<Choice>) -> bool {
        if self.error.is_some() {
            return false;
        }
        if let Some(choice) = choice.filter(|&choice| s.admissible(id, choice)) {
            s.push(id, choice);
            return true;
        }
        let at = s.layout.label(id);
        let why = match choice {
            Some(c) => format!("choice {c} is not allowed at `{at}`"),
            None => format!("it ends before `{at}`"),
        };
        self.error = Some(Error::Stale { why });
        false
    }
}
