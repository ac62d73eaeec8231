//! `Debug` of mirrors: they print what the values that they stand for print, and read that.

use crate::guard::step;
use std::cell::RefCell;
use std::fmt;

/// A field to print if its type is `Debug`.
///
/// `Debugged(&field).__debug()` with [`NotDebug`] in scope: the inherent method takes precedence where it exists.
pub struct Debugged<'a, T>(pub &'a T);

impl<'a, T: fmt::Debug> Debugged<'a, T> {
    /// The field itself.
    pub fn __debug(&self) -> &'a dyn fmt::Debug {
        self.0
    }
}

/// A field whose type is not `Debug`.
pub trait NotDebug {
    /// A placeholder.
    fn __debug(&self) -> &'static dyn fmt::Debug {
        &Hidden
    }
}

impl<T> NotDebug for Debugged<'_, T> {}

struct Hidden;

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

thread_local! {
    /// The objects that are being printed, each inside of the one before it.
    static OPEN: RefCell<Vec<*const ()>> = const { RefCell::new(vec![]) };
}

/// Prints the object that a pointer leads to. Candidates may have cycles where valid values have none, so an object is
/// not printed inside of itself.
pub(super) fn object<T: fmt::Debug>(object: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    step();
    let address: *const () = std::ptr::from_ref(object).cast();
    if OPEN.with_borrow(|open| open.contains(&address)) {
        return f.write_str("…");
    }
    OPEN.with_borrow_mut(|open| open.push(address));
    let _closes = Closes;
    object.fmt(f)
}

/// Reads may unwind.
struct Closes;

impl Drop for Closes {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(Vec::pop);
    }
}
