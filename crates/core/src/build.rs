//! From a complete candidate to an owned, ordinary value.
//!
//! Objects are allocated when the first pointer to them is made and filled from a work list, so that shared
//! objects and cycles need no special care and long lists no deep recursion. Until the list is empty, values
//! exist that point to unfilled memory. They are only moved, never looked at ([`crate::shape::Part`]), and
//! every place that holds one while user code could unwind (a listed value's `Clone`, a key's `Ord`) keeps it
//! in `ManuallyDrop`: a panic then leaks the half-made value, and drops nothing.

use crate::mirror::Pooled;
use crate::shape::Part;
use std::mem::ManuallyDrop;
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::Arc;

/// Fills one object.
type Fill = Box<dyn FnOnce(&mut Build)>;

/// A value under construction.
pub struct Build {
    /// Marks the objects that this build has allocated.
    number: u32,
    todo: Vec<Fill>,
    /// Gives back the builder's own reference to each shared object.
    release: Vec<Box<dyn FnOnce()>>,
}

impl Build {
    /// Builds the value of a complete candidate in which no object has two unique owners.
    pub(crate) fn run<P: Part>(number: u32, root: &'static P) -> P::Real {
        let mut b = Build { number, todo: vec![], release: vec![] };
        let value = ManuallyDrop::new(root.build(&mut b));
        while let Some(fill) = b.todo.pop() {
            fill(&mut b);
        }
        b.release.into_iter().for_each(|release| release());
        ManuallyDrop::into_inner(value)
    }

    /// The address of an object's real counterpart, and whether it is new.
    fn allocate<O: Part>(
        &mut self,
        object: &'static Pooled<O>,
        new: impl FnOnce() -> *mut O::Real,
    ) -> (*mut O::Real, bool) {
        if object.built_in.replace(self.number) == self.number {
            return (object.built.get().cast(), false);
        }
        let address = new();
        object.built.set(address.cast());
        // SAFETY: `address` is memory for a `Real` that nobody reads before the work list is done, and this
        // entry of the list is the only one that fills it.
        self.todo.push(Box::new(move |b| unsafe { address.write(object.object.build(b)) }));
        (address, true)
    }

    /// The address of an object, allocated as `Box` does.
    pub(crate) fn raw<O: Part>(&mut self, object: &'static Pooled<O>) -> *mut O::Real {
        self.allocate(object, || Box::into_raw(Box::<O::Real>::new_uninit()).cast()).0
    }

    /// The one box that owns an object.
    pub(crate) fn boxed<O: Part>(&mut self, object: &'static Pooled<O>) -> Box<O::Real> {
        // SAFETY: allocated as a box by `raw`; the search has checked that no other box owns the object, and
        // the work list fills it before anybody looks.
        unsafe { Box::from_raw(self.raw(object)) }
    }

    /// One of the `Rc`s that share an object.
    pub(crate) fn rc<O: Part>(&mut self, object: &'static Pooled<O>) -> Rc<O::Real> {
        let new = || Rc::into_raw(Rc::<MaybeUninit<O::Real>>::new_uninit()).cast::<O::Real>().cast_mut();
        let (address, is_new) = self.allocate(object, new);
        if is_new {
            // SAFETY: this is the reference that `into_raw` above has kept; by now the object is filled.
            self.release.push(Box::new(move || drop(unsafe { Rc::from_raw(address) })));
        }
        // SAFETY: the builder holds a reference until the end, so the count is not zero.
        unsafe {
            Rc::increment_strong_count(address);
            Rc::from_raw(address)
        }
    }

    /// One of the `Arc`s that share an object.
    pub(crate) fn arc<O: Part>(&mut self, object: &'static Pooled<O>) -> Arc<O::Real> {
        let new = || Arc::into_raw(Arc::<MaybeUninit<O::Real>>::new_uninit()).cast::<O::Real>().cast_mut();
        let (address, is_new) = self.allocate(object, new);
        if is_new {
            // SAFETY: this is the reference that `into_raw` above has kept; by now the object is filled.
            self.release.push(Box::new(move || drop(unsafe { Arc::from_raw(address) })));
        }
        // SAFETY: the builder holds a reference until the end, so the count is not zero.
        unsafe {
            Arc::increment_strong_count(address);
            Arc::from_raw(address)
        }
    }

    /// A vector of parts' values; an unwinding part drops none of them.
    pub fn vec<T>(&mut self, parts: impl ExactSizeIterator<Item: FnOnce(&mut Build) -> T>) -> Vec<T> {
        let mut v = ManuallyDrop::new(Vec::with_capacity(parts.len()));
        parts.for_each(|part| v.push(part(self)));
        ManuallyDrop::into_inner(v)
    }
}
