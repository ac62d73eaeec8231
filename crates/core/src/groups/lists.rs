//! Folds over the elements of a vector, such as `children.iter().map(f).max()`: observations of a list.
//!
//! The body of such an observation is what the closure makes of the first element, and what the same fold makes of the
//! rest. So a fold over a vector of any length takes as many runs as there are answers, and not as there are ways to share
//! objects out among the elements. The closure captures nothing, so it is a function of the element.

use super::evaluation::{self, FirstCell, Types, leave};
use super::helper::{HelperSite, Plain};
use super::traces::Query;
use crate::ask::Promise;
use crate::cell::{Tracked, contents};
use crate::ids::SlotId;
use crate::mirror::{self, Cells, Elements};
use crate::shape::{Pointee, Struct};
use std::any::{Any, TypeId};
use std::hash::Hash;
use std::iter::Sum;
use std::marker::PhantomData;
use std::rc::Rc;
use std::slice;

/// Iterators over the elements of a vector of structures or of boxes.
pub trait ListItems: Iterator {
    /// Where the next element is, and how many there are.
    fn place(&self) -> Option<Place>;
    /// An object, or the cell of a pointer, as an element.
    fn item(object: &'static dyn Any) -> Option<Self::Item>;
}

/// Where the elements of a list are, and how many.
#[derive(Clone, Copy)]
pub enum Place {
    /// The address of the first element, in a vector of structures.
    At(usize, usize),
    /// The slot of the first pointer, in a vector of pointers.
    Pointers(SlotId, usize),
    /// The rest of the list that the run is about.
    Rest,
}

/// The place of pointers in a vector; none if they are no part of the value.
fn pointers<T: 'static>(cells: &[Tracked<T>]) -> Option<Place> {
    let (evaluation, first) = (evaluation::current()?, cells.first()?);
    let (layout, like) = (evaluation.heap.layout, first.head.slot.get());
    let is_part = like.index() < layout.slots.len() && std::ptr::eq(layout.slot(like).head, &first.head);
    let list = evaluation.state.borrow().store.types.list_at(like).filter(|_| is_part)?;
    let is_new = !evaluation.state.borrow().first_cells.contains_key(&list);
    if is_new {
        let cell: &'static Tracked<T> = Box::leak(Box::new(contents::like(first)));
        cell.head.slot.set(SlotId::new((layout.slots.len() + list) as u32));
        cell.head.heap.set(Some(evaluation));
        let first = FirstCell { cell, head: &cell.head, like };
        evaluation.state.borrow_mut().first_cells.insert(list, first);
    }
    Some(Place::Pointers(like, cells.len()))
}

impl<'a, M: Pointee + 'static> ListItems for Cells<'a, mirror::Box<M>> {
    fn place(&self) -> Option<Place> {
        pointers(self.__cells())
    }
    fn item(object: &'static dyn Any) -> Option<Self::Item> {
        object.downcast_ref().map(Tracked::__reached)
    }
}

impl<'a, M: Pointee + 'static> ListItems for Elements<'a, mirror::Box<M>> {
    fn place(&self) -> Option<Place> {
        pointers(self.__cells())
    }
    fn item(object: &'static dyn Any) -> Option<Self::Item> {
        object.downcast_ref().map(Tracked::__read)
    }
}

impl<'a, T: Struct + 'static> ListItems for slice::Iter<'a, T> {
    fn place(&self) -> Option<Place> {
        let all = self.as_slice();
        Some(Place::At(std::ptr::from_ref(all.first()?) as usize, all.len()))
    }
    fn item(object: &'static dyn Any) -> Option<&'a T> {
        object.downcast_ref()
    }
}

impl<'a, T: Pointee<Object = Tracked<T>> + 'static> ListItems for Cells<'a, T> {
    fn place(&self) -> Option<Place> {
        // Options may be pointers.
        let all = self.__cells();
        pointers(all).or(Some(Place::At(std::ptr::from_ref(all.first()?) as usize, all.len())))
    }
    fn item(object: &'static dyn Any) -> Option<&'a Tracked<T>> {
        object.downcast_ref().map(Tracked::__reached)
    }
}

impl<'a, T: Pointee<Object = Tracked<T>> + 'static> ListItems for Elements<'a, T> {
    fn place(&self) -> Option<Place> {
        // Options may be pointers.
        let all = self.__cells();
        pointers(all).or(Some(Place::At(std::ptr::from_ref(all.first()?) as usize, all.len())))
    }
    fn item(object: &'static dyn Any) -> Option<&'a T> {
        object.downcast_ref().map(Tracked::__read)
    }
}

/// Results of folds. A list of types, because only those without lifetimes will do, which the compiler does not look at when
/// it chooses an implementation.
pub trait Scalar: Clone + Eq + Hash + 'static {}

macro_rules! scalars {
    ($($t:ty)*) => { $(impl Scalar for $t {})* };
}
scalars!(() bool char String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize std::cmp::Ordering);
impl<T: Scalar> Scalar for Option<T> {}
impl<T: Scalar> Scalar for Vec<T> {}
impl<A: Scalar, B: Scalar> Scalar for (A, B) {}
impl<A: Scalar, B: Scalar, C: Scalar> Scalar for (A, B, C) {}

/// An iterator, and what is made of each element.
pub struct Mapped<I, F, R>(&'static HelperSite, Promise, I, F, PhantomData<R>);

/// An iterator, and what is made of the result so far and an element.
pub struct Folded<I, F, A>(&'static HelperSite, Promise, I, A, F);

/// What is made of each element of an iterator. The closure gets what the caller has promised.
#[inline(always)]
pub fn mapped<I: Iterator, R, F: Fn(Promise, I::Item) -> R>(
    site: &'static HelperSite,
    promise: Promise,
    iter: I,
    f: F,
) -> Mapped<I, F, R> {
    Mapped(site, promise, iter, f, PhantomData)
}

/// What is made of the result so far and of each element of an iterator.
#[inline(always)]
pub fn folded<I: Iterator, A, F: Fn(Promise, A, I::Item) -> A>(
    site: &'static HelperSite,
    promise: Promise,
    iter: I,
    init: A,
    f: F,
) -> Folded<I, F, A> {
    Folded(site, promise, iter, init, f)
}

/// The folds over everything that is no list: those of iterators.
pub trait NotListed<I: Iterator, F, R>: Sized {
    /// The parts.
    fn parts(self) -> (Promise, I, F)
    where
        F: Fn(Promise, I::Item) -> R;

    /// `all(f)`
    #[inline(always)]
    fn all_of(self) -> bool
    where
        F: Fn(Promise, I::Item) -> R,
        R: Into<bool>,
    {
        let (promise, mut iter, f) = self.parts();
        iter.all(|item| f(promise, item).into())
    }

    /// `any(f)`
    #[inline(always)]
    fn any_of(self) -> bool
    where
        F: Fn(Promise, I::Item) -> R,
        R: Into<bool>,
    {
        let (promise, mut iter, f) = self.parts();
        iter.any(|item| f(promise, item).into())
    }

    /// `map(f).max()`
    #[inline(always)]
    fn max_of(self) -> Option<R>
    where
        F: Fn(Promise, I::Item) -> R,
        R: Ord,
    {
        let (promise, iter, f) = self.parts();
        iter.map(|item| f(promise, item)).max()
    }

    /// `map(f).min()`
    #[inline(always)]
    fn min_of(self) -> Option<R>
    where
        F: Fn(Promise, I::Item) -> R,
        R: Ord,
    {
        let (promise, iter, f) = self.parts();
        iter.map(|item| f(promise, item)).min()
    }

    /// `map(f).sum()`
    #[inline(always)]
    fn sum_of<S: Sum<R>>(self) -> S
    where
        F: Fn(Promise, I::Item) -> R,
    {
        let (promise, iter, f) = self.parts();
        iter.map(|item| f(promise, item)).sum()
    }
}

impl<I: Iterator, F, R> NotListed<I, F, R> for Mapped<I, F, R> {
    #[inline(always)]
    fn parts(self) -> (Promise, I, F) {
        (self.1, self.2, self.3)
    }
}

/// How the results for the elements become one.
struct Operation<R, X> {
    /// The result, if the rest does not matter.
    stops: fn(&R) -> Option<X>,
    /// The result, with that of the rest, if there is a rest.
    join: fn(R, Option<X>) -> X,
}

impl<R, X> Clone for Operation<R, X> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, X> Copy for Operation<R, X> {}

impl<I: ListItems, F: Fn(Promise, I::Item) -> bool + Copy + 'static> Mapped<I, F, bool> {
    /// `all(f)`
    #[inline(always)]
    pub fn all_of(self) -> bool {
        let stops = |holds: &bool| (!holds).then_some(false);
        if let Some(answer) = self.answer(Operation { stops, join: |_, rest| rest.unwrap_or(true) }) {
            return answer;
        }
        let Mapped(_, promise, mut iter, f, _) = self;
        iter.all(|item| f(promise, item))
    }

    /// `any(f)`
    #[inline(always)]
    pub fn any_of(self) -> bool {
        let stops = |holds: &bool| holds.then_some(true);
        if let Some(answer) = self.answer(Operation { stops, join: |_, rest| rest.unwrap_or(false) }) {
            return answer;
        }
        let Mapped(_, promise, mut iter, f, _) = self;
        iter.any(|item| f(promise, item))
    }
}

impl<I: ListItems, F: Fn(Promise, I::Item) -> R + Copy + 'static, R: Scalar + Ord> Mapped<I, F, R> {
    /// `map(f).max()`
    #[inline(always)]
    pub fn max_of(self) -> Option<R> {
        // Of equal ones the last.
        let join = |first, rest: Option<Option<R>>| match rest.flatten() {
            Some(rest) if first <= rest => Some(rest),
            _ => Some(first),
        };
        if let Some(answer) = self.answer(Operation { stops: |_| None, join }) {
            return answer;
        }
        let Mapped(_, promise, iter, f, _) = self;
        iter.map(|item| f(promise, item)).max()
    }

    /// `map(f).min()`
    #[inline(always)]
    pub fn min_of(self) -> Option<R> {
        // Of equal ones the first.
        let join = |first, rest: Option<Option<R>>| match rest.flatten() {
            Some(rest) if rest < first => Some(rest),
            _ => Some(first),
        };
        if let Some(answer) = self.answer(Operation { stops: |_| None, join }) {
            return answer;
        }
        let Mapped(_, promise, iter, f, _) = self;
        iter.map(|item| f(promise, item)).min()
    }

    /// `map(f).sum()`
    #[inline(always)]
    pub fn sum_of<S: Sum<R> + Sum<S> + Plain>(self) -> S {
        let join = |first, rest: Option<S>| {
            let first: S = std::iter::once(first).sum();
            std::iter::once(first).chain(rest).sum()
        };
        if let Some(answer) = self.answer(Operation { stops: |_| None, join }) {
            return answer;
        }
        let Mapped(_, promise, iter, f, _) = self;
        iter.map(|item| f(promise, item)).sum()
    }
}

impl<I: ListItems, F: Fn(Promise, I::Item) -> R + Copy + 'static, R> Mapped<I, F, R> {
    /// The answer for the group of the lists, if there is one.
    #[inline(always)]
    fn answer<X: Plain>(&self, operation: Operation<R, X>) -> Option<X>
    where
        R: 'static,
    {
        match evaluation::current().is_some() && size_of::<F>() == 0 {
            true => ask::<I, F, R, X>(self.0, self.2.place(), self.1, self.3, operation),
            false => None,
        }
    }
}

/// Asks what a fold says about the elements at a place, or about the rest of the list that the run is about.
fn ask<I: ListItems, F: Fn(Promise, I::Item) -> R + Copy + 'static, R: 'static, X: Plain>(
    site: &'static HelperSite,
    place: Option<Place>,
    promise: Promise,
    f: F,
    operation: Operation<R, X>,
) -> Option<X> {
    observe(site, place?, (TypeId::of::<(F, ())>(), TypeId::of::<X>(), 0), (), promise, move |object| {
        let first = f(promise, I::item(object).unwrap_or_else(|| leave()));
        if let Some(answer) = (operation.stops)(&first) {
            return answer;
        }
        let rest = has_rest().then(|| {
            let rest = ask::<I, F, R, X>(site, Some(Place::Rest), promise, f, operation);
            rest.unwrap_or_else(|| leave())
        });
        (operation.join)(first, rest)
    })
}

impl<I: ListItems, F: Fn(Promise, A, I::Item) -> A + Copy + 'static, A: Scalar> Folded<I, F, A> {
    /// `fold(init, f)`
    #[inline(always)]
    pub fn fold_of(self) -> A {
        let Folded(site, promise, iter, init, f) = self;
        let answer = match evaluation::current().is_some() && size_of::<F>() == 0 {
            true => ask_fold::<I, F, A>(site, iter.place(), promise, init.clone(), f),
            false => None,
        };
        answer.unwrap_or_else(|| iter.fold(init, |so_far, item| f(promise, so_far, item)))
    }
}

/// The folds over everything that is no list.
pub trait NotFolded<A>: Sized {
    /// `fold(init, f)`
    fn fold_of(self) -> A;
}

impl<I: Iterator, F: Fn(Promise, A, I::Item) -> A, A> NotFolded<A> for Folded<I, F, A> {
    #[inline(always)]
    fn fold_of(self) -> A {
        let Folded(_, promise, iter, init, f) = self;
        iter.fold(init, |so_far, item| f(promise, so_far, item))
    }
}

/// Asks what a fold says, with what goes into it.
fn ask_fold<I: ListItems, F: Fn(Promise, A, I::Item) -> A + Copy + 'static, A: Scalar>(
    site: &'static HelperSite,
    place: Option<Place>,
    promise: Promise,
    so_far: A,
    f: F,
) -> Option<A> {
    let given = so_far.clone();
    observe(site, place?, (TypeId::of::<(F, A)>(), TypeId::of::<A>(), 0), given, promise, move |object| {
        let item = I::item(object).unwrap_or_else(|| leave());
        let so_far = f(promise, so_far.clone(), item);
        match has_rest() {
            true => {
                ask_fold::<I, F, A>(site, Some(Place::Rest), promise, so_far, f).unwrap_or_else(|| leave())
            }
            false => so_far,
        }
    })
}

/// Whether the list that the run is about has a rest.
fn has_rest() -> bool {
    let current = evaluation::current().unwrap_or_else(|| leave());
    current.ask(Query::IsLast) == Some(0)
}

/// Asks about a list.
fn observe<A: Plain, X: Plain>(
    site: &'static HelperSite,
    place: Place,
    types: Types,
    arguments: A,
    promise: Promise,
    body: impl Fn(&'static dyn Any) -> X + 'static,
) -> Option<X> {
    let evaluation = evaluation::current()?;
    let at = match place {
        Place::At(address, _) => Some(evaluation.object_at(address)?),
        _ => None,
    };
    let query = {
        let mut making = evaluation.state.borrow_mut();
        if making.is_read(site) {
            return None;
        }
        let list = match (place, at) {
            (Place::At(_, length), Some((node_type, object))) => {
                making.frame.list_at(node_type, object, length)?
            }
            (Place::Pointers(slot, length), _) => {
                let (store, layout) = (&making.store, evaluation.heap.layout);
                let is_whole = making.frame.are_untaken(store, layout, store.types.place(slot), length);
                is_whole.then_some(0)?
            }
            _ => 0,
        };
        let number = making.intern(&arguments);
        let body = Rc::new(move |object: &'static dyn Any| {
            let answer = body(object);
            evaluation.state.borrow_mut().intern(&answer)
        });
        let observation = making.call((site, types, number, promise), body);
        match place {
            Place::Pointers(slot, _) => {
                let place = making.store.types.place(slot);
                let (node_type, object) = (place.node_type as usize, place.object as usize);
                let elements = making.store.types.elements(slot)?;
                Query::FoldPointers { node_type, object, elements, observation }
            }
            _ => Query::Fold { list, observation },
        }
    };
    let answer = evaluation.ask(query)?;
    Some(evaluation.state.borrow_mut().value(answer))
}
