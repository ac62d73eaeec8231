//! Arguments that the copy of an invariant gives to free functions.
//!
//! A function that is not marked `#[mirror]` knows only real types. It can be given plain data, and parts of a structure
//! if it is generic. Otherwise the compiler would report mismatched types, one of which the user never wrote. So such a
//! call is written `f(pass(ty, Argument::new(ty, ..).__pass()))`, and the compiler finds the first `__pass` that fits:
//!
//! 1. by value: the function takes the very type that it is given;
//! 2. by `&`: it takes a slice, and is given a mirror of a vector;
//! 3. by `&mut`: it takes a real type, and is given its mirror. The copy declares this one, with a bound that no type
//!    satisfies and a message that names the function;
//! 4. behind a deref: all else, as it is, which leaves coercions to the compiler.

use super::{Arc, Array, Box, EnumItems, Items, Rc, RefCell, Seq};
use crate::shape::Pointee;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Structures, their mirrors, and pointers to them and sequences of them.
pub trait OfStructure {}

impl<T: OfStructure + ?Sized> OfStructure for &T {}
impl<T: OfStructure> OfStructure for [T] {}
impl<T: OfStructure> OfStructure for Option<T> {}
impl<T: OfStructure> OfStructure for Vec<T> {}
impl<T: OfStructure> OfStructure for VecDeque<T> {}
impl<T: OfStructure> OfStructure for std::boxed::Box<T> {}
impl<T: OfStructure> OfStructure for std::rc::Rc<T> {}
impl<T: OfStructure> OfStructure for std::sync::Arc<T> {}
impl<T: OfStructure> OfStructure for std::cell::RefCell<T> {}
impl<T: OfStructure> OfStructure for Items<T> {}
impl<T: OfStructure> OfStructure for EnumItems<T> {}
impl<T: OfStructure> OfStructure for RefCell<T> {}
impl<T: OfStructure + Pointee> OfStructure for Box<T> {}
impl<T: OfStructure + Pointee> OfStructure for Rc<T> {}
impl<T: OfStructure + Pointee> OfStructure for Arc<T> {}

/// What a function takes, and what it cannot be given in its place.
pub trait Apart {}

impl<A: OfStructure, T: OfStructure> Apart for (A, T) {}
impl<A, T> Apart for (&Vec<A>, &Seq<T>) {}
impl<A, T> Apart for (&VecDeque<A>, &Seq<T>) {}
impl<A, T, const N: usize> Apart for (&[A; N], &Array<T, N>) {}

/// A value on its way to a function `M` that takes an `A`.
pub struct Argument<A, T, M> {
    given: Given<T>,
    takes: PhantomData<(A, M)>,
}

/// The value itself, until it is taken.
pub struct Given<T>(Option<T>);

impl<A, T, M> Argument<A, T, M> {
    /// An argument of a function.
    pub fn new(_: PhantomData<A>, _: M, value: T) -> Self {
        Argument { given: Given(Some(value)), takes: PhantomData }
    }
}

impl<T, M> Argument<T, T, M> {
    /// See the module.
    pub fn __pass(mut self) -> T {
        self.given.__pass()
    }
}

impl<'a, T, M> Argument<&'a [T], &'a Items<T>, M> {
    /// See the module.
    pub fn __pass(&self) -> &'a [T] {
        self.given.0.map_or(&[], |items| items)
    }
}

impl<T> Given<T> {
    /// See the module.
    ///
    /// # Panics
    ///
    /// If the value was taken before.
    pub fn __pass(&mut self) -> T {
        self.0.take().expect("an argument is passed once")
    }
}

impl<A, T, M> Deref for Argument<A, T, M> {
    type Target = Given<T>;
    fn deref(&self) -> &Given<T> {
        &self.given
    }
}

impl<A, T, M> DerefMut for Argument<A, T, M> {
    fn deref_mut(&mut self) -> &mut Given<T> {
        &mut self.given
    }
}

/// Returns the value. The compiler takes `A` from the function that gets the result, before it looks at the value.
pub fn pass<A>(_: PhantomData<A>, value: A) -> A {
    value
}
