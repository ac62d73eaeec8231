//! How each kind of field becomes slots: the [`crate::shape`] traits for std's types.

#[macro_use]
mod leaves;
mod cells;
mod containers;
mod derived;
mod options;
mod pointers;
mod product;
mod sequences;

pub use containers::{MapValue, fillings_of_leaves};
pub use derived::{Derived, Listed};
pub use product::{Product, ProductCell};
pub use sequences::As;

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::link::{At, Builder};
use crate::shape::{Part, RepOk, Value};
use crate::walk::Walk;

// SAFETY: passes on what `Value::build` returns.
unsafe impl<T: Value> Part for Tracked<T> {
    type Real = T::Real;
    fn blank() -> Self {
        Tracked::blank()
    }
    fn link(&'static self, b: &mut Builder, at: At) {
        b.attach(self, at);
    }
    fn walk(&'static self, w: &mut Walk) {
        if !w.slot(&self.head) {
            return;
        }
        let value = self.__read();
        w.show(&self.head, || value.label());
        value.walk(w);
    }
    fn build(&'static self, b: &mut Build) -> T::Real {
        self.__read().build(b)
    }
    fn absorb(&'static self, real: &T::Real, a: &mut Absorb) {
        a.cell(self, real);
    }
}

impl<T: RepOk> RepOk for Tracked<T> {
    fn rep_ok(&self) -> bool {
        self.__read().rep_ok()
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

/// Implements `Value` and `MapValue` for a mirror struct: one choice, with cells inside.
#[doc(hidden)]
#[macro_export]
macro_rules! __value_of_part {
    ({$($g:tt)*} $t:ty, {$($w:tt)*}) => {
        // SAFETY: passes on what `Part::build` returns; one value, one choice.
        unsafe impl<$($g)*> $crate::shape::Value for $t $($w)* {
            type Real = <$t as $crate::shape::Part>::Real;
            const SHARED: bool = false;
            fn domain(_: &mut $crate::link::Builder, _: $crate::link::At) -> $crate::shape::Domain<Self> {
                $crate::shape::Domain::plain(::std::vec![<$t as $crate::shape::Part>::blank()])
            }
            fn link_inside(&'static self, b: &mut $crate::link::Builder, at: $crate::link::At) {
                $crate::shape::Part::link(self, b, at);
            }
            fn walk(&'static self, w: &mut $crate::walk::Walk) {
                $crate::shape::Part::walk(self, w);
            }
            fn build(&'static self, b: &mut $crate::build::Build) -> Self::Real {
                $crate::shape::Part::build(self, b)
            }
            fn label(&self) -> ::std::string::String {
                <$t as $crate::shape::Pointee>::CLASS.name.into()
            }
            fn choice_of(
                _: $crate::shape::Table<'_, Self>,
                _: &Self::Real,
                _: &mut $crate::absorb::Absorb,
            ) -> ::std::option::Option<u32> {
                ::std::option::Option::Some(0)
            }
            fn absorb_inside(&'static self, real: &Self::Real, a: &mut $crate::absorb::Absorb) {
                $crate::shape::Part::absorb(self, real, a);
            }
        }
        $crate::__map_value_of_part!({$($g)*} $t, {$($w)*});
    };
}
