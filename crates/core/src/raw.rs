//! The bounded heap without a search: choices are put in by hand, with no rule about their order, no
//! isomorphism and no ownership. For oracles that want to enumerate everything.

use crate::bounds::Bounds;
use crate::build::Build;
use crate::cell::{Head, UNREAD};
use crate::error::Error;
use crate::heap::{Heap, Kind, Ownership};
use crate::link::Builder;
use crate::shape::{Bounded, Mirrored, Part};
use crate::walk::Walk;
use std::collections::HashMap;
use std::mem::ManuallyDrop;

/// A bounded heap whose slots are set from outside.
pub struct Raw<T: Bounded> {
    heap: &'static Heap,
    root: &'static T::Cell,
}

/// What a list of choices leads to.
#[derive(Debug)]
pub enum Probe {
    /// The walk comes to one more slot, with this many choices.
    Open(u32),
    /// A vector is longer than the objects that are left.
    Impossible,
    /// Every reachable slot has a choice.
    Complete(Vec<SlotView>),
}

/// A reachable slot and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotView {
    /// The field.
    pub field: String,
    /// Class and number of the object that the slot belongs to; `None` for the value itself.
    pub object: Option<(u32, u32)>,
    /// What it holds.
    pub content: Content,
}

/// What a slot can hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The value with this number.
    Value(u32),
    /// No object: the how-manieth way of being none.
    None(u32),
    /// An object.
    Object {
        /// Its class.
        class: u32,
        /// Its number.
        object: u32,
        /// How the pointer holds it.
        ownership: Ownership,
    },
    /// A vector of objects: class, first object, length.
    Items {
        /// Its class.
        class: u32,
        /// The number of the first element.
        start: u32,
        /// The length.
        len: u32,
    },
    /// An index into the vector whose first object this is: class, object.
    Index {
        /// The class of the elements.
        class: u32,
        /// The element's number.
        object: u32,
    },
}

/// State of a raw walk: the choices to put in, and the slots that were set.
pub(crate) struct RawWalk {
    choices: Vec<u32>,
    set: Vec<&'static Head>,
    views: Vec<SlotView>,
    /// Objects of vectors taken so far, by class.
    taken: HashMap<u32, u32>,
    arenas: HashMap<u32, (u32, u32, u32)>,
}

/// Thrown, without the panic hook, when the walk cannot go on.
pub(crate) enum Halt {
    Open(u32),
    Impossible,
}

impl RawWalk {
    /// Sets the slot that the walk has come to.
    pub(crate) fn slot(&mut self, heap: &'static Heap, head: &'static Head) {
        let s = heap.state.borrow();
        let id = head.slot.get();
        let (slot, info) = (&s.slots[id as usize], &s.infos[id as usize]);
        let count = match slot.kind {
            Kind::Pointer(p) => p.prefix + s.classes[p.class as usize].size,
            Kind::Index { arena, prefix, .. } => prefix + self.arenas.get(&arena).map_or(0, |a| a.2),
            _ => s.choices(id) as u32,
        };
        let first = match slot.kind {
            Kind::Pointer(p) if !p.nullable => p.prefix,
            _ => 0,
        };
        let Some(&choice) = self.choices.get(self.views.len()) else {
            drop(s);
            std::panic::resume_unwind(Box::new(Halt::Open(count - first)));
        };
        let choice = choice + first;
        let (index, content) = match slot.kind {
            Kind::Values { .. } => (choice, Content::Value(choice)),
            Kind::Pointer(p) if choice < p.prefix => (choice, Content::None(choice)),
            Kind::Pointer(p) => {
                let object = choice - p.prefix;
                (choice, Content::Object { class: p.class, object, ownership: p.ownership })
            }
            Kind::Items { prefix, .. } if choice < prefix => (choice, Content::None(choice)),
            Kind::Items { class, prefix, .. } => {
                let len = info.lengths[(choice - prefix) as usize];
                let size = s.classes[class as usize].size;
                let taken = self.taken.entry(class).or_default();
                let start = *taken;
                *taken += len;
                if *taken > size {
                    drop(s);
                    std::panic::resume_unwind(Box::new(Halt::Impossible));
                }
                self.arenas.insert(id, (class, start, len));
                (prefix + (choice - prefix) * (size + 1) + start, Content::Items { class, start, len })
            }
            Kind::Index { prefix, .. } if choice < prefix => (choice, Content::None(choice)),
            Kind::Index { arena, prefix, .. } => {
                let (class, start, _) = self.arenas[&arena];
                (choice, Content::Index { class, object: start + choice - prefix })
            }
        };
        self.views.push(SlotView { field: info.site.to_string(), object: info.object, content });
        head.index.set(index);
        self.set.push(head);
    }
}

impl<T: Bounded> Raw<T> {
    /// Lays out the heap.
    pub fn new(bounds: &Bounds) -> Result<Self, Error> {
        let root: &'static T::Cell = Box::leak(Box::new(<T as Mirrored>::Cell::blank()));
        Ok(Raw { heap: Builder::build(root, bounds, true)?, root })
    }

    /// Puts choices into the slots in the order of the walk.
    pub fn probe(&mut self, choices: &[u32]) -> Probe {
        self.with(choices, |walk| walk.views)
    }

    /// Puts choices in and builds the value; it is not dropped by itself, since nothing is known about it.
    /// The caller vouches that every reachable slot has a choice.
    ///
    /// # Safety
    ///
    /// No object may have two unique owners, and none may be without an owner if its class needs one.
    pub unsafe fn build(&mut self, choices: &[u32]) -> Option<ManuallyDrop<T>> {
        let mut value = None;
        let probe = self.with(choices, |walk| {
            self.heap.next_walk();
            value = Some(ManuallyDrop::new(Build::run(self.heap.walk.get(), self.root)));
            walk.views
        });
        if let Probe::Complete(_) = probe { value } else { None }
    }

    fn with(&self, choices: &[u32], then: impl FnOnce(RawWalk) -> Vec<SlotView>) -> Probe {
        let raw = RawWalk {
            choices: choices.to_vec(),
            set: vec![],
            views: vec![],
            taken: HashMap::new(),
            arenas: HashMap::new(),
        };
        let (halt, mut walked) = Walk::raw(self.heap, self.root, raw);
        let set = std::mem::take(&mut walked.set);
        let probe = match halt {
            Some(Halt::Open(n)) => Probe::Open(n),
            Some(Halt::Impossible) => Probe::Impossible,
            None => Probe::Complete(then(walked)),
        };
        set.iter().for_each(|head| head.index.set(UNREAD));
        probe
    }
}
