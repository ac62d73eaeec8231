//! What a search has to know about the type of its values. The search is compiled once and not once per type, because test
//! crates have many types.

use super::shape::{Part, RepOk};
use crate::absorb::Absorb;
use crate::build::Build;
use crate::conjuncts::ConjunctSite;
use crate::eq_class::ClassValue;
use crate::error::{FailureKind, panic_message};
use crate::heap::Heap;
use crate::leaked::leak;
use crate::link::{At, Builder};
use crate::walk::Walk;
use std::any::{Any, TypeId, type_name};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The part of the mirror heap that stands for the whole value.
pub(crate) trait Root {
    /// The invariant on the current candidate.
    fn rep_ok(&self) -> bool;
    /// Whether not every value is valid, as far as its own type says.
    fn has_invariant(&self) -> bool;
    /// A part of the same type that is not linked yet.
    fn blank_copy(&self) -> &'static dyn Root;
    /// Runs `eq_class`, if there is one.
    fn classify(&self, show: &mut dyn FnMut(ClassValue<'_>));
    /// Gives every cell its slot.
    fn link(&'static self, b: &mut Builder, at: At);
    /// Reads every reachable slot.
    fn walk(&'static self, w: &mut Walk);
    /// Builds the value of the current, complete candidate and runs the real invariant on it; an error is the message of
    /// its panic. The value is not dropped: its destructor may rely on the invariant.
    fn ask_real(&'static self, heap: &'static Heap, build: &mut Build) -> Result<bool, String>;
    /// The part itself, for callers that know its type.
    fn as_any(&'static self) -> &'static dyn Any;
    /// Builds the value of the current, complete candidate, checks it with the real invariant and drops it.
    fn check(&'static self, heap: &'static Heap, build: &mut Build) -> Result<(), Refused>;
}

impl<C: Part<Real: RepOk> + RepOk> Root for C {
    fn rep_ok(&self) -> bool {
        RepOk::rep_ok(self)
    }

    fn has_invariant(&self) -> bool {
        C::INVARIANT.is_some()
    }

    fn blank_copy(&self) -> &'static dyn Root {
        blank::<C>()
    }

    fn classify(&self, show: &mut dyn FnMut(ClassValue<'_>)) {
        if let Some(classify) = C::classifier() {
            classify(self, show);
        }
    }

    fn link(&'static self, b: &mut Builder, at: At) {
        Part::link(self, b, at);
    }

    fn walk(&'static self, w: &mut Walk) {
        Part::walk(self, w);
    }

    fn ask_real(&'static self, heap: &'static Heap, build: &mut Build) -> Result<bool, String> {
        let value = ManuallyDrop::new(build.run(self));
        match verdict(&*value) {
            Ok(false) => Ok(false),
            // The invariant of the whole may rely on those of the parts.
            other => match broken_part(heap, self, &*value)? {
                Some(_) => Ok(false),
                None => other,
            },
        }
    }

    fn as_any(&'static self) -> &'static dyn Any {
        self
    }

    fn check(&'static self, heap: &'static Heap, build: &mut Build) -> Result<(), Refused> {
        let value = ManuallyDrop::new(build.run(self));
        accept(heap, self, &*value)?;
        drop(ManuallyDrop::into_inner(value));
        Ok(())
    }
}

/// A type of values: enough to lay out another search for them, on any thread.
#[derive(Clone, Copy)]
pub(crate) struct ValueType {
    pub id: fn() -> TypeId,
    pub name: fn() -> &'static str,
    pub blank: fn() -> &'static dyn Root,
    pub conjuncts: fn() -> &'static [ConjunctSite],
    pub conjuncts_of_inputs: fn() -> Vec<&'static [ConjunctSite]>,
    pub has_classes: fn() -> bool,
}

impl ValueType {
    /// The type whose mirrors are stored as `C`.
    pub fn of<C: Part<Real: RepOk> + RepOk>() -> ValueType {
        ValueType {
            id: TypeId::of::<C::Real>,
            name: type_name::<C::Real>,
            blank: || blank::<C>(),
            conjuncts: C::conjuncts,
            conjuncts_of_inputs: C::conjuncts_of_inputs,
            has_classes: || C::classifier().is_some(),
        }
    }
}

/// A part that is not linked yet. It stays for good, as everything that leads to it does.
pub(crate) fn blank<C: Part>() -> &'static C {
    leak(C::blank())
}

/// Why the real invariant does not accept a value that was built.
pub struct Refused(pub(crate) FailureKind);

impl Refused {
    pub(crate) fn new(difference: String) -> Refused {
        Refused(FailureKind::Disagreement { difference })
    }

    pub(crate) fn unbuildable(why: &str) -> Refused {
        Refused(FailureKind::Unbuildable { why: why.into() })
    }
}

/// Whether the real invariant holds for the value of the current candidate, and those of its parts do.
#[inline]
pub(crate) fn accept<C: Part<Real: RepOk>>(
    heap: &'static Heap,
    cell: &'static C,
    value: &C::Real,
) -> Result<(), Refused> {
    match verdict(value) {
        Ok(true) if heap.layout.inner.is_some() => accept_parts(heap, cell, value),
        Ok(true) => Ok(()),
        Ok(false) => Err(rejected("the invariant")),
        Err(message) => Err(panicked("the invariant accepts the candidate but", &message)),
    }
}

#[cold]
fn rejected(invariant: &str) -> Refused {
    Refused::new(format!(
        "{invariant} accepts the candidate but rejects the value built from it: it depends on something that the search \
         does not see (addresses, `size_of`, a static)"
    ))
}

#[cold]
fn panicked(what: &str, message: &str) -> Refused {
    Refused::new(format!("{what} panics on the value built from it: {message}"))
}

/// Whether the real invariants of the parts of a value hold.
#[inline(never)]
fn accept_parts<C: Part>(heap: &'static Heap, cell: &'static C, value: &C::Real) -> Result<(), Refused> {
    match broken_part(heap, cell, value) {
        Ok(None) => Ok(()),
        Ok(Some(part)) => Err(rejected(part.text)),
        Err(message) => Err(panicked("the invariants of parts accept the candidate but one", &message)),
    }
}

/// The invariant of a part of a value that is broken, or the message of a panic.
fn broken_part<C: Part>(
    heap: &'static Heap,
    cell: &'static C,
    value: &C::Real,
) -> Result<Option<&'static ConjunctSite>, String> {
    catch_unwind(AssertUnwindSafe(|| Absorb::broken(heap, cell, value))).map_err(panic_message)
}

/// What the real invariant says, or the message of its panic.
#[inline]
pub(crate) fn verdict<T: RepOk>(value: &T) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| value.rep_ok())).map_err(panic_message)
}
