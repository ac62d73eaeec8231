//! How each kind of field becomes slots: the [`crate::shape`] traits for std's types.

/// The methods of a value that is a part: there is one, so there is one choice.
macro_rules! as_its_part {
    () => {
        fn domain(_: &mut Builder, _: At) -> Domain<Self> {
            Domain::plain(vec![Part::blank()])
        }
        fn link_inside(&'static self, b: &mut Builder, at: At) {
            Part::link(self, b, at);
        }
        fn walk(&'static self, w: &mut Walk) {
            Part::walk(self, w);
        }
        #[inline]
        fn build(&'static self, b: &mut Build) -> Self::Real {
            Part::build(self, b)
        }
        #[inline]
        fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
            Part::update(self, real, b);
        }
        fn choice_of(_: Table<'_, Self>, _: &Self::Real, _: &mut Absorb) -> Option<u32> {
            Some(0)
        }
        fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
            Part::absorb(self, real, a);
        }
    };
}

#[macro_use]
mod leaves;
mod cells;
mod containers;
mod derived;
mod hashed;
mod options;
mod pointers;
mod product;
mod ranges;
mod sequences;
mod small;
#[macro_use]
mod tuples;
mod wrapped;

pub use containers::MapValue;
pub use derived::{Derived, Listed};
pub use product::{Product, ProductCell};
pub use wrapped::As;

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::{Copied, Tracked, contents};
use crate::conjuncts::ConjunctSite;
use crate::key;
use crate::link::{At, Builder};
use crate::shape::{Body, Domain, Part, RepOk, Table, Value, fieldless_before};
use crate::walk::Walk;

// SAFETY: passes on what `Value::build` returns.
unsafe impl<T: Value> Part for Tracked<T> {
    type Real = T::Real;
    fn blank() -> Self {
        Tracked::blank()
    }
    fn link(&'static self, b: &mut Builder, at: At) {
        if T::IS_SPLIT {
            return T::split(self, b, at);
        }
        b.attach(self, at);
    }
    #[inline]
    fn walk(&'static self, w: &mut Walk) {
        if T::IS_SPLIT {
            return T::walk_parts(self, w);
        }
        if !w.slot(&self.head) {
            return;
        }
        let value = self.__read();
        w.show(&self.head, || value.label());
        value.walk(w);
    }
    #[inline]
    fn build(&'static self, b: &mut Build) -> T::Real {
        if T::IS_SPLIT { T::build_parts(self, b) } else { self.__read().build(b) }
    }
    #[inline]
    fn update(&'static self, real: &mut T::Real, b: &mut Build) {
        if T::IS_SPLIT {
            return T::update_parts(self, real, b);
        }
        self.__read().update(real, b);
    }
    fn absorb(&'static self, real: &T::Real, a: &mut Absorb) {
        if T::IS_SPLIT {
            return T::absorb_parts(self, real, a);
        }
        a.cell(self, real);
    }
    const CONSTANTS: u32 = fieldless_before(T::FIELDLESS, T::FIELDLESS.len());
    fn constants(b: &mut Builder, at: At) -> Vec<Self> {
        let mut constants = vec![];
        if const { Self::CONSTANTS > 0 } {
            for (value, is_fieldless) in T::domain(b, at).values.into_iter().zip(T::FIELDLESS) {
                if *is_fieldless {
                    constants.push(contents::holding(Box::leak(Box::new(value)), Copied::Never));
                }
            }
        }
        constants
    }
    fn constant_label(&'static self) -> String {
        self.__read().label()
    }
    fn constant_of(real: &T::Real, a: &mut Absorb) -> Option<u32> {
        let variant = T::choice_of(&mut || None, real, a)? as usize;
        T::FIELDLESS.get(variant)?.then(|| fieldless_before(T::FIELDLESS, variant))
    }
}

/// A length, in words.
#[inline]
pub(crate) fn elements(len: usize) -> String {
    if len == 1 { "1 element".to_owned() } else { format!("{len} elements") }
}

/// Whether a value without an invariant is not read. Reading one that hashes keys decides them, which would deliver some orders
/// of keys more than once.
fn is_left_unread<T: RepOk>() -> bool {
    T::INVARIANT.is_none() && key::current().is_some_and(|heap| heap.layout.extra > 0)
}

impl<T: RepOk> RepOk for Tracked<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        is_left_unread::<T>() || T::holds_in(self)
    }
    fn conjuncts() -> &'static [ConjunctSite] {
        T::conjuncts()
    }
}

// SAFETY: has no pointers.
unsafe impl<T: ?Sized + 'static> Part for std::marker::PhantomData<T> {
    type Real = std::marker::PhantomData<T>;
    fn blank() -> Self {
        std::marker::PhantomData
    }
    fn link(&'static self, _: &mut Builder, _: At) {}
    fn walk(&'static self, _: &mut Walk) {}
    fn build(&'static self, _: &mut Build) -> Self {
        std::marker::PhantomData
    }
    fn absorb(&'static self, _: &Self, _: &mut Absorb) {}
}

// SAFETY: passes on what `Part::build` returns; one value, one choice.
unsafe impl<T: Body> Value for T {
    type Real = <T as Part>::Real;
    const SHARED: bool = false;
    as_its_part!();
    fn label(&self) -> String {
        T::SITE.name.into()
    }
}
