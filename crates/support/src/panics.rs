//! Panics of the code under test are caught, not printed: a run may catch thousands of them and reports one.
//!
//! A panic hook, installed once for the process, is silent on threads that are inside of [`catch`] or [`silently`]: it
//! keeps the message and the place. It ignores panics that are part of no report ([`ignore_if`]), and forwards all others
//! to the hook that was installed before.

use crate::text::contains;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Once, OnceLock};

/// A panic that was caught.
///
/// It is displayed with its place: `boom (at src/lib.rs:3:5)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Panic {
    /// The message.
    pub message: String,
    /// Where it happened, if known.
    pub place: Option<Place>,
}

/// Where a panic happened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// File, line and column.
    pub location: String,
    /// The calls that led there: only with `RUST_BACKTRACE`, and only from [`catch`].
    pub backtrace: Option<String>,
}

impl Panic {
    /// Returns file, line and column, if known.
    pub fn location(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.location.as_str())
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.location() {
            Some(location) => write!(f, "{} (at {location})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// What the hook does with a panic of this thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Forwards it.
    Loud,
    /// Keeps its message and place.
    Silent,
    /// Keeps its backtrace, too, which takes much longer.
    Traced,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Loud) };
    /// Whether `LAST` holds a panic. Unlike `LAST` it has no destructor, so reading it is cheap.
    static IS_KEPT: Cell<bool> = const { Cell::new(false) };
    /// The last panic that was not forwarded.
    static LAST: RefCell<Option<(String, Place)>> = const { RefCell::new(None) };
}

/// Sets the mode of this thread until it is dropped, also by a panic.
struct Within(Mode);

impl Within {
    fn new(mode: Mode) -> Within {
        install();
        Within(MODE.replace(mode))
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        MODE.set(self.0);
    }
}

/// Runs a function and catches its panic, which is not printed.
///
/// ```
/// use smallscope_support::panics::catch;
///
/// assert_eq!(catch(|| 3), Ok(3));
/// assert_eq!(catch(|| panic!("boom")).unwrap_err().message, "boom");
/// ```
#[inline]
pub fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Panic> {
    let (mut f, mut result) = (Some(f), None);
    catch_call(&mut || result = f.take().map(|f| f()))?;
    Ok(result.expect("smallscope internal error: a function that was called has no result"))
}

/// The part of [`catch`] that is the same for all functions, compiled once.
fn catch_call(f: &mut dyn FnMut()) -> Result<(), Panic> {
    let _traced = Within::new(Mode::Traced);
    let _ = last_place();
    catch_silenced(f).map_err(|panic| *panic)
}

/// Runs a function. Its panics are not printed, whether they are caught inside of it or not.
pub fn silently<R>(f: impl FnOnce() -> R) -> R {
    let _silent = Within::new(Mode::Silent);
    f()
}

/// Catches the panic of a function inside of [`silently`]: a cheaper [`catch`] for many small calls. It costs a few
/// instructions if there is no panic. The panic is in a box, because a debug build copies the result several times.
#[inline]
pub fn catch_silenced<R>(f: impl FnOnce() -> R) -> Result<R, Box<Panic>> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => Ok(result),
        Err(thrown) => Err(caught(thrown)),
    }
}

#[cold]
fn caught(thrown: Box<dyn Any + Send>) -> Box<Panic> {
    Box::new(Panic { message: message(thrown), place: last_place() })
}

/// Returns the place of the last panic that was not printed on this thread, once, whether or not it was caught. [`catch`]
/// forgets it when it begins and when it returns a panic.
pub fn last_place() -> Option<Place> {
    if !IS_KEPT.replace(false) {
        return None;
    }
    LAST.take().map(|(_, place)| place)
}

/// Panics with a report. If `RUST_BACKTRACE` is set, the report has the backtrace that matters, so that of this panic is
/// not printed: the calls from the harness to here would bury the report.
#[track_caller]
pub fn throw(report: String) -> ! {
    let is_loud = MODE.try_with(Cell::get).is_ok_and(|mode| mode == Mode::Loud);
    if !is_loud || Backtrace::capture().status() != BacktraceStatus::Captured {
        panic!("{report}");
    }
    let place = std::panic::Location::caller();
    let thread = std::thread::current();
    // Like the hook's, this output is captured by the harness.
    eprintln!("\nthread '{}' panicked at {place}:\n{report}", thread.name().unwrap_or("<unnamed>"));
    std::panic::resume_unwind(Box::new(report))
}

/// Returns the message of a panic, from what `catch_unwind` returned.
pub fn message(thrown: Box<dyn Any + Send>) -> String {
    let message = text(&*thrown).to_owned();
    // The value may have a destructor that panics.
    std::mem::forget(thrown);
    message
}

fn text(thrown: &(dyn Any + Send)) -> &str {
    let text = thrown.downcast_ref::<&str>().copied();
    text.or_else(|| thrown.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no message)")
}

/// Says when a panic is expected and part of no report.
static IS_IGNORED: OnceLock<fn() -> bool> = OnceLock::new();

/// Lets the hook ignore panics while a function returns true on their thread: no message is printed or kept, and no
/// backtrace is captured. The first function counts; there is one reason in a process for panics to be ignored.
pub fn ignore_if(is_ignored: fn() -> bool) {
    let _ = IS_IGNORED.set(is_ignored);
    install();
}

fn install() {
    static INSTALLED: Once = Once::new();
    // A hook cannot be set while its thread panics.
    if std::thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let mode = MODE.try_with(Cell::get).unwrap_or(Mode::Loud);
            let is_ignored = IS_IGNORED.get().is_some_and(|is_ignored| is_ignored());
            if mode == Mode::Loud && !is_ignored || aborts(info) {
                before(info);
            } else if !is_ignored {
                keep(info, mode);
            }
        }));
    });
}

fn keep(info: &PanicHookInfo<'_>, mode: Mode) {
    let place = Place {
        location: info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string),
        backtrace: if mode == Mode::Traced { backtrace() } else { None },
    };
    IS_KEPT.set(true);
    let _ = LAST.try_with(|last| last.replace(Some((text(info.payload()).to_owned(), place))));
}

/// The calls that led here, if `RUST_BACKTRACE` requests them.
fn backtrace() -> Option<String> {
    let backtrace = Backtrace::capture();
    if backtrace.status() != BacktraceStatus::Captured {
        return None;
    }
    let text = backtrace.to_string();
    let is_full = std::env::var("RUST_BACKTRACE").is_ok_and(|value| value == "full");
    Some(if is_full { text } else { shorten(&text) })
}

/// Whether the process is about to abort, for example because a destructor panicked during a panic. There will be no
/// report then, so this panic is printed, after the one before it.
fn aborts(info: &PanicHookInfo<'_>) -> bool {
    let aborts = ["panic in a destructor during cleanup", "panic in a function that cannot unwind"];
    if !aborts.contains(&text(info.payload())) {
        return false;
    }
    if let Ok(Some((message, place))) = LAST.try_with(RefCell::take) {
        // Past the capture of test output, which is lost when the process aborts.
        let _ = writeln!(
            std::io::stderr().lock(),
            "smallscope: the last panic before the end was at {}: {message}",
            place.location
        );
    }
    true
}

/// Leaves the frames between those of the panic and those of smallscope: the code under test.
fn shorten(backtrace: &str) -> String {
    let mut frames: Vec<String> = vec![];
    for line in backtrace.lines() {
        let is_frame = line.trim_start().split_once(':').is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        match frames.last_mut() {
            Some(frame) if !is_frame => {
                frame.push('\n');
                frame.push_str(line);
            }
            _ => frames.push(line.to_owned()),
        }
    }
    let is_panic = |frame: &str| contains(frame, "core::panicking::") || contains(frame, "rust_begin_unwind");
    let crates = ["smallscope_support::", "smallscope_runner::", "smallscope_core::"];
    let is_ours = |frame: &str| crates.iter().any(|name| contains(frame, name));
    let mut first = 0;
    for (i, frame) in frames.iter().enumerate() {
        if is_panic(frame) {
            first = i + 1;
        }
    }
    let mut users = String::new();
    for frame in &frames[first..] {
        if is_ours(frame) {
            break;
        }
        if !users.is_empty() {
            users.push('\n');
        }
        users.push_str(&as_written(frame));
    }
    users
}

/// A frame in which a function of the copy of an invariant has the name of the user's: the copy belongs to
/// `Node_in_the_invariant`, and is inside of generated blocks.
fn as_written(frame: &str) -> String {
    const COPY: &str = "_in_the_invariant";
    let Some((before, after)) = frame.split_once(COPY) else { return frame.to_owned() };
    match (before.split_once(": "), before.rsplit_once("<impl "), after.split_once(">::")) {
        (Some((number, _)), Some((_, name)), Some((_, function))) => format!("{number}: {name}::{function}"),
        _ => frame.replace(COPY, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_place_are_kept() {
        let line = line!() + 1;
        let panic = catch(|| panic!("boom {}", 1)).unwrap_err();
        assert_eq!(panic.message, "boom 1");
        assert!(panic.location().unwrap().contains(&format!("panics.rs:{line}:")));
        assert_eq!(panic.to_string(), format!("boom 1 (at {})", panic.location().unwrap()));
        assert_eq!(catch(|| 3), Ok(3));
    }

    #[test]
    fn many_panics_are_caught_in_one_silence() {
        let line = line!() + 1;
        let panic = || panic!("boom");
        silently(|| {
            for _ in 0..3 {
                let panic = catch_silenced(panic).unwrap_err();
                assert_eq!(panic.message, "boom");
                assert!(panic.location().unwrap().contains(&format!("panics.rs:{line}:")));
            }
            assert_eq!(MODE.get(), Mode::Silent);
        });
        assert_eq!(MODE.get(), Mode::Loud);
    }

    #[test]
    fn catches_nest() {
        let outer = catch(|| {
            assert_eq!(catch(|| panic!("inner")).unwrap_err().message, "inner");
            assert_eq!(MODE.get(), Mode::Traced);
            std::panic::panic_any(7);
        });
        assert_eq!(outer.unwrap_err().message, "(no message)");
        assert_eq!(MODE.get(), Mode::Loud);
    }

    #[test]
    fn a_panic_ends_the_silence() {
        assert!(catch_unwind(|| silently(|| panic!("through"))).is_err());
        assert_eq!(MODE.get(), Mode::Loud);
    }

    #[test]
    fn the_place_of_a_panic_that_the_function_caught_is_known() {
        let line = line!() + 1;
        catch(|| assert!(catch_unwind(|| panic!("inside")).is_err())).unwrap();
        assert!(last_place().unwrap().location.contains(&format!("panics.rs:{line}:")));
        assert_eq!(last_place(), None);
    }

    #[test]
    fn an_expected_panic_leaves_nothing() {
        thread_local! {
            static IS_EXPECTED: Cell<bool> = const { Cell::new(false) };
        }
        ignore_if(|| IS_EXPECTED.get());
        IS_EXPECTED.set(true);
        assert!(catch_unwind(|| panic!("not printed")).is_err());
        catch(|| assert!(catch_unwind(|| panic!("not kept")).is_err())).unwrap();
        assert_eq!(last_place(), None);
        IS_EXPECTED.set(false);
        assert!(catch(|| panic!("kept")).unwrap_err().place.is_some());
    }

    #[test]
    fn a_place_is_not_that_of_an_earlier_panic() {
        let _ = catch(|| catch_unwind(|| panic!("earlier")).is_err());
        // The hook is not called for it.
        let panic = catch(|| std::panic::resume_unwind(Box::new("later"))).unwrap_err();
        assert_eq!(panic, Panic { message: "later".into(), place: None });
    }

    #[test]
    fn a_backtrace_is_shortened_to_the_users_frames() {
        let full = "   0: smallscope_support::panics::keep\n             at panics.rs:1\n   1: core::panicking::panic_fmt\n   \
                    2: user::tests::fails\n             at ./src/lib.rs:49:9\n   3: smallscope_runner::attribute::run_test\n   4: clone3\n";
        assert_eq!(shorten(full), "   2: user::tests::fails\n             at ./src/lib.rs:49:9");
    }

    #[test]
    fn frames_of_the_copy_have_the_names_of_the_users_functions() {
        let frame =
            "   9: app::_::_::<impl app::Set_in_the_invariant>::rep_ok\n             at ./src/lib.rs:3:9";
        assert_eq!(as_written(frame), "   9: app::Set::rep_ok\n             at ./src/lib.rs:3:9");
        let generic = "   9: app::_::_::<impl app::Tree_in_the_invariant<K>>::rep_ok::{{closure}}";
        assert_eq!(as_written(generic), "   9: app::Tree::rep_ok::{{closure}}");
        assert_eq!(as_written("   9: <app::Set_in_the_invariant>::rep_ok"), "   9: <app::Set>::rep_ok");
        assert_eq!(as_written("   9: app::Set::rep_ok"), "   9: app::Set::rep_ok");
    }
}
