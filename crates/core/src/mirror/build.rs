//! From a complete candidate to an owned, ordinary value.
//!
//! What a box owns is filled before the box is made, and nothing but the box leads there afterwards. Boxes form trees, so
//! recursion does that; where the trees are deep, it goes on from a list of what is owned. All other objects are allocated
//! when the first pointer to them is made, and filled from a work list, so that shared objects and cycles need no special
//! care. Until the list is empty, values exist that point to unfilled memory. They are only moved, never read
//! ([`crate::shape::Part`]), and every place that holds one while user code could unwind (a listed value's `Clone`, a key's `Ord`) keeps it
//! in `ManuallyDrop`: a panic then leaks the half-made value, and drops nothing.
//!
//! A value that was built before can also be changed into that of another candidate (`Build::change`): what has the
//! same shape is written over, the rest is built and replaced. Nothing is compared but shapes, and those of the value
//! itself, so it does not matter which candidate the value comes from, or whether a test has changed what is in its
//! cells.

use crate::guard::{Depth, step};
use crate::heap::{Heap, patterns};
use crate::key::Key;
use crate::mirror::Pooled;
use crate::shape::{Part, Value};
use crate::walk::Walk;
use std::mem::ManuallyDrop;
use std::mem::MaybeUninit;
use std::rc::Rc;
use std::sync::Arc;

/// Makes values, one after the other.
pub struct Build {
    /// The heap of the candidates, which knows keys that are left open.
    heap: Option<&'static Heap>,
    /// Marks the objects that this build has allocated. There is one builder for a heap, and it never uses a number
    /// twice.
    number: u64,
    todo: Vec<Todo>,
    /// Gives back the builder's own reference to each shared object.
    release: Vec<Release>,
    /// Where recursion ends, and what boxes own is filled without.
    limit: Depth,
    /// Copies a value in the middle of a run: boxes may lead to the same object.
    is_copy: bool,
}

/// An object that is to be filled or changed.
struct Todo {
    act: unsafe fn(*const (), *mut (), &mut Build),
    /// A `&'static Pooled<O>`.
    object: *const (),
    /// The place of an `O::Real`.
    address: *mut (),
}

/// A reference to be dropped.
struct Release {
    act: unsafe fn(*mut ()),
    address: *mut (),
}

/// Fills an object.
///
/// # Safety
///
/// `object` is a `&'static Pooled<O>`, and `address` memory for an `O::Real` that no other pointer is used for.
unsafe fn fill<O: Part>(object: *const (), address: *mut (), b: &mut Build) {
    // SAFETY: the caller says so.
    unsafe {
        let object: &'static Pooled<O> = &*object.cast();
        address.cast::<O::Real>().write(object.object.build(b));
    }
}

/// Changes an object.
///
/// # Safety
///
/// `object` is a `&'static Pooled<O>`, and `address` that of an `O::Real` to which nothing else has access.
unsafe fn change<O: Part>(object: *const (), address: *mut (), b: &mut Build) {
    // SAFETY: the caller says so.
    unsafe {
        let object: &'static Pooled<O> = &*object.cast();
        object.object.update(&mut *address.cast::<O::Real>(), b);
    }
}

/// Memory for a value, allocated as `Box` does.
fn new_box<T>() -> *mut T {
    Box::into_raw(Box::<T>::new_uninit()).cast()
}

/// An object that a box owns.
#[derive(Clone, Copy)]
pub(crate) struct Owned {
    /// A `&'static Pooled<O>`.
    object: *const (),
    walk: unsafe fn(*const (), &mut Walk),
    fill: unsafe fn(*const (), &mut Build),
}

impl Owned {
    #[inline]
    pub(crate) fn of<O: Part>(object: &'static Pooled<O>) -> Owned {
        Owned {
            object: std::ptr::from_ref(object).cast(),
            // SAFETY: both are called with this object only.
            walk: |object, w| unsafe { &*object.cast::<Pooled<O>>() }.object.walk(w),
            // SAFETY: as above.
            fill: |object, b| _ = b.filled(unsafe { &*object.cast::<Pooled<O>>() }),
        }
    }

    /// Visits the object.
    pub(crate) fn walk(self, w: &mut Walk) {
        // SAFETY: the function is the one of the object.
        unsafe { (self.walk)(self.object, w) }
    }
}

impl Build {
    pub(crate) fn new() -> Build {
        Build {
            heap: None,
            number: 0,
            todo: vec![],
            release: vec![],
            limit: Depth::default(),
            is_copy: false,
        }
    }

    /// The same, for candidates in which keys may be left open.
    pub(crate) fn within(heap: &'static Heap) -> Build {
        Build { heap: Some(heap), ..Build::new() }
    }

    /// The key that stands for one that is left open, in a pattern.
    #[inline]
    pub(crate) fn key(&self, key: Key) -> Key {
        match (key.open_slot(), self.heap) {
            (Some(slot), Some(heap)) => Key::new(patterns::lowest_key(&heap.state.borrow(), slot)),
            _ => key,
        }
    }

    /// Builds the value of a complete candidate in which no object has two unique owners.
    #[inline]
    pub(crate) fn run<P: Part>(&mut self, root: &'static P) -> P::Real {
        self.start();
        let value = ManuallyDrop::new(root.build(self));
        self.finish();
        ManuallyDrop::into_inner(value)
    }

    /// Builds a copy of a value that an invariant looks at or has made, with tracked reads. Its boxes may lead to the same
    /// objects, since clones do.
    pub(crate) fn copy<V: Value>(value: &V) -> V::Real {
        // SAFETY: `build` keeps no reference to the value, and what it returns refers to nothing in it: objects are copied,
        // and pointers that share objects are refused.
        let value: &'static V = unsafe { &*std::ptr::from_ref(value) };
        value.build(&mut Build { is_copy: true, ..Build::new() })
    }

    /// Changes a value into that of a complete candidate, in which all pointers are boxes and none leads where another
    /// one does. If this unwinds, the value must neither be dropped nor looked at.
    #[inline]
    pub(crate) fn change<P: Part>(&mut self, root: &'static P, value: &mut P::Real) {
        self.start();
        root.update(value, self);
        self.finish();
    }

    /// Begins a build. Drops the work that an unwound build has left.
    #[inline]
    fn start(&mut self) {
        self.number += 1;
        self.limit = Depth::of_building();
        self.todo.clear();
        self.release.clear();
    }

    #[inline]
    fn finish(&mut self) {
        while let Some(Todo { act, object, address }) = self.todo.pop() {
            // SAFETY: `allocate` and `in_box` give each function what it asks for, and each entry is taken once.
            unsafe { act(object, address, self) };
        }
        while let Some(Release { act, address }) = self.release.pop() {
            // SAFETY: `rc` and `arc` give each function the reference that it asks for, and each entry is taken once.
            unsafe { act(address) };
        }
    }

    /// The address of an object's real counterpart, and whether it is new, so that it has to be filled.
    #[inline]
    fn allocate<O: Part>(
        &self,
        object: &'static Pooled<O>,
        new: impl FnOnce() -> *mut O::Real,
    ) -> (*mut O::Real, bool) {
        assert!(
            !self.is_copy,
            "smallscope: structures with `Rc`, `Arc` or raw pointers are not compared as a whole in an invariant; compare fields, or \
             write `#[bounded(derive(PartialEq))]` on each structure"
        );
        if object.built_in.replace(self.number) == self.number {
            return (object.built.get().cast(), false);
        }
        let address = new();
        object.built.set(address.cast());
        (address, true)
    }

    /// Has an object filled before the build ends. Nothing reads it before.
    fn fill_later<O: Part>(&mut self, object: &'static Pooled<O>, address: *mut O::Real) {
        let object = std::ptr::from_ref(object).cast();
        self.todo.push(Todo { act: fill::<O>, object, address: address.cast() });
    }

    /// The address of an object, allocated as `Box` does.
    pub(crate) fn raw<O: Part>(&mut self, object: &'static Pooled<O>) -> *mut O::Real {
        let (address, is_new) = self.allocate(object, new_box);
        if is_new {
            self.fill_later(object, address);
        }
        address
    }

    /// The one box that owns an object. The object is filled first: once there is a box, only the box may lead there.
    #[inline]
    pub(crate) fn boxed<O: Part>(&mut self, object: &'static Pooled<O>) -> Box<O::Real> {
        if self.is_copy {
            step();
            return Box::new(object.object.build(self));
        }
        if self.limit.is_reached() {
            self.fill_below(Owned::of(object));
        }
        let address = self.filled(object);
        // SAFETY: allocated as a box, and filled; the search has checked that no other box owns the object.
        unsafe { Box::from_raw(address) }
    }

    /// The address of an object that a box owns, filled.
    #[inline]
    fn filled<O: Part>(&mut self, object: &'static Pooled<O>) -> *mut O::Real {
        let (address, is_new) = self.allocate(object, new_box);
        if is_new || self.take_off_list(std::ptr::from_ref(object).cast()) {
            // SAFETY: memory for a `Real` that is neither filled nor on the list of what will be.
            unsafe { address.write(object.object.build(self)) };
        }
        address
    }

    /// Takes an object off the work list, if a raw pointer has put it there. Otherwise it is filled.
    #[cold]
    fn take_off_list(&mut self, object: *const ()) -> bool {
        let before = self.todo.len();
        self.todo.retain(|todo| todo.object != object);
        self.todo.len() < before
    }

    /// Fills everything that the boxes of an object own, without recursion: what is owned before its owner.
    #[cold]
    fn fill_below(&mut self, object: Owned) {
        let Some(heap) = self.heap else { return };
        let limit = std::mem::take(&mut self.limit);
        for Owned { object, fill, .. } in Walk::owned(heap, object).into_iter().rev() {
            // SAFETY: the function is the one of the object.
            unsafe { fill(object, self) };
        }
        self.limit = limit;
    }

    /// Changes what is in the one box that owns an object.
    #[inline]
    pub(crate) fn in_box<O: Part>(&mut self, object: &'static Pooled<O>, real: &mut Box<O::Real>) {
        // The box is not touched again before the work list is done: every part of a value is updated once.
        let address = std::ptr::from_mut(&mut **real).cast();
        let object = std::ptr::from_ref(object).cast();
        self.todo.push(Todo { act: change::<O>, object, address });
    }

    /// One of the `Rc`s that share an object.
    pub(crate) fn rc<O: Part>(&mut self, object: &'static Pooled<O>) -> Rc<O::Real> {
        let new = || Rc::into_raw(Rc::<MaybeUninit<O::Real>>::new_uninit()).cast::<O::Real>().cast_mut();
        let (address, is_new) = self.allocate(object, new);
        if is_new {
            self.fill_later(object, address);
            self.release.push(Release {
                // SAFETY: this is the reference that `into_raw` above has kept; by now the object is filled.
                act: |address| drop(unsafe { Rc::<O::Real>::from_raw(address.cast()) }),
                address: address.cast(),
            });
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
            self.fill_later(object, address);
            self.release.push(Release {
                // SAFETY: this is the reference that `into_raw` above has kept; by now the object is filled.
                act: |address| drop(unsafe { Arc::<O::Real>::from_raw(address.cast()) }),
                address: address.cast(),
            });
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
        v.extend(parts.map(|part| part(self)));
        ManuallyDrop::into_inner(v)
    }
}
