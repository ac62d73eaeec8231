//! Tuples: one cell per component, wherever they stand. `Option`, `RefCell` and `Cell` of a tuple follow suit.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::cell::split::{self, Components, Wholes};
use crate::link::{At, Builder};
use crate::mirror::{self, Seq};
use crate::shape::{Domain, Leaf, Mirrored, Part, Pointee, RepOk, Table, Value, position};
use crate::site::TypeSite;
use crate::walk::Walk;
use std::mem::ManuallyDrop;

/// The first of several names.
#[inline]
const fn first(names: &[Option<&'static str>]) -> Option<&'static str> {
    match names {
        [] => None,
        [Some(name), ..] => Some(name),
        [None, rest @ ..] => first(rest),
    }
}

/// Plain data that is split into components, as the value of a map.
macro_rules! map_value_of_leaf {
    ([$($g:tt)*] $t:ty) => {
        impl<$($g)*> $crate::values::MapValue for $t {
            type BTreeMap<K> = mirror::BTreeMap<K, $t>;
            type HashMap<K> = mirror::HashMap<K, $t>;
        }
    };
}
pub(super) use map_value_of_leaf;

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Mirrored),+> Mirrored for ($($t,)+) {
            type Mirror = ($($t::Mirror,)+);
            type Cell = Tracked<($($t::Mirror,)+)>;
            type Seq = Seq<($($t::Mirror,)+)>;
            type InMap = ($($t::Mirror,)+);
        }

        // SAFETY: passes on what the components' `build` returns.
        unsafe impl<$($t: Value),+> Value for ($($t,)+) {
            type Real = ($($t::Real,)+);
            const SHARED: bool = $($t::SHARED)&&+;
            const HAS_CELLS: bool = $($t::HAS_CELLS)||+;
            const KEYS: bool = $($t::KEYS)||+;
            const HASHES_KEYS: bool = $($t::HASHES_KEYS)||+;
            const IS_SPLIT: bool = true;
            fn split(cell: &'static Tracked<Self>, b: &mut Builder, at: At) {
                let (wholes, is_object) = b.wholes::<Self>(at);
                let parts = split::attach(cell, ($(Tracked::<$t>::blank(),)+), wholes);
                $(
                    b.link_component(&parts.$i, at.component_of_value($i), is_object);
                )+
            }
            fn walk_parts(cell: &'static Tracked<Self>, w: &mut Walk) {
                let parts = cell.__parts();
                w.joined(["(", ", ", ")"], |w| {
                    $( Part::walk(&parts.$i, w); )+
                });
            }
            fn build_parts(cell: &'static Tracked<Self>, b: &mut Build) -> Self::Real {
                let cells = cell.__parts();
                let parts = ($( ManuallyDrop::new(Part::build(&cells.$i, b)), )+);
                ($( ManuallyDrop::into_inner(parts.$i), )+)
            }
            fn update_parts(cell: &'static Tracked<Self>, real: &mut Self::Real, b: &mut Build) {
                let cells = cell.__parts();
                $( Part::update(&cells.$i, &mut real.$i, b); )+
            }
            fn absorb_parts(cell: &'static Tracked<Self>, real: &Self::Real, a: &mut Absorb) {
                let cells = cell.__parts();
                $( Part::absorb(&cells.$i, &real.$i, a); )+
            }
            fn domain(_: &mut Builder, _: At) -> Domain<Self> {
                unreachable!("{NO_TABLE}")
            }
            fn walk(&'static self, _: &mut Walk) {
                unreachable!("{NO_TABLE}")
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                let parts = ($( ManuallyDrop::new(self.$i.build(b)), )+);
                ($( ManuallyDrop::into_inner(parts.$i), )+)
            }
            fn label(&self) -> String {
                unreachable!("{NO_TABLE}")
            }
            fn choice_of(_: Table<'_, Self>, _: &Self::Real, _: &mut Absorb) -> Option<u32> {
                unreachable!("{NO_TABLE}")
            }
        }

        impl<$($t: RepOk),+> RepOk for ($($t,)+) {
            const INVARIANT: Option<&'static str> = first(&[$($t::INVARIANT),+]);
            fn rep_ok(&self) -> bool {
                $( self.$i.rep_ok() )&&+
            }
            fn holds_in(cell: &Tracked<Self>) -> bool {
                Self::INVARIANT.is_none() || {
                    let cells = cell.__parts();
                    $( ($t::INVARIANT.is_none() || $t::holds_in(&cells.$i)) )&&+
                }
            }
        }

        impl<$($t),+> Pointee for ($($t,)+) {
            type Object = Tracked<Self>;
            type RefObject = Tracked<mirror::RefCell<Self>>;
            const SITE: &'static TypeSite =
                &TypeSite { name: "tuple", module: module_path!(), objects: None };
            fn target(object: &Self::Object) -> &Self {
                object.__read()
            }
            fn ref_target(object: &Self::RefObject) -> &mirror::RefCell<Self> {
                object.__read()
            }
        }

        map_value_of_leaf!([$($t: Leaf),+] ($($t,)+));
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

const NO_TABLE: &str = "smallscope internal error: a tuple has components, no table";

/// What a cell of an `Option` of a split value is split into: whether there is a value, and behind that the cells of it.
pub(super) struct Maybe<T>(Option<Tracked<T>>);

/// The cells of an `Option` of a split value.
pub(super) type Optional<T> = Tracked<Maybe<T>>;

// SAFETY: passes on what the inner cell's `build` returns; two values, two choices.
unsafe impl<T: Value> Value for Maybe<T> {
    type Real = Option<T::Real>;
    const SHARED: bool = false;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        let some = Maybe(Some(Tracked::blank()));
        Domain::plain(if b.may_be_null(at) { vec![Maybe(None), some] } else { vec![some] })
    }
    fn link_inside(&'static self, b: &mut Builder, at: At) {
        self.0.iter().for_each(|cell| cell.link(b, at));
    }
    fn walk(&'static self, w: &mut Walk) {
        if let Some(cell) = &self.0 {
            w.in_place(|w| Part::walk(cell, w));
        }
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        self.0.as_ref().map(|cell| Part::build(cell, b))
    }
    fn label(&self) -> String {
        if self.0.is_some() { "some" } else { "none" }.into()
    }
    fn choice_of(table: Table<'_, Self>, real: &Self::Real, _: &mut Absorb) -> Option<u32> {
        position(table, |value| value.0.is_some() == real.is_some())
    }
    fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
        if let (Some(cell), Some(real)) = (&self.0, real) {
            Part::absorb(cell, real, a);
        }
    }
}

impl<T> Components<Option<T>> for Optional<T> {
    fn places(&self) -> [usize; 6] {
        let place = self.__read().0.as_ref().map_or(0, split::place);
        [place, 0, 0, 0, 0, 0]
    }
    fn assemble(&self) -> ManuallyDrop<Option<T>> {
        let value = self.__read().0.as_ref().map(|cell| ManuallyDrop::into_inner(split::copy_of(cell)));
        ManuallyDrop::new(value)
    }
    fn some(&self) -> Option<std::ptr::NonNull<()>> {
        self.__read().0.as_ref().map(|cell| std::ptr::NonNull::from(cell).cast())
    }
}

macro_rules! wrapped {
    ($($name:ident)*) => { $(
        impl<T> Components<mirror::$name<T>> for Tracked<T> {
            fn places(&self) -> [usize; 6] {
                [split::place(self), 0, 0, 0, 0, 0]
            }
            fn assemble(&self) -> ManuallyDrop<mirror::$name<T>> {
                ManuallyDrop::new(mirror::$name(ManuallyDrop::into_inner(split::copy_of(self))))
            }
        }
    )* };
}
wrapped!(RefCell Cell);

/// Splits the cell of a value that wraps a split one.
pub(super) fn split_wrapped<P, T>(cell: &'static Tracked<T>, b: &mut Builder, at: At)
where
    P: Part + Components<T>,
    T: Value,
{
    let (wholes, is_object): (&'static Wholes<T>, bool) = b.wholes::<T>(at);
    let parts = split::attach(cell, P::blank(), wholes);
    b.link_component(parts, at, is_object);
}

/// The only part of the cell of a value that wraps a split one.
pub(super) fn inner<P: Part + Components<T>, T: Value>(cell: &'static Tracked<T>) -> &'static P {
    // SAFETY: `split_wrapped` gives cells of this type parts of this type only, and it is the only function that does.
    unsafe { split::only_part(cell) }
}

/// Whether the invariant of what an `Option` holds is true.
pub(super) fn optional_holds<T: RepOk>(cell: &Tracked<Option<T>>) -> bool {
    // SAFETY: cells of an `Option` are split into these parts; see `Value for Option`.
    let parts: &Optional<T> = unsafe { split::only_part(cell) };
    parts.__read().0.as_ref().is_none_or(T::holds_in)
}

/// The functions of `Value` about parts, for a value that wraps another one: `$part` is the cell that it is split into, and
/// its real value is the same.
macro_rules! same_real {
    ($part:ty) => {
        same_real!($part, T::IS_SPLIT);
    };
    ($part:ty, $is_split:expr) => {
        const IS_SPLIT: bool = $is_split;
        fn split(cell: &'static Tracked<Self>, b: &mut Builder, at: At) {
            super::tuples::split_wrapped::<$part, Self>(cell, b, at);
        }
        fn walk_parts(cell: &'static Tracked<Self>, w: &mut Walk) {
            super::tuples::inner::<$part, Self>(cell).walk(w);
        }
        fn build_parts(cell: &'static Tracked<Self>, b: &mut Build) -> Self::Real {
            if cell.made.is_some() {
                return cell.__read().build(b);
            }
            super::tuples::inner::<$part, Self>(cell).build(b)
        }
        fn absorb_parts(cell: &'static Tracked<Self>, real: &Self::Real, a: &mut Absorb) {
            super::tuples::inner::<$part, Self>(cell).absorb(real, a);
        }
    };
}
pub(super) use same_real;
