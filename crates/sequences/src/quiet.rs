//! Panics of calls are caught and not printed.
//!
//! A panic hook, installed once, keeps message and place of panics on threads that are inside of [`silently`], and
//! forwards all others to the hook that was there before.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// A panic that was caught.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Panic {
    /// Its message.
    pub message: String,
    /// File, line and column, if known.
    pub location: Option<String>,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{} (at {location})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a function; panics inside of it that [`catch`] catches are not printed.
pub(crate) fn silently<R>(f: impl FnOnce() -> R) -> R {
    install();
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }
    let _restore = Restore(INSIDE.replace(true));
    f()
}

/// Runs a function and catches its panic. Costs a few instructions where there is none.
#[inline]
pub(crate) fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Panic> {
    catch_unwind(AssertUnwindSafe(f)).map_err(caught)
}

#[cold]
fn caught(thrown: Box<dyn Any + Send>) -> Panic {
    let text = thrown.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let message =
        text.or_else(|| thrown.downcast_ref::<String>().cloned()).unwrap_or_else(|| "(no message)".into());
    // What was thrown may have a destructor that panics.
    std::mem::forget(thrown);
    Panic { message, location: LOCATION.take() }
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if INSIDE.try_with(Cell::get).unwrap_or(false) {
                let location = info.location().map(ToString::to_string);
                let _ = LOCATION.try_with(|kept| kept.replace(location));
            } else {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_location_are_kept() {
        let line = line!() + 1;
        let panic = silently(|| catch(|| panic!("boom {}", 1))).unwrap_err();
        assert_eq!(panic.message, "boom 1");
        assert!(panic.location.unwrap().contains(&format!("quiet.rs:{line}:")));
        assert!(!INSIDE.get());
    }
}
