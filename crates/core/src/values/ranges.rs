//! `Range` and `RangeInclusive`: cells for the start and for the end, as in a struct.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::split::{self, Components};
use crate::cell::{RangeParts, Tracked};
use crate::key::Key;
use crate::link::{At, Builder, END, START};
use crate::mirror::{self, Seq};
use crate::shape::{Domain, Leaf, Leaves, Mirrored, Part, Pointee, RepOk, Table, Value};
use crate::site::TypeSite;
use crate::values::tuples::map_value_of_leaf;
use crate::walk::Walk;
use std::mem::ManuallyDrop;
use std::ops::{Range, RangeInclusive};

macro_rules! ranges {
    ($($range:ident: |$start:ident, $end:ident| $make:expr, |$real:ident| ($first:expr, $last:expr), $dots:literal;)*) => { $(
        impl<T: Leaf> Mirrored for $range<T> {
            type Mirror = $range<T>;
            type Cell = Tracked<$range<T>>;
            type Seq = Seq<$range<T>>;
            type InMap = $range<T>;
        }

        impl<T> Components<$range<T>> for RangeParts<T> {
            fn places(&self) -> [usize; 6] {
                [split::place(&self.start), split::place(&self.end), 0, 0, 0, 0]
            }
            fn assemble(&self) -> ManuallyDrop<$range<T>> {
                let ($start, $end) = (split::copy_of(&self.start), split::copy_of(&self.end));
                let ($start, $end) = (ManuallyDrop::into_inner($start), ManuallyDrop::into_inner($end));
                ManuallyDrop::new($make)
            }
            fn release(&self) {
                split::release(std::slice::from_ref(&self.start));
                split::release(std::slice::from_ref(&self.end));
            }
        }

        // SAFETY: plain data has no pointers.
        unsafe impl<T: Leaf> Value for $range<T> {
            type Real = $range<T>;
            const KEYS: bool = T::IS_KEYED;
            const HASHES_KEYS: bool = T::IS_HASHED;
            const IS_SPLIT: bool = true;
            fn split(cell: &'static Tracked<Self>, b: &mut Builder, at: At) {
                let (wholes, is_object) = b.wholes::<Self>(at);
                let parts = RangeParts { start: Tracked::<T>::blank(), end: Tracked::<T>::blank() };
                let parts = split::attach(cell, parts, wholes);
                b.link_component(&parts.start, at.component_of_value(START), is_object);
                b.link_component(&parts.end, at.component_of_value(END), is_object);
            }
            fn walk_parts(cell: &'static Tracked<Self>, w: &mut Walk) {
                let parts = cell.__parts();
                w.joined(["", $dots, ""], |w| {
                    Part::walk(&parts.start, w);
                    Part::walk(&parts.end, w);
                });
            }
            fn build_parts(cell: &'static Tracked<Self>, b: &mut Build) -> Self {
                let parts = cell.__parts();
                let ($start, $end) = (Part::build(&parts.start, b), Part::build(&parts.end, b));
                $make
            }
            fn absorb_parts(cell: &'static Tracked<Self>, $real: &Self, a: &mut Absorb) {
                let parts = cell.__parts();
                Part::absorb(&parts.start, $first, a);
                Part::absorb(&parts.end, $last, a);
            }
            fn domain(_: &mut Builder, _: At) -> Domain<Self> {
                unreachable!("{NO_TABLE}")
            }
            fn walk(&'static self, _: &mut Walk) {
                unreachable!("{NO_TABLE}")
            }
            fn build(&'static self, _: &mut Build) -> Self {
                self.clone()
            }
            fn label(&self) -> String {
                unreachable!("{NO_TABLE}")
            }
            fn choice_of(_: Table<'_, Self>, _: &Self, _: &mut Absorb) -> Option<u32> {
                unreachable!("{NO_TABLE}")
            }
        }

        impl<T: Leaf> Leaf for $range<T> {
            const IS_KEYED: bool = T::IS_KEYED;
            const IS_HASHED: bool = T::IS_HASHED;
            fn leaves(b: &mut Builder, at: At) -> Leaves<Self> {
                let pairs = <(T, T)>::leaves(b, at);
                let values = pairs.values.into_iter().map(|($start, $end)| $make).collect();
                Leaves { values, masks: pairs.masks }
            }
            fn show(&self) -> String {
                let $real = self;
                format!("{}{}{}", $first.show(), $dots, $last.show())
            }
            fn length(&self) -> u32 {
                let $real = self;
                $first.length() + $last.length()
            }
            fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self {
                let $real = self;
                let ($start, $end) = ($first.rekeyed(keys), $last.rekeyed(keys));
                $make
            }
        }

        impl<T> RepOk for $range<T> {
            const INVARIANT: Option<&'static str> = None;
            fn rep_ok(&self) -> bool {
                true
            }
            fn holds_in(_: &Tracked<Self>) -> bool {
                true
            }
        }

        impl<T> Pointee for $range<T> {
            type Object = Tracked<Self>;
            type RefObject = Tracked<mirror::RefCell<Self>>;
            const SITE: &'static TypeSite =
                &TypeSite { name: stringify!($range), module: module_path!(), objects: None };
            fn target(object: &Self::Object) -> &Self {
                object.__read()
            }
            fn ref_target(object: &Self::RefObject) -> &mirror::RefCell<Self> {
                object.__read()
            }
        }

        map_value_of_leaf!([T: Leaf] $range<T>);
    )* };
}
ranges! {
    Range: |start, end| start..end, |real| (&real.start, &real.end), "..";
    RangeInclusive: |start, end| start..=end, |real| (real.start(), real.end()), "..=";
}

const NO_TABLE: &str = "smallscope internal error: a range has two ends, no table";
