//! Mutants of the code under test: all of them are compiled, and at most one is active on a thread.
//!
//! `#[smallscope::mutate]` compiles a function twice: as it is written, and with its mutants. While nothing is active,
//! a call costs one test, [`is_on`], and runs the code as it is written. The other version asks at each *site*, a place
//! with mutants, which of them is active ([`Mutants::at`]).
//!
//! The mutants of an item are one static list, [`Mutants`]. It registers itself when a function of the item runs for the
//! first time while something is active, and gets its range of numbers then. Numbers depend on the order of these calls,
//! so everything outside of a process names mutants by their ids.
//!
//! The version with mutants counts its *steps*: calls of functions and closures, and rounds of loops. A test that sets a
//! limit ends mutants that would not end.

mod numbers;

pub use numbers::{
    Op, Pair, PairOfReferences, Shift, Single, Types, Unsuitable, UnsuitableShift, UnsuitableSingle, one_of,
    types_of,
};

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing is active. A thread with this number does as the process does.
const OFF: u32 = 0;
/// No mutant is active, and sites record that they are reached.
const RECORDING: u32 = 1;
/// A mutant is active whose item is not registered yet.
const PENDING: u32 = 2;
/// No mutant is active on this thread, but something is in the process.
const NOTHING: u32 = 3;
/// The number of the first mutant.
const FIRST: u32 = 16;
/// The answer of a site without an active mutant.
const NONE: u32 = u32::MAX;

/// The site of a mutant was reached.
const REACHED: u8 = 1;
/// The types at the site do not have the changed operation.
const UNSUITABLE: u8 = 2;

thread_local! {
    static ACTIVE: Cell<u32> = const { Cell::new(OFF) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static STEP_LIMIT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// What is active on threads that have nothing of their own.
static PROCESS: AtomicU32 = AtomicU32::new(OFF);

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { items: vec![], next: FIRST, wanted: None });

struct Registry {
    items: Vec<&'static Mutants>,
    /// The number of the next mutant.
    next: u32,
    /// The mutant that is to be active in this process, until its item registers.
    wanted: Option<String>,
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The code under test with one small change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mutant {
    /// Its function: `TreeMap::insert`.
    pub function: &'static str,
    /// The kind of change, such as `ror`.
    pub operator: &'static str,
    /// A hash of the code before and after the change; with a number if the function has the same change twice.
    pub hash: &'static str,
    /// The line of the changed code.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The changed code as it is written.
    pub before: &'static str,
    /// The code in its place; empty if it is left out.
    pub after: &'static str,
    /// Why it is equivalent to the original, if its author says so.
    pub equivalent: Option<&'static str>,
}

/// The mutants of one item.
#[derive(Debug)]
pub struct Mutants {
    file: &'static str,
    mutants: &'static [Mutant],
    /// What is known about each of them.
    seen: &'static [AtomicU8],
    /// The number of the first one; 0 before the item is registered.
    base: AtomicU32,
}

/// A mutant whose item is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Names it in commands: the stem of the file, the function, the operator and the hash.
    pub id: String,
    /// The source file.
    pub file: &'static str,
    /// The change.
    pub mutant: &'static Mutant,
    /// Whether its site was reached while reaching was recorded.
    pub is_reached: bool,
    /// Whether the types at its site have the changed operation. Unknown, and true, before the site is reached.
    pub is_suitable: bool,
}

/// There is no registered mutant with an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMutant(pub String);

impl std::fmt::Display for UnknownMutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no mutant `{}` is known: its code has not been run, or has changed", self.0)
    }
}

impl std::error::Error for UnknownMutant {}

impl Mutants {
    /// Makes the list of an item, for generated code.
    pub const fn new(file: &'static str, mutants: &'static [Mutant], seen: &'static [AtomicU8]) -> Mutants {
        Mutants { file, mutants, seen, base: AtomicU32::new(0) }
    }

    /// Begins the version of a function with mutants.
    pub fn enter(&'static self) {
        if self.base.load(Ordering::Relaxed) == 0 {
            self.register();
        }
        step();
    }

    /// Returns the number, in this list, of the active mutant, if it is one of the `count` mutants of a site from `first`
    /// on.
    pub fn at(&'static self, first: u32, count: u32) -> u32 {
        let active = active();
        let number = active.wrapping_sub(self.base.load(Ordering::Relaxed));
        if number.wrapping_sub(first) < count && active >= FIRST {
            return number;
        }
        if active == RECORDING {
            self.mark(first, count, REACHED);
        }
        NONE
    }

    fn mark(&self, first: u32, count: u32, mark: u8) {
        for seen in &self.seen[first as usize..(first + count) as usize] {
            seen.fetch_or(mark, Ordering::Relaxed);
        }
    }

    /// Records that the types at a site do not have a changed operation.
    fn mark_unsuitable(&self, number: u32) {
        if active() == RECORDING {
            self.mark(number, 1, UNSUITABLE);
        }
    }

    #[cold]
    fn register(&'static self) {
        let mut registry = registry();
        if self.base.load(Ordering::Relaxed) != 0 {
            return;
        }
        let base = registry.next;
        registry.next += self.mutants.len() as u32;
        registry.items.push(self);
        if let Some(wanted) = &registry.wanted {
            if let Some(number) = self.mutants.iter().position(|mutant| mutant.id(self.file) == *wanted) {
                registry.wanted = None;
                PROCESS.store(base + number as u32, Ordering::Relaxed);
            }
        }
        self.base.store(base, Ordering::Relaxed);
    }

    fn known(&'static self) -> impl Iterator<Item = Known> {
        self.mutants.iter().zip(self.seen).map(|(mutant, seen)| {
            let seen = seen.load(Ordering::Relaxed);
            Known {
                id: mutant.id(self.file),
                file: self.file,
                mutant,
                is_reached: seen & REACHED != 0,
                is_suitable: seen & UNSUITABLE == 0,
            }
        })
    }
}

impl Mutant {
    fn id(&self, file: &str) -> String {
        let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        format!("{stem}::{}::{}::{}", self.function, self.operator, self.hash)
    }
}

/// Whether the version of a function with mutants runs.
///
/// The code as it is written follows the test, and nothing else leads there: a call on the way would cost it registers.
#[inline(always)]
pub fn is_on() -> bool {
    ACTIVE.get() | PROCESS.load(Ordering::Relaxed) != OFF
}

/// What is active on this thread.
fn active() -> u32 {
    match ACTIVE.get() {
        OFF => PROCESS.load(Ordering::Relaxed),
        own => own,
    }
}

/// Runs a version of a function out of line, so that it does not slow down the other one.
#[cold]
#[inline(never)]
pub fn elsewhere<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Counts a step: a call of a function or a closure, or a round of a loop.
///
/// # Panics
///
/// If the case takes more steps than its limit.
pub fn step() {
    let steps = STEPS.get() + 1;
    STEPS.set(steps);
    let limit = STEP_LIMIT.get();
    // Destructors run while the panic unwinds, and take further steps.
    if steps > limit && !std::thread::panicking() {
        // What runs afterwards has the same limit.
        STEPS.set(0);
        panic!("does not seem to end: more than {limit} steps");
    }
}

/// Begins a case on this thread, with a limit on its steps. Returns the number of steps since the last one began.
pub fn begin_case(limit: u64) -> u64 {
    STEP_LIMIT.set(limit);
    STEPS.replace(0)
}

/// Makes one mutant active on every thread of this process that does nothing else; none for the original. The item of
/// the mutant need not be registered.
pub fn activate(id: Option<&str>) {
    let number = id.map(number_of);
    let mut registry = registry();
    registry.wanted = None;
    let number = match (id, number) {
        (None, _) | (_, None) => OFF,
        (Some(_), Some(Ok(number))) => number,
        (Some(id), Some(Err(_))) => {
            registry.wanted = Some(id.to_owned());
            PENDING
        }
    };
    PROCESS.store(number, Ordering::Relaxed);
    ACTIVE.set(OFF);
}

/// Records on every thread of this process which sites are reached, with no mutant active.
pub fn record() {
    PROCESS.store(RECORDING, Ordering::Relaxed);
    ACTIVE.set(OFF);
}

/// Runs a function while a mutant is active on this thread.
///
/// # Errors
///
/// If no registered item has such a mutant.
pub fn with<R>(id: &str, run: impl FnOnce() -> R) -> Result<R, UnknownMutant> {
    Ok(Switch::of(id)?.run(run))
}

/// A mutant that a program makes active many times.
#[derive(Debug, Clone, Copy)]
pub struct Switch(u32);

impl Switch {
    /// Returns the switch of a mutant.
    ///
    /// # Errors
    ///
    /// If no registered item has such a mutant.
    pub fn of(id: &str) -> Result<Switch, UnknownMutant> {
        number_of(id).map(Switch)
    }

    /// Runs a function while the mutant is active on this thread.
    pub fn run<R>(self, run: impl FnOnce() -> R) -> R {
        with_number(self.0, run)
    }
}

/// Runs a function while it is recorded on this thread which sites are reached. The items of all functions that run are
/// registered after that.
pub fn recording<R>(run: impl FnOnce() -> R) -> R {
    with_number(RECORDING, run)
}

/// Runs a function while no mutant is active on this thread.
pub fn original<R>(run: impl FnOnce() -> R) -> R {
    let is_off = PROCESS.load(Ordering::Relaxed) == OFF;
    with_number(if is_off { OFF } else { NOTHING }, run)
}

fn with_number<R>(number: u32, run: impl FnOnce() -> R) -> R {
    struct Restore(u32);
    impl Drop for Restore {
        fn drop(&mut self) {
            ACTIVE.set(self.0);
        }
    }
    let _restore = Restore(ACTIVE.replace(number));
    run()
}

fn number_of(id: &str) -> Result<u32, UnknownMutant> {
    let items = registry().items.clone();
    let number = items.into_iter().find_map(|item| {
        let number = item.mutants.iter().position(|mutant| mutant.id(item.file) == id)?;
        Some(item.base.load(Ordering::Relaxed) + number as u32)
    });
    number.ok_or_else(|| UnknownMutant(id.to_owned()))
}

/// Returns the mutants of all registered items, by file and line.
pub fn mutants() -> Vec<Known> {
    let items = registry().items.clone();
    let mut known: Vec<Known> = items.into_iter().flat_map(Mutants::known).collect();
    // Stable, so mutants of one place stay in the order of their item.
    known.sort_by(|a, b| {
        let place = |known: &Known| (known.file, known.mutant.line, known.mutant.column);
        place(a).cmp(&place(b))
    });
    known
}

/// Forgets which mutants were reached.
pub fn forget_reached() {
    for seen in registry().items.iter().flat_map(|item| item.seen) {
        seen.fetch_and(!REACHED, Ordering::Relaxed);
    }
}

/// Returns how many mutants of registered items were reached, while that was recorded.
pub fn reached() -> usize {
    let is_reached = |seen: &&AtomicU8| seen.load(Ordering::Relaxed) & (REACHED | UNSUITABLE) == REACHED;
    registry().items.iter().map(|item| item.seen.iter().filter(is_reached).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    static LIST: Mutants = Mutants::new(
        "lib.rs",
        &[Mutant {
            function: "f",
            operator: "ror",
            hash: "000000",
            line: 1,
            column: 1,
            before: "<",
            after: "<=",
            equivalent: None,
        }],
        &SEEN,
    );
    static SEEN: [AtomicU8; 1] = [AtomicU8::new(0)];

    /// A version with mutants, if one runs: the number of the active one.
    fn site() -> Option<u32> {
        is_on().then(|| {
            LIST.enter();
            LIST.at(0, 1)
        })
    }

    /// Threads of a pool outlive the mutant that was active when they started.
    #[test]
    fn threads_follow_the_process_also_later() {
        let (ask, questions) = mpsc::channel::<()>();
        let (answer, answers) = mpsc::channel();
        let pool = std::thread::spawn(move || {
            for () in questions {
                answer.send(site()).unwrap();
            }
        });
        let on_both = || {
            ask.send(()).unwrap();
            let there = answers.recv().unwrap();
            assert_eq!(site(), there);
            there
        };
        assert_eq!(on_both(), None);
        activate(Some("lib::f::ror::000000"));
        assert_eq!(on_both(), Some(0), "an item that registers late");
        record();
        assert_eq!((on_both(), reached()), (Some(NONE), 1));
        activate(None);
        assert_eq!(on_both(), None);
        activate(Some("lib::f::ror::000000"));
        assert_eq!(on_both(), Some(0));
        assert_eq!(original(site), Some(NONE), "nothing is active, whatever the process does");
        activate(None);
        assert_eq!(original(site), None);
        assert_eq!((with("lib::f::ror::000000", site), site()), (Ok(Some(0)), None));
        drop(ask);
        pool.join().unwrap();
    }
}
