//! `RefCell` and `Cell`. Around a structure they are part of the object, around a value part of the value.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::key::Key;
use crate::link::{At, Builder};
use crate::mirror::{self, Seq};
use crate::shape::{Domain, Mirrored, Part, Pointee, RepOk, Struct, Table, Value};
use crate::site::TypeSite;
use crate::values::tuples::{inner, split_wrapped};
use crate::walk::Walk;
use std::any::TypeId;

macro_rules! cells {
    ($name:ident, |$real:ident| $content:expr $(, $bound:ident)?) => {
        impl<T: Mirrored> Mirrored for std::cell::$name<T> {
            type Mirror = mirror::$name<T::Mirror>;
            type Cell = Tracked<mirror::$name<T::Mirror>>;
            type Seq = Seq<mirror::$name<T::Mirror>>;
            type InMap = Tracked<mirror::$name<T::Mirror>>;
        }

        // SAFETY: wraps what `T::build` returns.
        unsafe impl<T: Value $(<Real: $bound>)?> Value for mirror::$name<T> {
            type Real = std::cell::$name<T::Real>;
            const SHARED: bool = T::SHARED;
            const CUMULATIVE: bool = T::CUMULATIVE;
            const KEYS: bool = T::KEYS;
            const HASHES_KEYS: bool = T::HASHES_KEYS;
            const FIELDLESS: &'static [bool] = T::FIELDLESS;
            const HAS_CELLS: bool = T::HAS_CELLS;
            const IS_SPLIT: bool = T::IS_SPLIT;
            fn split(cell: &'static Tracked<Self>, b: &mut Builder, at: At) {
                b.note_mutable(at);
                split_wrapped::<Tracked<T>, Self>(cell, b, at);
            }
            fn walk_parts(cell: &'static Tracked<Self>, w: &mut Walk) {
                inner::<Tracked<T>, Self>(cell).walk(w);
            }
            fn build_parts(cell: &'static Tracked<Self>, b: &mut Build) -> Self::Real {
                std::cell::$name::new(inner::<Tracked<T>, Self>(cell).build(b))
            }
            fn absorb_parts(cell: &'static Tracked<Self>, $real: &Self::Real, a: &mut Absorb) {
                inner::<Tracked<T>, Self>(cell).absorb(&$content, a);
            }
            fn domain(b: &mut Builder, at: At) -> Domain<Self> {
                b.note_mutable(at);
                let d = T::domain(b, at);
                let values = d.values.into_iter().map(mirror::$name).collect();
                Domain { values, kind: d.kind, masks: d.masks, lengths: d.lengths }
            }
            fn link_inside(&'static self, b: &mut Builder, at: At) {
                self.0.link_inside(b, at);
            }
            fn walk(&'static self, w: &mut Walk) {
                self.0.walk(w);
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                std::cell::$name::new(self.0.build(b))
            }
            fn label(&self) -> String {
                self.0.label()
            }
            fn choice_of(table: Table<'_, Self>, $real: &Self::Real, a: &mut Absorb) -> Option<u32> {
                T::choice_of(&mut || table().map(|t| &t.0), &$content, a)
            }
            fn absorb_inside(&'static self, $real: &Self::Real, a: &mut Absorb) {
                self.0.absorb_inside(&$content, a);
            }
            // Keys are left open in here, too. Other numbers are read.
            fn code(&self) -> Option<i64> {
                if T::KEYS { self.0.code() } else { None }
            }
            fn is_nothing(&self) -> bool {
                T::KEYS && self.0.is_nothing()
            }
            fn elements(&self) -> u32 {
                self.0.elements()
            }
            fn undecided(slot: u32) -> Option<Self> {
                T::undecided(slot).map(mirror::$name)
            }
            fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Option<Self> {
                self.0.with_keys(keys).map(mirror::$name)
            }
            fn is_same(&self, other: &Self) -> bool {
                self.0.is_same(&other.0)
            }
        }

        impl<T: RepOk> RepOk for mirror::$name<T> {
            const INVARIANT: Option<&'static str> = T::INVARIANT;
            fn rep_ok(&self) -> bool {
                self.0.rep_ok()
            }
        }
    };
}
cells!(RefCell, |real| real.borrow());
cells!(Cell, |real| real.get(), Copy);

impl<T: RepOk> RepOk for std::cell::RefCell<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.borrow().rep_ok()
    }
}

impl<T: RepOk + Copy> RepOk for std::cell::Cell<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.get().rep_ok()
    }
}

// SAFETY: wraps what `T::build` returns.
unsafe impl<T: Part> Part for mirror::RefCell<T> {
    type Real = std::cell::RefCell<T::Real>;
    fn blank() -> Self {
        mirror::RefCell(T::blank())
    }
    fn link(&'static self, b: &mut Builder, at: At) {
        b.note_mutable(at);
        self.0.link(b, at);
    }
    fn walk(&'static self, w: &mut Walk) {
        self.0.walk(w);
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        std::cell::RefCell::new(self.0.build(b))
    }
    fn absorb(&'static self, real: &Self::Real, a: &mut Absorb) {
        self.0.absorb(&real.borrow(), a);
    }
}

/// A `RefCell` in an object: what lies in the pool depends on what is inside.
impl<T: Pointee> Pointee for mirror::RefCell<T> {
    type Object = T::RefObject;
    type RefObject = std::convert::Infallible;
    const SITE: &'static TypeSite = T::SITE;
    fn counted() -> TypeId
    where
        Self: 'static,
    {
        T::counted()
    }
    fn target(object: &T::RefObject) -> &Self {
        T::ref_target(object)
    }
    fn ref_target(object: &Self::RefObject) -> &mirror::RefCell<Self> {
        match *object {}
    }
}

impl<T: Struct + Pointee<RefObject = mirror::RefCell<T>>> Struct for mirror::RefCell<T> {}

/// Values that are not structures, behind a pointer: an object with one cell.
macro_rules! pointees {
    ($($name:literal: [$($g:tt)*] $t:ty;)*) => { $(
        impl<$($g)*> Pointee for $t {
            type Object = Tracked<Self>;
            type RefObject = Tracked<mirror::RefCell<Self>>;
            const SITE: &'static TypeSite = &TypeSite { name: $name, module: module_path!(), objects: None };
            fn target(object: &Self::Object) -> &Self {
                object.__read()
            }
            fn ref_target(object: &Self::RefObject) -> &mirror::RefCell<Self> {
                object.__read()
            }
        }
    )* };
}
pointees! {
    "Option": [T] Option<T>;
    "Vec": [T] Seq<T>;
    "Vec": [T] mirror::Items<T>;
    "Vec": [T] mirror::EnumItems<T>;
    "Cell": [T] mirror::Cell<T>;
}
