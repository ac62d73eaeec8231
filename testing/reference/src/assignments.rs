//! The heap of a type without a search, behind an object: the oracle is compiled once, and not once for each of the many
//! types that are compared.

use smallscope_core::bounds::Bounds;
use smallscope_core::raw::{AnyRaw, Raw};
use smallscope_core::shape::{Bounded, RepOk};
use smallscope_support::panics;
use std::any::Any;
use std::mem::ManuallyDrop;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The heap of a type without a search.
pub(crate) trait Assignments: DerefMut<Target = AnyRaw> {
    /// What the invariants say of the value of some choices, if every slot has one; an error is the message of a panic.
    ///
    /// # Safety
    ///
    /// `Owners::check` has accepted the choices.
    unsafe fn decide(&mut self, choices: &[u32]) -> Option<Result<bool, String>>;

    /// The value of some choices, if every slot has one, as a `ManuallyDrop` of its type.
    ///
    /// # Safety
    ///
    /// `Owners::check` has accepted the choices.
    unsafe fn value(&mut self, choices: &[u32]) -> Option<Box<dyn Any>>;
}

/// Lays out the heap of a type.
pub(crate) fn assignments<T: Bounded>(bounds: &Bounds) -> Result<Box<dyn Assignments>, String> {
    Ok(Box::new(Raw::<T>::new(bounds).map_err(|e| e.to_string())?))
}

impl<T: Bounded> Assignments for Raw<T> {
    unsafe fn decide(&mut self, choices: &[u32]) -> Option<Result<bool, String>> {
        // SAFETY: the caller vouches for the choices.
        let value = unsafe { self.build(choices) }?;
        let verdict = match holds(&*value) {
            Ok(false) => Ok(false),
            // The invariant of the whole may rely on those of the parts.
            _ if self.broken_part(choices, &value).is_some() => Ok(false),
            other => other,
        };
        if verdict == Ok(true) {
            drop(ManuallyDrop::into_inner(value));
        }
        Some(verdict)
    }

    unsafe fn value(&mut self, choices: &[u32]) -> Option<Box<dyn Any>> {
        // SAFETY: the caller vouches for the choices.
        Some(Box::new(unsafe { self.build(choices) }?))
    }
}

/// The invariant of the real type, or the message of its panic.
pub(crate) fn holds<T: RepOk>(value: &T) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| value.rep_ok())).map_err(panics::message)
}
