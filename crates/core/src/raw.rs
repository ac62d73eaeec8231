//! The bounded heap without a search: choices are put in by hand, with no rule about their order, no
//! isomorphism and no ownership. For oracles that enumerate everything.

use crate::absorb::Absorb;
use crate::bounds::Bounds;
use crate::build::Build;
use crate::candidate::Candidate;
use crate::cell::{Head, UNREAD};
use crate::error::Error;
use crate::heap::Heap;
use crate::ids::{PoolId, SlotId};
pub use crate::layout::Ownership;
use crate::layout::{Kind, Pool};
use crate::link::Builder;
use crate::mirror::root::{Root, blank};
use crate::options::Engine;
use crate::shape::Bounded;
use crate::site::{FieldSite, TypeSite};
use crate::walk::{SetSlot, Walk};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// A bounded heap whose slots are set from outside.
///
/// Everything that does not depend on the type of the values is in [`AnyRaw`].
pub struct Raw<T: Bounded> {
    any: AnyRaw,
    root: &'static T::Cell,
    build: Build,
}

/// A bounded heap whose slots are set from outside, for values of any type.
pub struct AnyRaw {
    heap: &'static Heap,
    root: &'static dyn Root,
}

/// What a list of choices leads to.
#[derive(Debug)]
pub enum Probe {
    /// The walk reaches one more slot, with this many choices.
    Open(u32),
    /// A vector is longer than the objects that are left, or an index leads past the end of its vector.
    Impossible,
    /// Every reachable slot has a choice.
    Complete(Vec<SlotView>),
}

/// A reachable slot and what it holds.
#[derive(Debug, Clone, Copy)]
pub struct SlotView {
    /// The slot's number.
    pub slot: u32,
    /// The field.
    pub field: &'static FieldSite,
    /// Pool and number of the object that the slot belongs to; `None` for the value itself.
    pub object: Option<(u32, u32)>,
    /// What it holds.
    pub content: Content,
    /// The elements of sequences in what it holds, if a bound on the size of the whole value counts them.
    pub elements: u32,
}

/// What a slot can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// The value with this number.
    Value(u32),
    /// No object: the number of the way to be none.
    None(u32),
    /// An object.
    Object {
        /// Its pool.
        class: u32,
        /// Its number.
        object: u32,
        /// How the pointer holds it.
        ownership: Ownership,
    },
    /// A vector of objects.
    Items {
        /// Their pool.
        class: u32,
        /// The number of the first element.
        start: u32,
        /// The length.
        len: u32,
    },
    /// An index into a vector of objects.
    Index {
        /// The pool of the elements.
        class: u32,
        /// The number of the element that it leads to.
        object: u32,
        /// The element's place in the vector.
        position: u32,
    },
}

/// State of a raw walk: the choices to put in, and the slots that were set.
#[derive(Default)]
struct RawWalk {
    choices: Vec<u32>,
    /// The choices are those of a [`Candidate`], which count a null that is not allowed.
    recorded: bool,
    set: Vec<&'static Head>,
    views: Vec<SlotView>,
    /// Objects of vectors taken so far, by pool.
    taken: HashMap<PoolId, u32>,
    /// Pool, first object and length of each vector met so far, by slot.
    arenas: HashMap<SlotId, (PoolId, u32, u32)>,
    /// Views that are indices, and the slots of their vectors, which may come later in the walk.
    indices: Vec<(usize, SlotId)>,
}

/// Thrown, without the panic hook, when the walk cannot go on.
enum Halt {
    Open(u32),
    Impossible,
}

impl Halt {
    #[inline]
    fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

impl SetSlot for Rc<RefCell<RawWalk>> {
    #[inline]
    fn set(&mut self, heap: &Heap, head: &'static Head) {
        self.borrow_mut().set(heap, head);
    }
}

impl RawWalk {
    /// Sets the slot that the walk has reached.
    #[inline]
    fn set(&mut self, heap: &Heap, head: &'static Head) {
        let layout = heap.layout;
        let id = head.slot.get();
        let (slot, info) = (layout.slot(id), layout.info(id));
        let count = match slot.kind {
            Kind::Pointer(p) => p.prefix + layout.pool(p.pool).size,
            Kind::Index { arena, prefix, count } => prefix + self.arenas.get(&arena).map_or(count, |a| a.2),
            _ => layout.choices(id) as u32,
        };
        let first = match slot.kind {
            Kind::Pointer(p) if !self.recorded => p.first_choice(0),
            _ => 0,
        };
        let Some(&choice) = self.choices.get(self.views.len()) else {
            Halt::Open(count - first).throw();
        };
        let choice = choice + first;
        if choice >= count {
            Halt::Impossible.throw();
        }
        let (index, content) = match slot.kind {
            Kind::Values { .. } => (choice, Content::Value(choice)),
            Kind::Pointer(p) if choice < u32::from(p.nones) => (choice, Content::None(choice)),
            Kind::Pointer(p) if choice < p.prefix => (choice, Content::Value(choice)),
            Kind::Pointer(p) => {
                let (class, object) = (p.pool.number(), p.object(choice).number());
                (choice, Content::Object { class, object, ownership: p.ownership })
            }
            Kind::Items { pool, prefix, .. } if choice < prefix => {
                self.arenas.insert(id, (pool, 0, 0));
                (choice, Content::None(choice))
            }
            Kind::Items { pool, prefix, .. } => {
                let len = info.lengths[(choice - prefix) as usize];
                let size = layout.pool(pool).size;
                let taken = self.taken.entry(pool).or_default();
                let start = *taken;
                *taken += len;
                if *taken > size {
                    Halt::Impossible.throw();
                }
                self.arenas.insert(id, (pool, start, len));
                let content = Content::Items { class: pool.number(), start, len };
                (layout.table_index(id, choice, start), content)
            }
            Kind::Index { prefix, .. } if choice < prefix => (choice, Content::None(choice)),
            Kind::Index { arena, prefix, .. } => {
                self.indices.push((self.views.len(), arena));
                (choice, Content::Index { class: 0, object: 0, position: choice - prefix })
            }
        };
        let object = info.object.map(|(pool, object)| (pool.number(), object.number()));
        // Without ownership, choices need elements and no objects.
        let elements = match slot.kind {
            Kind::Values { .. } => {
                info.needs.get(choice as usize).into_iter().flatten().map(|(_, n)| n).sum()
            }
            _ => 0,
        };
        self.views.push(SlotView { slot: id.number(), field: info.site, object, content, elements });
        head.index.set(index);
        self.set.push(head);
    }

    /// Resolves which element each index leads to; false if an index leads to none.
    #[inline]
    fn resolve_indices(&mut self) -> bool {
        self.indices.iter().all(|&(view, arena)| {
            let Content::Index { class, object, position } = &mut self.views[view].content else {
                return false;
            };
            let Some(&(of, start, len)) = self.arenas.get(&arena) else { return false };
            (*class, *object) = (of.number(), start + *position);
            *position < len
        })
    }
}

impl<T: Bounded> Deref for Raw<T> {
    type Target = AnyRaw;
    fn deref(&self) -> &AnyRaw {
        &self.any
    }
}

impl<T: Bounded> DerefMut for Raw<T> {
    fn deref_mut(&mut self) -> &mut AnyRaw {
        &mut self.any
    }
}

impl<T: Bounded> Raw<T> {
    /// Lays out the heap.
    pub fn new(bounds: &Bounds) -> Result<Self, Error> {
        let root = blank::<T::Cell>();
        let heap = Builder::build(root, bounds, Engine::Korat, false)?;
        Ok(Raw { any: AnyRaw { heap, root }, root, build: Build::within(heap) })
    }

    /// Puts choices in and builds the value; it is not dropped by itself, since nothing is known about it.
    /// `None` unless every reachable slot has a choice.
    ///
    /// # Safety
    ///
    /// No object may have two unique owners, and none may be without an owner if its pool needs one.
    pub unsafe fn build(&mut self, choices: &[u32]) -> Option<ManuallyDrop<T>> {
        let mut value = None;
        let (root, build) = (self.root, &mut self.build);
        self.any.with(choices, false, &mut || value = Some(ManuallyDrop::new(build.run(root))));
        value
    }

    /// The invariant of a part that a value built from these choices breaks.
    pub fn broken_part(&mut self, choices: &[u32], value: &T) -> Option<&'static str> {
        let mut broken = None;
        let (heap, root) = (self.heap, self.root);
        let then = &mut || broken = Absorb::broken(heap, root, value).map(|site| site.text);
        self.any.with(choices, false, then);
        broken
    }
}

impl AnyRaw {
    /// The ways in which pointers of these types hold objects, by pool, whether the bounds allow such pointers or
    /// not.
    #[inline]
    pub fn pointers(&self) -> Vec<(u32, Ownership)> {
        self.heap.layout.pointers.iter().map(|(pool, ownership)| (pool.number(), *ownership)).collect()
    }

    /// The type, the name and the size of each pool. Inputs have pools of their own.
    #[inline]
    pub fn pools(&self) -> Vec<(&'static TypeSite, String, u32)> {
        let layout = self.heap.layout;
        let name = |pool: &Pool| match layout.parts.input(pool.part) {
            Some(input) => format!("{input}.{}", pool.name),
            None => pool.name.clone(),
        };
        let elements = layout.total.as_ref().map(|total| total.elements);
        let pools = layout.pools.iter().take(elements.map_or(usize::MAX, PoolId::index));
        pools.map(|pool| (pool.site, name(pool), pool.size)).collect()
    }

    /// The bound on the size of the whole value, if there is one.
    #[inline]
    pub fn size(&self) -> Option<u32> {
        self.heap.layout.total.as_ref().map(|total| total.size)
    }

    /// The slots of those vectors that declared indices lead into.
    #[inline]
    pub fn arenas(&self) -> Vec<u32> {
        let arena = |kind| if let Kind::Index { arena, .. } = kind { Some(arena.number()) } else { None };
        self.heap.layout.slots.iter().filter_map(|slot| arena(slot.kind)).collect()
    }

    /// Puts choices into the slots in the order of the walk.
    #[inline]
    pub fn probe(&mut self, choices: &[u32]) -> Probe {
        self.with(choices, false, &mut || ())
    }

    /// The slots of a candidate that a search has delivered for the same bounds.
    #[inline]
    pub fn read(&mut self, candidate: &Candidate) -> Probe {
        self.with(&candidate.0, true, &mut || ())
    }

    /// Puts choices in, calls `then` if every reachable slot has one, and takes them out again.
    #[inline]
    fn with(&mut self, choices: &[u32], recorded: bool, then: &mut dyn FnMut()) -> Probe {
        let raw = RawWalk { choices: choices.to_vec(), recorded, ..RawWalk::default() };
        let raw = Rc::new(RefCell::new(raw));
        let walk = || Walk::set(self.heap, self.root, Box::new(Rc::clone(&raw)));
        let halt = catch_unwind(AssertUnwindSafe(walk)).err().map(|thrown| match thrown.downcast::<Halt>() {
            Ok(halt) => *halt,
            Err(thrown) => resume_unwind(thrown),
        });
        let mut walked = raw.take();
        let probe = match halt {
            Some(Halt::Open(n)) => Probe::Open(n),
            None if walked.resolve_indices() => {
                then();
                Probe::Complete(walked.views)
            }
            Some(Halt::Impossible) | None => Probe::Impossible,
        };
        walked.set.iter().for_each(|head| head.index.set(UNREAD));
        probe
    }
}
