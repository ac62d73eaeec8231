//! Values that an invariant makes of its own types: `Type::Fun(Box::new(a), Box::new(b))` in a type checker.
//!
//! In the copy, they are mirrors, too. So a function takes values of the structure and values that were made, and cannot tell
//! them apart. The cells of a value that was made hold what they were given and belong to no heap. A clone of a value of
//! the structure has cells that are aliases of its cells: cloning reads nothing.
//!
//! Values are compared with the user's own `PartialEq` and `Ord`, which the macros cannot see. So both are copied into real
//! values, with tracked reads. `#[bounded(derive(PartialEq))]` on the type compares mirrors field by field instead.

use super::outside::InCopy;
use super::sequences::Leaked;
use super::{Array, Box, EnumItems, Items, RefCell, Seq, destructor};
use crate::build::Build;
use crate::cell::{Tracked, contents};
use crate::shape::{Pointee, Value};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;

/// What a field of a mirror can be made from.
#[diagnostic::on_unimplemented(
    message = "an invariant cannot make this field: it makes fields that hold plain data, a `Box`, a `Vec`, a map, an `Option` or a structure",
    label = "the field takes something else in an invariant",
    note = "make a value of a second type without `#[derive(Bounded)]` instead"
)]
pub trait IntoCell<C> {
    /// The field.
    fn into_cell(self) -> C;
}

/// The field of a value that an invariant makes.
pub fn cell<C>(value: impl IntoCell<C>) -> C {
    value.into_cell()
}

/// A struct inside a struct, and every field of a type that is not mirrored.
#[diagnostic::do_not_recommend]
impl<T> IntoCell<T> for T {
    fn into_cell(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoCell<Tracked<T>> for T {
    fn into_cell(self) -> Tracked<T> {
        contents::made(Rc::new(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoCell<Tracked<Seq<T>>> for Vec<T> {
    fn into_cell(self) -> Tracked<Seq<T>> {
        let cells = Leaked::made(self.into_iter().map(cell));
        cell(Seq { cells, shorter: 0 })
    }
}

/// Vectors of vectors.
#[diagnostic::do_not_recommend]
impl<T> IntoCell<Tracked<Seq<Seq<T>>>> for Vec<Vec<T>> {
    fn into_cell(self) -> Tracked<Seq<Seq<T>>> {
        let cells = Leaked::made(self.into_iter().map(cell));
        cell(Seq { cells, shorter: 0 })
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoCell<Tracked<Items<T>>> for Vec<T> {
    fn into_cell(self) -> Tracked<Items<T>> {
        cell(Items(Leaked::made(self.into_iter())))
    }
}

#[diagnostic::do_not_recommend]
impl<T> IntoCell<Tracked<EnumItems<T>>> for Vec<T> {
    fn into_cell(self) -> Tracked<EnumItems<T>> {
        cell(EnumItems(Leaked::made(self.into_iter().map(cell))))
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> IntoCell<Array<T, N>> for [T; N] {
    fn into_cell(self) -> Array<T, N> {
        let cells = Leaked::made(self.into_iter().map(cell));
        Array(OnceCell::from(Seq { cells, shorter: 0 }))
    }
}

/// What has cells inside, and can be had again with aliases of them. Mirrors implement it whether their types are `Clone` or
/// not: moving a value out of a `Box` takes it, too.
pub trait Again {
    /// The same value.
    fn again(&self) -> Self;
}

impl<T> Again for Tracked<T> {
    fn again(&self) -> Self {
        match &self.made {
            Some(made) => contents::made(Rc::clone(&made.value)),
            None => contents::alias(self),
        }
    }
}

impl<T> Again for Seq<T> {
    fn again(&self) -> Self {
        Seq { cells: self.cells.clone(), shorter: self.shorter }
    }
}

impl<T, const N: usize> Again for Array<T, N> {
    fn again(&self) -> Self {
        Array(OnceCell::from((**self).again()))
    }
}

impl<T> Again for Items<T> {
    fn again(&self) -> Self {
        Items(self.0.clone())
    }
}

impl<T> Again for EnumItems<T> {
    fn again(&self) -> Self {
        EnumItems(self.0.clone())
    }
}

impl<T: Pointee> Again for Box<T> {
    fn again(&self) -> Self {
        self.clone()
    }
}

impl<T: Again> Again for Option<T> {
    fn again(&self) -> Self {
        self.as_ref().map(T::again)
    }
}

impl<T: Again> Again for Vec<T> {
    fn again(&self) -> Self {
        self.iter().map(T::again).collect()
    }
}

impl<T: Again> Again for RefCell<T> {
    fn again(&self) -> Self {
        RefCell(self.0.again())
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Again),+> Again for ($($t,)+) {
            fn again(&self) -> Self {
                ($(self.$i.again(),)+)
            }
        }
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

impl<T: ?Sized> Again for PhantomData<T> {
    fn again(&self) -> Self {
        PhantomData
    }
}

/// `Box::new(value)`: a box of the copy if the value is a mirror, and std's otherwise.
pub struct NewBox<T>(pub T);

impl<T: InCopy + Pointee + IntoCell<T::Object>> NewBox<T> {
    /// The box.
    pub fn __boxed(self) -> Box<T> {
        Box::new(self.0)
    }
}

/// [`NewBox`] for plain values.
pub trait NewPlainBox<T> {
    /// The box.
    fn __boxed(self) -> std::boxed::Box<T>;
}

impl<T> NewPlainBox<T> for NewBox<T> {
    fn __boxed(self) -> std::boxed::Box<T> {
        std::boxed::Box::new(self.0)
    }
}

/// A variable that a pattern has bound, where it is not known whether the value was matched by reference: then it is bound to
/// a reference to a cell, otherwise to a cell.
pub struct Bound<'a, X>(pub &'a X);

impl<'b, T> Bound<'_, &'b Tracked<T>> {
    /// What the original variable is.
    pub fn __bound(self) -> &'b T {
        self.0.__read()
    }
}

impl<T: Clone> Bound<'_, Tracked<T>> {
    /// What the original variable is.
    pub fn __bound(self) -> T {
        self.0.__read().clone()
    }
}

impl<T, const N: usize> Bound<'_, Array<T, N>> {
    /// What the original variable is.
    pub fn __bound(self) -> Array<T, N> {
        self.0.again()
    }
}

/// [`Bound`] for values that have cells inside and are not `Clone`.
pub trait BoundMirror<T> {
    /// What the original variable is.
    fn __bound(self) -> T;
}

impl<T: Again> BoundMirror<T> for Bound<'_, Tracked<T>> {
    fn __bound(self) -> T {
        self.0.__read().again()
    }
}

/// [`Bound`] for variables that are bound to no cell.
pub trait BoundPlain<X> {
    /// The variable.
    fn __bound(&self) -> X
    where
        X: Moved;
}

impl<X> BoundPlain<X> for Bound<'_, X> {
    fn __bound(&self) -> X
    where
        X: Moved,
    {
        self.0.moved()
    }
}

/// What is moved out of a value that may have been made. The value of the copy is cloned instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is moved out of a value that the invariant makes: write `#[derive(Clone)]` on it",
    label = "not `Clone`",
    note = "if the value is of a type that contains no structure, name that type instead: `#[rep_ok(opaque(Type))]`"
)]
pub trait Moved {
    /// A clone.
    fn moved(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Moved for T {
    fn moved(&self) -> T {
        self.clone()
    }
}

/// A place that the original may move out of, such as `*boxed`.
pub struct Taken<'a, T>(pub &'a T);

impl<T: Clone> Taken<'_, T> {
    /// The value.
    pub fn __taken(self) -> T {
        self.0.clone()
    }
}

/// [`Taken`] for values that are not `Clone`.
pub trait TakenMirror<T> {
    /// The value.
    fn __taken(self) -> T;
}

impl<T: Again> TakenMirror<T> for Taken<'_, T> {
    fn __taken(self) -> T {
        self.0.again()
    }
}

/// [`Taken`] for all others.
pub trait TakenPlain<T> {
    /// The value.
    fn __taken(&self) -> T
    where
        T: Moved;
}

impl<T> TakenPlain<T> for Taken<'_, T> {
    fn __taken(&self) -> T
    where
        T: Moved,
    {
        self.0.moved()
    }
}

/// A real value that was copied from a mirror in the middle of a run. It is dropped unless a destructor of the user's would
/// run: such a destructor may rely on the invariant.
pub struct Real<R>(Option<R>);

impl<R> Deref for Real<R> {
    type Target = R;
    fn deref(&self) -> &R {
        self.0.as_ref().expect("smallscope internal error: a real value was taken")
    }
}

impl<R> Drop for Real<R> {
    fn drop(&mut self) {
        if destructor::is_any() {
            std::mem::forget(self.0.take());
        }
    }
}

/// The real counterpart of a mirror, all of which is read.
fn real<V: Value>(mirror: &V) -> Real<V::Real> {
    Real(Some(Build::copy(mirror)))
}

/// Two mirrors to be compared: by the copy of the user's own impl if that is marked `#[mirror]`, and as real values otherwise.
pub struct Compared<'a, M>(pub &'a M, pub &'a M);

/// A trait of std that a block with `#[mirror]` implements: the copy implements one of these.
macro_rules! own {
    ($(#[$doc:meta] $own:ident $(: $super:ident + $supers:ident)?, $real:ident: $std:ident, $function:ident, $name:ident, $result:ty;)*) => { $(
        #[$doc]
        pub trait $own $(: $super + $supers)? {
            /// As in std.
            fn $function(&self, other: &Self) -> $result;
        }

        impl<M: $own> Compared<'_, M> {
            /// Runs the copy.
            pub fn $name(self) -> $result {
                self.0.$function(self.1)
            }
        }

        /// The same for real values.
        pub trait $real {
            /// Compares real values.
            fn $name(self) -> $result;
        }

        impl<M: Value<Real: $std>> $real for Compared<'_, M> {
            fn $name(self) -> $result {
                real(self.0).$function(&*real(self.1))
            }
        }
    )* };
}
own! {
    /// `PartialEq` of a mirror.
    OwnPartialEq, RealPartialEq: PartialEq, eq, __eq, bool;
    /// `PartialOrd` of a mirror.
    OwnPartialOrd: PartialEq + Sized, RealPartialOrd: PartialOrd, partial_cmp, __partial_cmp, Option<Ordering>;
    /// `Ord` of a mirror.
    OwnOrd: Eq + PartialOrd, RealOrd: Ord, cmp, __cmp, Ordering;
}

/// `Eq` of a mirror.
pub trait OwnEq: PartialEq {}

/// Implements a trait of std for a mirror if the type implements it. A bound without parameters has to hold unless it is about
/// lifetimes, hence `for<'trivial>`. Types with shared pointers are compared only by impls that are marked `#[mirror]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __like_the_type {
    (Clone {$($g:tt)*} {$t:ty} {$m:ty} {$($conditions:tt)*}) => {
        #[diagnostic::do_not_recommend]
        impl $($g)* ::std::clone::Clone for $m where for<'trivial> $t: ::std::clone::Clone, $($conditions)* {
            fn clone(&self) -> Self {
                $crate::mirror::made::Again::again(self)
            }
        }
    };
    (PartialEq $m:ty where $t:ty: $($condition:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl ::std::cmp::PartialEq for $m where for<'trivial> $t: $($condition)* {
            fn eq(&self, other: &Self) -> bool {
                #[allow(unused_imports)]
                use $crate::mirror::made::RealPartialEq as _;
                $crate::mirror::made::Compared(self, other).__eq()
            }
        }
    };
    (Eq $m:ty where $t:ty: $($condition:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl ::std::cmp::Eq for $m where for<'trivial> $t: $($condition)* {}
    };
    (PartialOrd $m:ty where $t:ty: $($condition:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl ::std::cmp::PartialOrd for $m where for<'trivial> $t: $($condition)* {
            fn partial_cmp(&self, other: &Self) -> ::std::option::Option<::std::cmp::Ordering> {
                #[allow(unused_imports)]
                use $crate::mirror::made::RealPartialOrd as _;
                $crate::mirror::made::Compared(self, other).__partial_cmp()
            }
        }
    };
    (Ord $m:ty where $t:ty: $($condition:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl ::std::cmp::Ord for $m where for<'trivial> $t: $($condition)* {
            fn cmp(&self, other: &Self) -> ::std::cmp::Ordering {
                #[allow(unused_imports)]
                use $crate::mirror::made::RealOrd as _;
                $crate::mirror::made::Compared(self, other).__cmp()
            }
        }
    };
}
