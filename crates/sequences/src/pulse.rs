//! Finds calls that do not return. Rust cannot stop such a call from inside, so another thread watches.
//!
//! Each thread of a campaign has a [`Beat`], in which it notes its call with one or two atomic stores. A [`Pulse`] has
//! the beats of all threads. Reading it now and then shows which threads have not moved. A pulse with a flight recorder
//! also notes everything there, so that it can be read after the process has died.

use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use smallscope_support::flight::{Flight, Record};

use crate::context::CallId;
use crate::run::Fault;
use crate::stack;
use crate::strategy::Strategy;
use crate::test::Test;

/// The calls that the threads of a campaign are in.
///
/// ```
/// # use smallscope_sequences::{Context, Pool, by_mut, nothing, value};
/// use smallscope_sequences::{Explorer, Pulse};
/// use std::time::Duration;
///
/// let context = Context::builder()
///     .pool(Pool::empty(1).and(0u64).named("n").cloned().hashed())
///     .method("add", (by_mut::<u64>(),), nothing(), |(n,)| *n += 1)
///     .method("wait", (by_mut::<u64>(),), nothing(), |(n,)| {
///         while *n == 1 {
///             std::hint::spin_loop();
///             # std::thread::sleep(Duration::from_secs(60));
///         }
///     })
///     .build()?;
/// let context: &'static Context = Box::leak(Box::new(context));
/// let explore = |pulse: &Pulse| Explorer::new(context).max_length(3).pulse(pulse).explore();
///
/// let (stuck, fault) = Pulse::watch(Duration::from_millis(200), explore, || {})?.unwrap_err();
/// assert_eq!(stuck.to_line(context), "n[0].add(); n[0].wait()");
/// assert_eq!(fault.to_string(), "does not return: it was given up after 200ms");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Pulse {
    threads: Mutex<Vec<Thread>>,
    /// The strategy that numbers the tests.
    tests: Mutex<Option<Strategy>>,
    flight: Option<Arc<Flight>>,
}

struct Thread {
    beat: Arc<Beat>,
    /// Its last known place, and since when.
    seen: ((u64, u32), Instant),
}

/// The call that a thread is in.
///
/// `number` and `at` change with every call. Either the calls are in `calls`, or `number` is the number of a test.
pub(crate) struct Beat {
    number: AtomicU64,
    at: AtomicU32,
    calls: Mutex<Vec<CallId>>,
    /// The number of tests so far that the strategy does not number.
    tests: AtomicU64,
    /// The flight recorder, and the number of the record of this thread.
    flight: Option<(Arc<Flight>, usize)>,
}

/// The time between two checks.
const INTERVAL: Duration = Duration::from_millis(100);

/// No call is running.
const IDLE: u64 = u64::MAX;

/// A number with this bit stands for the calls that are kept, and `at` is a place among them.
const KEPT: u64 = 1 << 62;

/// A number with this bit and [`KEPT`] stands for copying the state after the calls that are kept.
const COPY: u64 = 1 << 61;

/// A number with this bit stands for the calls that are kept and for one more, which is `at`.
const LONGER: u64 = 1 << 63;

impl Default for Beat {
    fn default() -> Beat {
        Beat {
            number: AtomicU64::new(IDLE),
            at: AtomicU32::new(0),
            calls: Mutex::default(),
            tests: AtomicU64::new(0),
            flight: None,
        }
    }
}

impl Beat {
    #[inline(always)]
    fn record(&self) -> Option<&Record> {
        match &self.flight {
            Some((flight, number)) => Some(flight.record(*number)),
            None => None,
        }
    }

    #[inline(always)]
    fn set(&self, number: u64, at: u32) {
        self.at.store(at, Ordering::Relaxed);
        self.number.store(number, Ordering::Relaxed);
        if let Some(record) = self.record() {
            record.at.store(at, Ordering::Relaxed);
            record.number.store(number, Ordering::Relaxed);
        }
    }

    /// A test of the strategy begins.
    #[inline]
    pub(crate) fn begin_test(&self, number: u64) {
        self.set(number, 0);
    }

    /// A test that the strategy does not number begins.
    pub(crate) fn begin(&self, calls: &[CallId]) {
        self.set_calls(calls);
        self.begin_again(0);
    }

    /// The calls that are kept begin again, up to one of them.
    #[inline]
    pub(crate) fn begin_again(&self, at: usize) {
        // Only this thread changes the number.
        let number = self.tests.load(Ordering::Relaxed);
        self.tests.store(number + 1, Ordering::Relaxed);
        self.set(KEPT | number, at as u32);
    }

    /// Copying the state after the calls that are kept begins. No other copy has this number.
    #[inline(always)]
    pub(crate) fn begin_copy(&self, number: u64, at: usize) {
        self.set(KEPT | COPY | number, at as u32);
    }

    /// Keeps calls to which [`Beat::begin_longer`] adds one, again and again.
    pub(crate) fn set_calls(&self, calls: &[CallId]) {
        let mut kept = lock(&self.calls);
        kept.clear();
        kept.extend_from_slice(calls);
        if let Some(record) = self.record() {
            record.number.store(IDLE, Ordering::Relaxed);
            record.set_calls(calls);
        }
    }

    /// A call after those that are kept begins. No other call has this number.
    #[inline(always)]
    pub(crate) fn begin_longer(&self, number: u64, call: CallId) {
        self.set(LONGER | number, call);
    }

    /// A call of the test begins.
    #[inline(always)]
    pub(crate) fn begin_call(&self, at: usize) {
        self.at.store(at as u32, Ordering::Relaxed);
        if let Some(record) = self.record() {
            record.at.store(at as u32, Ordering::Relaxed);
        }
    }

    /// No call is running.
    #[inline(always)]
    pub(crate) fn rest(&self) {
        self.number.store(IDLE, Ordering::Relaxed);
        if let Some(record) = self.record() {
            record.number.store(IDLE, Ordering::Relaxed);
        }
    }

    fn place(&self) -> (u64, u32) {
        (self.number.load(Ordering::Relaxed), self.at.load(Ordering::Relaxed))
    }
}

impl Pulse {
    /// Returns the calls up to one that has been running for longer than a limit, if there is one. Only calls that were
    /// already running at an earlier check are found, so check several times within the limit.
    ///
    /// The cause need not be the method: it may be a clone, an invariant or a destructor after it.
    pub fn stuck(&self, limit: Duration) -> Option<Test> {
        let now = Instant::now();
        let mut threads = lock(&self.threads);
        // A thread that ended has dropped its beat.
        threads.retain(|thread| Arc::strong_count(&thread.beat) > 1);
        for thread in threads.iter_mut() {
            let place = thread.beat.place();
            if place != thread.seen.0 || place.0 == IDLE {
                thread.seen = (place, now);
            }
        }
        let late = threads.iter().find(|thread| thread.seen.0.0 != IDLE && now - thread.seen.1 >= limit)?;
        let (beat, (number, at)) = (&late.beat, late.seen.0);
        let calls = calls_at((number, at), lock(&self.tests).as_ref(), || Some(lock(&beat.calls).clone()))?;
        // It may have returned in the meantime.
        (beat.place() == (number, at)).then(|| Test::of(&calls))
    }

    /// Runs a function on a separate thread. If a call exceeds the limit, returns the calls up to it and the fault, and
    /// leaves the thread running. Calls `meanwhile` now and then.
    ///
    /// A panic of the function is passed on.
    pub fn watch<R: Send + 'static>(
        limit: Duration,
        work: impl FnOnce(&Pulse) -> R + Send + 'static,
        meanwhile: impl FnMut(),
    ) -> io::Result<Result<R, (Test, Fault)>> {
        Pulse::watch_recorded(limit, None, work, meanwhile)
    }

    /// The same with a flight recorder, which notes the calls that are made.
    #[doc(hidden)]
    pub fn watch_recorded<R: Send + 'static>(
        limit: Duration,
        flight: Option<Arc<Flight>>,
        work: impl FnOnce(&Pulse) -> R + Send + 'static,
        mut meanwhile: impl FnMut(),
    ) -> io::Result<Result<R, (Test, Fault)>> {
        let pulse = Arc::new(Pulse { flight, ..Pulse::default() });
        let (done, waiting) = channel::<()>();
        let worker = stack::thread().name(name_of_this_thread()).spawn({
            let pulse = Arc::clone(&pulse);
            move || {
                // Dropped at the end, even by a panic.
                let _done = done;
                work(&pulse)
            }
        })?;
        while waiting.recv_timeout(INTERVAL.min(limit / 8)) == Err(RecvTimeoutError::Timeout) {
            meanwhile();
            if let Some(stuck) = pulse.stuck(limit) {
                return Ok(Err((stuck, Fault::Endless { after: limit })));
            }
        }
        match worker.join() {
            Ok(result) => Ok(Ok(result)),
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Adds a thread.
    pub(crate) fn beat(&self) -> Arc<Beat> {
        let flight = self.flight.as_ref().and_then(|flight| Some((Arc::clone(flight), flight.take()?)));
        let beat = Arc::new(Beat { flight, ..Beat::default() });
        beat.rest();
        lock(&self.threads).push(Thread { beat: Arc::clone(&beat), seen: (beat.place(), Instant::now()) });
        beat
    }

    /// Sets the strategy that numbers the tests.
    pub(crate) fn number_by(&self, strategy: &Strategy) {
        *lock(&self.tests) = Some(strategy.clone());
    }
}

/// Returns the sequences that the threads of a process were in, by its flight recorder.
pub(crate) fn recorded(flight: &Flight, tests: Option<&Strategy>) -> Vec<Vec<CallId>> {
    let of_record = |record: &Record| {
        let place = (record.number.load(Ordering::Relaxed), record.at.load(Ordering::Relaxed));
        if place.0 == IDLE { None } else { calls_at(place, tests, || record.calls()) }
    };
    flight.records().iter().filter_map(of_record).collect()
}

/// Returns the calls up to a place. `kept` are those that a thread keeps.
fn calls_at(
    (number, at): (u64, u32),
    tests: Option<&Strategy>,
    kept: impl FnOnce() -> Option<Vec<CallId>>,
) -> Option<Vec<CallId>> {
    if number & LONGER != 0 {
        let mut calls = kept()?;
        calls.push(at);
        return Some(calls);
    }
    let mut calls = if number & KEPT != 0 { kept()? } else { tests?.cursor(number).next()?.to_vec() };
    calls.truncate(at as usize + 1);
    Some(calls)
}

/// Panics that are not caught are reported under the name of the test.
fn name_of_this_thread() -> String {
    std::thread::current().name().unwrap_or("sequences of calls").to_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
