//! `Box`, `Rc`, `Arc`, their weak pointers, raw pointers and `NonNull`.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::layout::{Kind, Ownership, Pointer};
use crate::link::{Allocation, At, Builder};
use crate::mirror::{self, Pooled, Seq};
use crate::shape::{Domain, Mirrored, Part, Pointee, RepOk, Struct, Table, Value};
use crate::walk::Walk;
use std::ptr::NonNull;

/// The table of a pointer: what it can be without an object, then every object of the pool. Without an object, it can be
/// none, and a box also a variant without fields. What shares an object can tell it from an equal one, so there is one
/// for each.
fn pointers<T, P>(
    b: &mut Builder,
    at: At,
    how: Allocation,
    ownership: Ownership,
    none: Option<P>,
    some: impl Fn(&'static Pooled<T::Object>) -> P,
) -> Domain<P>
where
    T: Pointee<Object: Part> + 'static,
{
    // A raw pointer to a pool that no other pointer leads to is an owner in the user's sense. Behind a `Weak` there
    // is an owner, even if the structure has no strong pointer.
    let owned = ownership != Ownership::Raw;
    let (pool, objects) = b.pool::<T>(at, how, owned);
    let mut values = Vec::with_capacity(objects.len() + 1);
    if let Some(none) = none {
        values.push(none);
    }
    let nones = values.len() as u8;
    let nullable = nones > 0 && b.may_be_null(at);
    if const { T::Object::CONSTANTS > 0 } && ownership == Ownership::Unique {
        for constant in T::Object::constants(b, at) {
            values.push(some(Box::leak(Box::new(Pooled::constant(constant)))));
        }
    }
    let prefix = values.len() as u32;
    let prepaid = ownership == Ownership::Unique && prefix == u32::from(nones) && !b.engine().aliases();
    let kind = Kind::Pointer(Pointer { pool, prefix, nones, nullable, ownership, prepaid });
    for object in objects {
        values.push(some(object));
    }
    Domain { values, kind, masks: vec![], lengths: vec![] }
}

macro_rules! strong {
    ($real:ty, $mirror:ident) => {
        impl<T: Mirrored<Mirror: Pointee>> Mirrored for $real {
            type Mirror = mirror::$mirror<T::Mirror>;
            type Cell = Tracked<mirror::$mirror<T::Mirror>>;
            type Seq = Seq<mirror::$mirror<T::Mirror>>;
            type InMap = Tracked<mirror::$mirror<T::Mirror>>;
        }

        impl<T: Pointee + RepOk> RepOk for mirror::$mirror<T> {
            const INVARIANT: Option<&'static str> = T::INVARIANT;
            fn rep_ok(&self) -> bool {
                (**self).rep_ok()
            }
        }

        impl<T: RepOk> RepOk for $real {
            const INVARIANT: Option<&'static str> = T::INVARIANT;
            fn rep_ok(&self) -> bool {
                (**self).rep_ok()
            }
        }
    };
}
strong!(Box<T>, Box);
strong!(std::rc::Rc<T>, Rc);
strong!(std::sync::Arc<T>, Arc);

impl<T: Pointee<Object: Part>> mirror::Box<T> {
    /// Whether it holds a variant without fields, and no object of the pool.
    #[inline(always)]
    fn is_constant(&self) -> bool {
        (const { T::Object::CONSTANTS > 0 }) && self.pooled().is_constant
    }
}

// SAFETY: `Build::boxed` gives each object to one box only, and a constant is built anew for each box.
unsafe impl<T: Pointee<Object: Part> + 'static> Value for mirror::Box<T> {
    type Real = Box<<T::Object as Part>::Real>;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        pointers::<T, _>(b, at, Allocation::Box, Ownership::Unique, None, mirror::Box::to_pooled)
    }
    fn walk(&'static self, w: &mut Walk) {
        if !self.is_constant() {
            w.boxed(self.pooled());
        }
    }
    #[inline]
    fn build(&'static self, b: &mut Build) -> Self::Real {
        if self.is_constant() {
            return Box::new(self.pooled().object.build(b));
        }
        b.boxed(self.pooled())
    }
    #[inline]
    fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
        b.in_box(self.pooled(), real);
    }
    fn label(&self) -> String {
        if self.is_constant() {
            return self.pooled().object.constant_label();
        }
        "pointer".into()
    }
    fn choice_of(_: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
        if const { T::Object::CONSTANTS > 0 } {
            if let Some(constant) = T::Object::constant_of(real, a) {
                return Some(constant);
            }
        }
        a.boxed(&**real).map(|object| T::Object::CONSTANTS + object)
    }
    fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
        if !self.is_constant() {
            a.enter(self.pooled(), real);
        }
    }
}

macro_rules! shared {
    ($module:ident, $strong:ident, $weak:ident, $mirror_weak:ident, $build:ident) => {
        // SAFETY: `Build` fills every object before the build ends.
        unsafe impl<T: Pointee<Object: Part> + 'static> Value for mirror::$strong<T> {
            type Real = std::$module::$strong<<T::Object as Part>::Real>;
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                pointers::<T, _>(
                    b,
                    at,
                    Allocation::$strong,
                    Ownership::Shared,
                    None,
                    mirror::$strong::to_pooled,
                )
            }
            fn walk(&'static self, w: &mut Walk) {
                w.object(self.pooled());
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                b.$build(self.pooled())
            }
            fn label(&self) -> String {
                "pointer".into()
            }
            fn choice_of(_: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
                a.object(std::$module::$strong::as_ptr(real).cast())
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
                a.enter(self.pooled(), real);
            }
        }

        impl<T: Mirrored<Mirror: Pointee>> Mirrored for std::$module::$weak<T> {
            type Mirror = mirror::$mirror_weak<T::Mirror>;
            type Cell = Tracked<mirror::$mirror_weak<T::Mirror>>;
            type Seq = Seq<mirror::$mirror_weak<T::Mirror>>;
            type InMap = Tracked<mirror::$mirror_weak<T::Mirror>>;
        }

        // SAFETY: as for the strong pointer.
        unsafe impl<T: Pointee<Object: Part> + 'static> Value for mirror::$mirror_weak<T> {
            type Real = std::$module::$weak<<T::Object as Part>::Real>;
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                let some = |o| mirror::$mirror_weak(Some(NonNull::from(o)));
                let none = Some(mirror::$mirror_weak(None));
                pointers::<T, _>(b, at, Allocation::$strong, Ownership::Weak, none, some)
            }
            fn walk(&'static self, w: &mut Walk) {
                if let Some(strong) = self.0.map(mirror::$strong::<T>) {
                    w.object(strong.pooled());
                }
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                match self.0.map(mirror::$strong::<T>) {
                    Some(strong) => std::$module::$strong::downgrade(&b.$build(strong.pooled())),
                    None => std::$module::$weak::new(),
                }
            }
            fn label(&self) -> String {
                "pointer".into()
            }
            fn choice_of(_: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
                match real.upgrade() {
                    Some(real) => a.object(std::$module::$strong::as_ptr(&real).cast()).map(|c| c + 1),
                    None => Some(0),
                }
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
                if let (Some(strong), Some(real)) = (self.0.map(mirror::$strong::<T>), real.upgrade()) {
                    a.enter(strong.pooled(), &real);
                }
            }
        }
    };
}
shared!(rc, Rc, Weak, Weak, rc);
shared!(sync, Arc, Weak, SyncWeak, arc);

/// A raw pointer to the object of a pool. It keeps the provenance of the whole `Pooled`, which
/// [`pooled_of`] relies on.
fn raw_of<T>(object: &'static Pooled<T>) -> *mut T {
    std::ptr::from_ref(object).cast::<T>().cast_mut()
}

/// The pool entry of an object that [`raw_of`] gave out.
///
/// # Safety
///
/// `raw` must come from [`raw_of`].
unsafe fn pooled_of<T>(raw: *const T) -> &'static Pooled<T> {
    // SAFETY: `Pooled` is `repr(C)` with the object first, so the addresses agree; the pool is leaked.
    unsafe { &*raw.cast::<Pooled<T>>() }
}

macro_rules! raw {
    ($($kind:tt)*) => {
        impl<T: Mirrored> Mirrored for *$($kind)* T {
            type Mirror = *$($kind)* T::Mirror;
            type Cell = Tracked<*$($kind)* T::Mirror>;
            type Seq = Seq<*$($kind)* T::Mirror>;
            type InMap = Tracked<*$($kind)* T::Mirror>;
        }

        // SAFETY: a raw pointer may lead anywhere at any time.
        unsafe impl<T: Struct + Part> Value for *$($kind)* T {
            type Real = *$($kind)* T::Real;
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                let null = std::ptr::null_mut::<T>() as Self;
                pointers::<T, _>(b, at, Allocation::Box, Ownership::Raw, Some(null), |o| raw_of(o) as Self)
            }
            fn walk(&'static self, w: &mut Walk) {
                if !self.is_null() {
                    // SAFETY: table entries come from `raw_of`.
                    w.object(unsafe { pooled_of(*self as *const T) });
                }
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                if self.is_null() {
                    return std::ptr::null_mut::<T::Real>() as Self::Real;
                }
                // SAFETY: table entries come from `raw_of`.
                b.raw(unsafe { pooled_of(*self as *const T) }) as Self::Real
            }
            fn label(&self) -> String {
                "pointer".into()
            }
            fn choice_of(_: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
                if real.is_null() { Some(0) } else { a.object(*real as *const ()).map(|c| c + 1) }
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
                if !self.is_null() {
                    // SAFETY: the table entry comes from `raw_of`; the real pointer is valid by the promise that the
                    // user made with `#[bounded(unsafe(raw_pointers))]`.
                    unsafe { a.enter(pooled_of(*self as *const T), &*(*real as *const T::Real)) };
                }
            }
        }
    };
}
raw!(mut);
raw!(const);

impl<T: Mirrored> Mirrored for NonNull<T> {
    type Mirror = NonNull<T::Mirror>;
    type Cell = Tracked<NonNull<T::Mirror>>;
    type Seq = Seq<NonNull<T::Mirror>>;
    type InMap = Tracked<NonNull<T::Mirror>>;
}

// SAFETY: a raw pointer may lead anywhere at any time.
unsafe impl<T: Struct + Part> Value for NonNull<T> {
    type Real = NonNull<T::Real>;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        let some = |o| NonNull::new(raw_of(o)).expect("an object has an address");
        pointers::<T, _>(b, at, Allocation::Box, Ownership::Raw, None, some)
    }
    fn walk(&'static self, w: &mut Walk) {
        // SAFETY: table entries come from `raw_of`.
        w.object(unsafe { pooled_of(self.as_ptr()) });
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        // SAFETY: table entries come from `raw_of`.
        NonNull::new(b.raw(unsafe { pooled_of(self.as_ptr()) })).expect("an allocation has an address")
    }
    fn label(&self) -> String {
        "pointer".into()
    }
    fn choice_of(_: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
        a.object(real.as_ptr().cast())
    }
    fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
        // SAFETY: as for `*mut T`.
        unsafe { a.enter(pooled_of(self.as_ptr()), real.as_ref()) };
    }
}
