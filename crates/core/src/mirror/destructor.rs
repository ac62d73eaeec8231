//! Finds out whether types of the user have destructors of their own.
//!
//! A lent value is turned into the next one without dropping it. The destructor of a user's type would then never run on
//! it, so values with such a type in them are dropped, each after the test has looked at it.

use std::any::TypeId;
use std::cell::Cell;
use std::marker::PhantomData;

thread_local! {
    /// Whether a search of this thread is about a type with a destructor of its own.
    static ANY: Cell<bool> = const { Cell::new(false) };
}

/// Notes a type with a destructor of its own.
pub(crate) fn note() {
    ANY.set(true);
}

/// Whether a type of a search on this thread has a destructor of its own.
pub(crate) fn is_any() -> bool {
    ANY.get()
}

/// Finds out whether a type implements `Drop`, in generated code that cannot know: the inherent method is there only if
/// it does, and goes before that of [`NoDrop`]. `needs_drop` would also be true for a struct with a `Box` in it.
pub struct DropProbe<T>(PhantomData<fn(T)>);

impl<T> DropProbe<T> {
    /// A probe for a type.
    #[expect(clippy::new_without_default, reason = "only generated code makes one")]
    pub fn new() -> Self {
        DropProbe(PhantomData)
    }
}

#[expect(drop_bounds, reason = "whether the type itself implements it is the question")]
impl<T: Drop> DropProbe<T> {
    /// It does.
    pub fn has_drop(&self) -> bool {
        true
    }
}

/// The answer of a [`DropProbe`] for a type that does not implement `Drop`.
pub trait NoDrop {
    /// It does not.
    fn has_drop(&self) -> bool {
        false
    }
}

impl<T> NoDrop for DropProbe<T> {}

/// Whether dropping a value of a type that is not derived may run code of the user.
pub(crate) fn may_run_user_code<T: 'static>() -> bool {
    std::mem::needs_drop::<T>() && TypeId::of::<T>() != TypeId::of::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain {
        _list: Vec<u8>,
    }

    struct Guard<K: Ord>(PhantomData<K>);

    impl<K: Ord> Drop for Guard<K> {
        fn drop(&mut self) {}
    }

    /// Generic code gets the answer, too.
    fn of_guard<K: Ord>() -> bool {
        DropProbe::<Guard<K>>::new().has_drop()
    }

    #[test]
    fn only_own_destructors_count() {
        assert!(std::mem::needs_drop::<Plain>() && !DropProbe::<Plain>::new().has_drop());
        assert!(DropProbe::<Guard<u8>>::new().has_drop() && of_guard::<u8>());
        assert!(!may_run_user_code::<String>() && !may_run_user_code::<u8>());
        assert!(may_run_user_code::<Guard<u8>>());
    }
}
