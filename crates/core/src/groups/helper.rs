//! What the copy of a helper asks before its body runs.

use super::evaluation::{self, leave};
use super::store::REFUSED;
use crate::ask::{self, Promise};
use crate::mirror::{self, Pooled};
use crate::promise::refutes;
use crate::shape::Pointee;
use std::any::{Any, TypeId};
use std::cell::Cell;
use std::hash::Hash;
use std::marker::PhantomData;
use std::rc::Rc;

/// A helper of an invariant.
#[derive(Debug)]
pub struct HelperSite {
    /// Its name.
    pub name: &'static str,
    /// The line of its name.
    pub line: u32,
}

/// Arguments and results that a summary can be about: they own their data.
pub trait Plain: Clone + Eq + Hash + 'static {}

impl<T: Clone + Eq + Hash + 'static> Plain for T {}

/// References to the arguments of a call.
pub trait Borrowed {
    /// The arguments.
    type Owned;
    /// A copy of the arguments.
    fn owned(&self) -> Self::Owned;
}

impl<T: ToOwned + ?Sized> Borrowed for &T {
    type Owned = T::Owned;
    fn owned(&self) -> T::Owned {
        (*self).to_owned()
    }
}

impl<T: Clone> Borrowed for Option<&T> {
    type Owned = Option<T>;
    fn owned(&self) -> Option<T> {
        self.cloned()
    }
}

impl Borrowed for () {
    type Owned = ();
    fn owned(&self) {}
}

macro_rules! borrowed {
    ($(($($t:ident $i:tt),*))*) => { $(
        impl<$($t: Borrowed),*> Borrowed for ($($t,)*) {
            type Owned = ($($t::Owned,)*);
            fn owned(&self) -> Self::Owned {
                ($(self.$i.owned(),)*)
            }
        }
    )* };
}
borrowed!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4));

/// What the caller has promised about the result of a helper, and whether a result is what promises are about.
pub struct Promised<R>(pub Promise, pub fn(&R) -> Option<bool>);

impl<R> Clone for Promised<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Promised<R> {}

/// A result that may be what promises are about: `(&Outcome(..)).is_positive()` finds [`YesOrNo`] before [`NoOutcome`],
/// which needs one more reference.
pub struct Outcome<'a, R>(pub &'a R);

/// Results that promises are about.
pub trait YesOrNo {
    /// Whether it is what the promise hopes for.
    fn is_positive(&self) -> Option<bool>;
}

/// Results that promises are not about.
pub trait NoOutcome {
    /// None.
    fn is_positive(&self) -> Option<bool> {
        None
    }
}

impl<R> NoOutcome for &Outcome<'_, R> {}

impl YesOrNo for Outcome<'_, bool> {
    fn is_positive(&self) -> Option<bool> {
        Some(*self.0)
    }
}

impl<T> YesOrNo for Outcome<'_, Option<T>> {
    fn is_positive(&self) -> Option<bool> {
        Some(self.0.is_some())
    }
}

impl<T, E> YesOrNo for Outcome<'_, Result<T, E>> {
    fn is_positive(&self) -> Option<bool> {
        Some(self.0.is_ok())
    }
}

/// A call of a helper: the argument that may be a subtree, and the types of the other arguments and of the result.
///
/// Whether the helper can be summarised, the compiler finds out: the inherent methods are there only if the argument is a
/// subtree and the types are [`Plain`], and go before those of [`NotSummarised`]. The types stand in a function pointer,
/// because the one of a type with a hidden lifetime is higher-ranked, and fits no implementation.
pub struct Call<T, F>(pub T, pub PhantomData<Cell<F>>);

/// The answers of a [`Call`] that cannot be summarised.
pub trait NotSummarised {
    /// None: the body runs.
    #[inline(always)]
    fn in_option_box<A, P, B, R>(&self, _: &'static HelperSite, _: A, _: P, _: B) -> Option<R> {
        None
    }
    /// None: the body runs.
    #[inline(always)]
    fn in_box<A, P, B, R>(&self, _: &'static HelperSite, _: A, _: P, _: B) -> Option<R> {
        None
    }
    /// None: the body runs.
    #[inline(always)]
    fn in_option<A, P, B, R>(&self, _: &'static HelperSite, _: A, _: P, _: B) -> Option<R> {
        None
    }
    /// None: the body runs.
    #[inline(always)]
    fn in_reference<A, P, B, R>(&self, _: &'static HelperSite, _: A, _: P, _: B) -> Option<R> {
        None
    }
}

impl<T, F> NotSummarised for Call<T, F> {}

impl<M: Pointee + 'static, A: Plain, R: Plain> Call<&Option<mirror::Box<M>>, fn(A, R)> {
    /// The answer for the group of the subtree, if there is one.
    #[inline]
    pub fn in_option_box(
        &self,
        site: &'static HelperSite,
        arguments: impl Borrowed<Owned = A>,
        promised: Promised<R>,
        body: fn(&Option<mirror::Box<M>>, A) -> R,
    ) -> Option<R> {
        let address = self.0.as_ref()?.0.as_ptr() as usize;
        ask((site, body as usize), address, &arguments, promised, move |object, a| {
            body(&Some(mirror::Box::to_pooled(pooled::<M>(object))), a)
        })
    }
}

impl<M: Pointee + 'static, A: Plain, R: Plain> Call<&mirror::Box<M>, fn(A, R)> {
    /// The answer for the group of the subtree, if there is one.
    #[inline]
    pub fn in_box(
        &self,
        site: &'static HelperSite,
        arguments: impl Borrowed<Owned = A>,
        promised: Promised<R>,
        body: fn(&mirror::Box<M>, A) -> R,
    ) -> Option<R> {
        let address = self.0.0.as_ptr() as usize;
        ask((site, body as usize), address, &arguments, promised, move |object, a| {
            body(&mirror::Box::to_pooled(pooled::<M>(object)), a)
        })
    }
}

impl<M: Pointee + 'static, A: Plain, R: Plain> Call<Option<&M>, fn(A, R)> {
    /// The answer for the group of the subtree, if there is one.
    #[inline]
    pub fn in_option(
        &self,
        site: &'static HelperSite,
        arguments: impl Borrowed<Owned = A>,
        promised: Promised<R>,
        body: fn(Option<&M>, A) -> R,
    ) -> Option<R> {
        let address = std::ptr::from_ref(self.0?) as usize;
        ask((site, body as usize), address, &arguments, promised, move |object, a| {
            body(Some(M::target(object_of::<M>(object))), a)
        })
    }
}

impl<M: Pointee + 'static, A: Plain, R: Plain> Call<&M, fn(A, R)> {
    /// The answer for the group of the subtree, if there is one.
    #[inline]
    pub fn in_reference(
        &self,
        site: &'static HelperSite,
        arguments: impl Borrowed<Owned = A>,
        promised: Promised<R>,
        body: fn(&M, A) -> R,
    ) -> Option<R> {
        let address = std::ptr::from_ref(self.0) as usize;
        ask((site, body as usize), address, &arguments, promised, move |object, a| {
            body(M::target(object_of::<M>(object)), a)
        })
    }
}

/// The object that a body runs on.
fn pooled<M: Pointee + 'static>(object: &'static dyn Any) -> &'static Pooled<M::Object>
where
    M::Object: 'static,
{
    object.downcast_ref().unwrap_or_else(|| leave())
}

/// The same, if it may be an element of a vector.
fn object_of<M: Pointee + 'static>(object: &'static dyn Any) -> &'static M::Object
where
    M::Object: 'static,
{
    match object.downcast_ref::<Pooled<M::Object>>() {
        Some(pooled) => &pooled.object,
        None => object.downcast_ref().unwrap_or_else(|| leave()),
    }
}

/// Asks for the answer of a helper.
fn ask<A: Plain, R: Plain>(
    (site, function): (&'static HelperSite, usize),
    address: usize,
    arguments: &dyn Borrowed<Owned = A>,
    Promised(promise, is_positive): Promised<R>,
    body: impl Fn(&'static dyn Any, A) -> R + 'static,
) -> Option<R> {
    let evaluation = evaluation::current()?;
    let (node_type, object) = evaluation.object_at(address)?;
    let observation = {
        let mut making = evaluation.state.borrow_mut();
        let is_abstract = matches!(making.frame.is_abstract(node_type, object), Ok(true));
        if !is_abstract || making.is_read(site) {
            return None;
        }
        let arguments = arguments.owned();
        let number = making.intern(&arguments);
        let body = Rc::new(move |on: &'static dyn Any| {
            let arguments = arguments.clone();
            ask::promise(promise);
            let answer = body(on, arguments);
            match is_positive(&answer) {
                Some(is_positive) if refutes(promise, is_positive) => REFUSED,
                _ => evaluation.state.borrow_mut().intern(&answer),
            }
        });
        let types = (TypeId::of::<A>(), TypeId::of::<R>(), function);
        making.call((site, types, number, promise), body)
    };
    let answer = evaluation.observe(node_type, object, observation)?;
    Some(evaluation.state.borrow_mut().value(answer))
}
