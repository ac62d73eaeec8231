//! Memory that stays until the process ends. What leads to the rest of it is noted under Miri, which calls memory a leak
//! unless a static leads there.

use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

/// One entry of the list of what is leaked.
struct Entry {
    object: AtomicPtr<()>,
    previous: AtomicPtr<Entry>,
}

/// The last entry, under Miri.
static LAST: AtomicPtr<Entry> = AtomicPtr::new(null_mut());

/// Leaks a value.
#[inline]
pub(crate) fn leak<T>(value: T) -> &'static T {
    let value = Box::leak(Box::new(value));
    if cfg!(miri) {
        note(from_ref(value).cast());
    }
    value
}

#[inline]
fn note(object: *const ()) {
    let entry = Box::leak(Box::new(Entry { object: AtomicPtr::default(), previous: AtomicPtr::default() }));
    entry.object.store(object.cast_mut(), Ordering::Relaxed);
    let entry: &'static Entry = entry;
    entry.previous.store(LAST.swap(from_ref(entry).cast_mut(), Ordering::Relaxed), Ordering::Relaxed);
}
