//! From an ordinary value back to a candidate: every slot is opened with the choice that the value has. Or, beside the
//! candidate that a value was built from, through the value: the invariants of its parts run.

use crate::cell::{Head, Tracked};
use crate::error::Error;
use crate::guard::{Depth, TOO_DEEP};
use crate::heap::Heap;
use crate::ids::{Choice, ObjectId, PoolId, SlotId};
use crate::layout::{Inner, Kind};
use crate::mirror::Pooled;
use crate::shape::{Part, Value, fieldless_before};
use crate::site::ConjunctSite;
use std::any::TypeId;

/// A value being read back.
pub struct Absorb {
    heap: &'static Heap,
    /// Pools, addresses and numbers of the objects that were met.
    objects: Vec<(PoolId, usize, ObjectId)>,
    /// The slot that is being opened.
    current: SlotId,
    /// Indices, opened last: the length of their arena has to be open.
    later: Vec<(&'static Head, Option<Choice>)>,
    limit: Depth,
    error: Option<Error>,
    /// The value is the one of the current candidate: runs the invariants of its parts, until one is broken.
    checked: Option<Checked>,
}

/// The invariants of the parts of a value.
struct Checked {
    inner: &'static Inner,
    /// The conjunct that is broken.
    broken: Option<&'static ConjunctSite>,
}

impl Absorb {
    fn new(heap: &'static Heap, checked: Option<Checked>) -> Absorb {
        heap.next_walk();
        Absorb {
            heap,
            objects: vec![],
            current: SlotId::default(),
            later: vec![],
            limit: Depth::from_here(),
            error: None,
            checked,
        }
    }

    /// Runs the invariants of the parts of a value that was built from the current, complete candidate. Returns the one that
    /// is broken.
    pub(crate) fn broken<P: Part>(
        heap: &'static Heap,
        root: &'static P,
        real: &P::Real,
    ) -> Option<&'static ConjunctSite> {
        let inner = heap.layout.inner.as_ref()?;
        let mut a = Absorb::new(heap, Some(Checked { inner, broken: None }));
        root.absorb(real, &mut a);
        a.checked.and_then(|checked| checked.broken)
    }

    /// Whether invariants of parts are run.
    #[inline(always)]
    pub fn is_checking(&self) -> bool {
        self.checked.is_some()
    }

    /// Visits a structure that has fields with an invariant: `holds` runs that of a field.
    pub fn structure<P: ?Sized + 'static>(&mut self, this: &P, holds: impl Fn(u32) -> bool) {
        self.check_structure(TypeId::of::<P>(), std::ptr::from_ref(this).cast(), &holds);
    }

    fn check_structure(&mut self, of: TypeId, this: *const (), holds: &dyn Fn(u32) -> bool) {
        let Some(Checked { inner, broken: broken @ None }) = &mut self.checked else { return };
        for (check, site) in inner.checks.iter().zip(&inner.sites) {
            if check.owner == of && inner.is_about(check, this) && !holds(check.index) {
                *broken = Some(site);
                return;
            }
        }
    }

    pub(crate) fn run<P: Part>(heap: &'static Heap, root: &'static P, real: &P::Real) -> Result<(), Error> {
        let mut a = Absorb::new(heap, None);
        root.absorb(real, &mut a);
        for (head, choice) in std::mem::take(&mut a.later) {
            a.push(head, choice);
        }
        a.error.map_or(Ok(()), Err)
    }

    pub(crate) fn cell<T: Value>(&mut self, cell: &'static Tracked<T>, real: &T::Real) {
        if self.error.is_some() {
            return;
        }
        self.current = cell.head.slot.get();
        if let Some(Checked { inner, broken }) = &self.checked {
            if broken.is_none() && inner.leads_anywhere(self.current) {
                cell.__read().absorb_inside(real, self);
            }
            return;
        }
        let table = self.table(cell);
        let mut values = table.iter();
        let mut choice = T::choice_of(&mut || values.next(), real, self);
        if const { !T::FIELDLESS.is_empty() } && T::FIELDLESS.len() > table.len() {
            // The table has only the variants with fields.
            let with_fields = choice.filter(|&variant| !T::FIELDLESS[variant as usize]);
            choice = with_fields.map(|variant| variant - fieldless_before(T::FIELDLESS, variant as usize));
        }
        if let Kind::Index { .. } = self.heap.layout.kind(self.current) {
            self.later.push((&cell.head, choice));
            return;
        }
        self.push(&cell.head, choice);
        if self.error.is_none() {
            cell.__read().absorb_inside(real, self);
        }
    }

    pub(crate) fn listed<T>(&mut self, cell: &'static Tracked<T>, is_it: impl Fn(&T) -> bool) {
        if self.checked.is_some() {
            return;
        }
        self.current = cell.head.slot.get();
        let choice = self.table(cell).iter().position(is_it);
        self.push(&cell.head, choice.map(|c| c as u32));
    }

    fn table<T>(&self, cell: &'static Tracked<T>) -> &'static [T] {
        let len = self.heap.layout.table_len(cell.head.slot.get());
        // SAFETY: linking has checked the length of the leaked table against the slot's kind.
        unsafe { std::slice::from_raw_parts(cell.table.get(), len) }
    }

    fn push(&mut self, head: &'static Head, choice: Option<Choice>) {
        if self.error.is_some() || head.is_open() {
            return;
        }
        let id = head.slot.get();
        let mut s = self.heap.state.borrow_mut();
        match choice {
            Some(c) if s.admissible(id, c) => s.push(id, c),
            Some(_) => {
                let why = "more objects than the bounds allow, or an object with two owners".to_owned();
                self.error = Some(Error::OutOfBounds { at: s.layout.label(id), why });
            }
            None => {
                let why = "its value is not in the domain".into();
                self.error = Some(Error::OutOfBounds { at: s.layout.label(id), why });
            }
        }
    }

    /// The choice of the current slot that leads to the object at an address: a known one, or a new one. The
    /// choices that are no object are not counted.
    pub(crate) fn object(&mut self, address: *const ()) -> Option<u32> {
        let s = self.heap.state.borrow();
        let Kind::Pointer(p) = self.heap.layout.kind(self.current) else { return None };
        let pool = s.objects.pool(p.pool);
        let address = address as usize;
        let known = self.objects.iter().find(|known| known.0 == p.pool && known.1 == address);
        let number = known.map_or(ObjectId::new(pool.used), |known| known.2);
        if known.is_none() {
            self.objects.push((p.pool, address, number));
        }
        (number.number() < pool.size).then_some(number.number())
    }

    /// The same for a box: no other box leads there. A box of a type without content has no address of its own,
    /// so each stands for a new object.
    pub(crate) fn boxed<T>(&mut self, real: &T) -> Option<u32> {
        let address = std::ptr::from_ref(real).cast();
        if size_of::<T>() == 0 {
            self.forget(address);
        }
        self.object(address)
    }

    fn forget(&mut self, address: *const ()) {
        self.objects.retain(|known| known.1 != address as usize);
    }

    /// The choice of the current slot for a length.
    #[inline]
    pub(crate) fn length(&mut self, len: usize) -> Option<Choice> {
        self.heap.layout.info(self.current).lengths.iter().position(|&l| l as usize == len).map(|i| i as u32)
    }

    /// Reads an object back, unless that was done already.
    pub(crate) fn enter<O: Part>(&mut self, object: &'static Pooled<O>, real: &O::Real) {
        let walk = self.heap.walk.get();
        if object.mark.replace(walk) != walk {
            if self.limit.is_reached() {
                let at = self.heap.layout.label(self.current);
                self.error.get_or_insert(Error::OutOfBounds { at, why: TOO_DEEP.into() });
                return;
            }
            object.object.absorb(real, self);
        }
    }
}
