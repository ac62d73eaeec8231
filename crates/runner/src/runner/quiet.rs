//! Panics of cases are caught, not printed: only the report of the one failing case is.
//!
//! A panic hook, installed once, keeps message and place of panics on threads that are inside of [`catch`],
//! and forwards all others to the hook that was there before.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// A panic that was caught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caught {
    /// Its message.
    pub message: String,
    /// Where it happened, if known.
    pub place: Option<Place>,
}

/// Where a panic happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// File, line and column.
    pub location: String,
    /// How it came to that, if `RUST_BACKTRACE` asks for it.
    pub backtrace: Option<String>,
}

impl Caught {
    /// Where it happened, in words with a space before them.
    pub(crate) fn at(&self) -> String {
        self.place.as_ref().map(|place| format!(" at {}", place.location)).unwrap_or_default()
    }
}

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// Whether there is something in `LAST`. It has no destructor, so it is cheap to look at.
    static IS_KEPT: Cell<bool> = const { Cell::new(false) };
    /// The last panic inside, as the hook saw it.
    static LAST: RefCell<Option<(String, Place)>> = const { RefCell::new(None) };
}

/// Runs a function; if it panics nothing is printed.
#[inline]
pub fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Caught> {
    let (mut f, mut result) = (Some(f), None);
    catch_call(&mut || result = f.take().map(|f| f()))?;
    Ok(result.expect("smallscope internal error: a function that was called has no result"))
}

/// The same, whatever is called: compiled once.
fn catch_call(f: &mut dyn FnMut()) -> Result<(), Caught> {
    install();
    let _ = last_place();
    let outside = INSIDE.replace(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    INSIDE.set(outside);
    result.map_err(|thrown| {
        let message = message_of(&*thrown);
        // What was thrown may have a destructor that panics.
        std::mem::forget(thrown);
        Caught { message, place: last_place() }
    })
}

/// The place of the last panic inside of the last [`catch`], whether or not it was caught before.
pub(crate) fn last_place() -> Option<Place> {
    if !IS_KEPT.replace(false) {
        return None;
    }
    LAST.take().map(|(_, place)| place)
}

fn message_of(thrown: &(dyn Any + Send)) -> String {
    let text = thrown.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| thrown.downcast_ref::<String>().cloned()).unwrap_or_else(|| "(no message)".into())
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let inside = INSIDE.try_with(Cell::get).unwrap_or(false);
            if !inside || aborts(info) {
                before(info);
            } else {
                keep(info);
            }
        }));
    });
}

fn keep(info: &PanicHookInfo<'_>) {
    let backtrace = Backtrace::capture();
    let place = Place {
        location: info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| {
            let text = backtrace.to_string();
            if std::env::var("RUST_BACKTRACE").is_ok_and(|v| v == "full") { text } else { shorten(&text) }
        }),
    };
    let message = info.payload_as_str().unwrap_or("(no message)").to_owned();
    IS_KEPT.set(true);
    let _ = LAST.try_with(|last| last.replace(Some((message, place))));
}

/// Whether the process is about to abort, because a destructor panicked during a panic or the like. There
/// will be no report then, so this panic is shown, with the one that came before it.
fn aborts(info: &PanicHookInfo<'_>) -> bool {
    let message = info.payload_as_str().unwrap_or_default();
    let aborts = ["panic in a destructor during cleanup", "panic in a function that cannot unwind"];
    if !aborts.contains(&message) {
        return false;
    }
    if let Ok(Some((message, place))) = LAST.try_with(RefCell::take) {
        super::say(&format!("the last panic before the end was at {}: {message}", place.location));
    }
    true
}

/// The frames between the machinery of panics and ours: what the user's code was doing.
fn shorten(backtrace: &str) -> String {
    let mut frames: Vec<String> = vec![];
    for line in backtrace.lines() {
        let is_frame = line.trim_start().split_once(": ").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        match frames.last_mut() {
            Some(frame) if !is_frame => {
                frame.push('\n');
                frame.push_str(line);
            }
            _ => frames.push(line.to_owned()),
        }
    }
    let is_panic =
        |frame: &String| frame.contains("core::panicking::") || frame.contains("rust_begin_unwind");
    let is_ours =
        |frame: &String| frame.contains("smallscope_runner::") || frame.contains("smallscope_core::");
    let first = frames.iter().rposition(is_panic).map_or(0, |i| i + 1);
    let users = frames[first..].iter().take_while(|frame| !is_ours(frame));
    users.cloned().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_place_are_kept() {
        let line = line!() + 1;
        let caught = catch(|| panic!("boom {}", 1)).unwrap_err();
        assert_eq!(caught.message, "boom 1");
        assert!(caught.place.unwrap().location.contains(&format!("quiet.rs:{line}:")));
        assert_eq!(catch(|| 3), Ok(3));
    }

    #[test]
    fn catches_nest() {
        let outer = catch(|| {
            assert_eq!(catch(|| panic!("inner")).unwrap_err().message, "inner");
            assert!(INSIDE.get());
            std::panic::panic_any(7);
        });
        assert_eq!(outer.unwrap_err().message, "(no message)");
        assert!(!INSIDE.get());
    }

    #[test]
    fn a_backtrace_is_cut_down_to_the_users_frames() {
        let full = "   0: smallscope_runner::runner::quiet::keep\n             at quiet.rs:1\n   1: core::panicking::panic_fmt\n   \
                    2: user::tests::fails\n             at ./src/lib.rs:49:9\n   3: smallscope_runner::attribute::run_test\n   4: clone3\n";
        assert_eq!(shorten(full), "   2: user::tests::fails\n             at ./src/lib.rs:49:9");
    }
}
