//! The memory of this process and of the machine, and the limit of a run on it.
//!
//! A run stops before it exhausts the machine. Without a given limit, a process may hold as much memory as it leaves free:
//! about half of what was free when it began. Several processes that grow at the same time stop in time, too, because each
//! compares its own memory with what all of them leave.
//!
//! Memory is measured on Linux, through `/proc` and the files of control groups. On other systems nothing is measured, and
//! there is no limit.

mod size;
mod system;

pub use size::{Bytes, approximate};
pub use system::{free, resident};

use std::cell::Cell;
use std::fmt;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time between two measurements: a process that allocates a gigabyte per second goes 5 MB too far. A measurement
/// takes less than a hundredth of that.
const PAUSE: Duration = Duration::from_millis(5);

/// The largest number of calls of [`Meter::is_over`] between two looks at the clock.
const MOST_CALLS: u32 = 64;

/// The most resident memory that this process may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// As much as is free besides.
    Share,
    /// This many bytes.
    Bytes(u64),
}

impl Limit {
    /// Returns the limit that is given, or the default.
    pub fn new(given: Option<u64>) -> Limit {
        given.map_or(Limit::Share, Limit::Bytes)
    }

    /// Measures the memory of this process. Returns it with the limit if it is over the limit. The first measurement of
    /// the process over half of the limit is announced on stderr.
    pub fn exceeded(self) -> Option<Exceeded> {
        let (resident, most) = self.measured()?;
        if resident > most / 2 {
            self.announce();
        }
        (resident > most).then_some(Exceeded { resident, limit: self })
    }

    /// Whether this process may have so many bytes more. True if memory is not measured on this system.
    pub fn has_room(self, bytes: u64) -> bool {
        self.measured().is_none_or(|(resident, most)| resident.saturating_add(bytes) <= most)
    }

    /// Returns the limit in bytes, as it is at this moment; none if memory is not measured on this system.
    pub fn bytes(self) -> Option<u64> {
        self.measured().map(|(_, most)| most)
    }

    /// Announces a given limit that is ignored, because memory is not measured on this system.
    pub fn announce_if_ignored(self) {
        if matches!(self, Limit::Bytes(_)) && resident().is_none() {
            self.announce();
        }
    }

    /// Prints the limit on stderr, past the capture of test output, once per process.
    pub fn announce(self) {
        static IS_ANNOUNCED: AtomicBool = AtomicBool::new(false);
        if !IS_ANNOUNCED.swap(true, Ordering::Relaxed) {
            // Nothing can be done if stderr is closed.
            let _ = writeln!(io::stderr().lock(), "smallscope: memory limit: {self}");
        }
    }

    /// The resident memory of this process, and the most that it may have.
    fn measured(self) -> Option<(u64, u64)> {
        let resident = resident()?;
        let most = match self {
            Limit::Share => resident.saturating_add(free()?) / 2,
            Limit::Bytes(most) => most,
        };
        Some((resident, most))
    }
}

/// "2.0 GB", or "12.3 GB, as much as is left free; `memory` or SMALLSCOPE_MEMORY sets another".
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.bytes()) {
            (Limit::Bytes(most), Some(_)) => write!(f, "{}", approximate(*most)),
            (Limit::Bytes(most), None) => {
                write!(
                    f,
                    "{}, which is not checked: memory is not measured on this system",
                    approximate(*most)
                )
            }
            (Limit::Share, Some(most)) => {
                let most = approximate(most);
                write!(f, "{most}, as much as is left free; `memory` or SMALLSCOPE_MEMORY sets another")
            }
            (Limit::Share, None) => f.write_str("none: memory is not measured on this system"),
        }
    }
}

/// A measurement over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded {
    /// The resident memory of this process.
    pub resident: u64,
    /// The limit.
    pub limit: Limit,
}

/// "this process has 1.2 GB in memory, and the limit is 1.0 GB".
impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this process has {} in memory, ", approximate(self.resident))?;
        match self.limit {
            Limit::Share => f.write_str("more than it leaves free"),
            Limit::Bytes(most) => write!(f, "and the limit is {}", approximate(most)),
        }
    }
}

/// Measures the memory of a run from time to time. Each thread has its own.
pub struct Meter {
    limit: Limit,
    /// Calls until the clock is read.
    calls: Cell<u32>,
    /// Calls between the last two looks at the clock.
    step: Cell<u32>,
    measured: Cell<Instant>,
    exceeded: Cell<Option<Exceeded>>,
}

impl Meter {
    /// Begins a run.
    pub fn new(limit: Limit) -> Meter {
        Meter {
            limit,
            calls: Cell::new(1),
            step: Cell::new(1),
            measured: Cell::new(Instant::now()),
            exceeded: Cell::new(None),
        }
    }

    /// Whether this process has, or had before, more memory than the limit allows. To be called often: most calls count
    /// only.
    #[inline]
    pub fn is_over(&self) -> bool {
        let left = self.calls.get() - 1;
        self.calls.set(left);
        left == 0 && self.look()
    }

    /// Returns the measurement that ended the run.
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded.get()
    }

    #[cold]
    fn look(&self) -> bool {
        let is_due = self.measured.get().elapsed() >= PAUSE;
        if is_due && self.exceeded.get().is_none() {
            self.exceeded.set(self.limit.exceeded());
            self.measured.set(Instant::now());
        }
        let is_over = self.exceeded.get().is_some();
        self.step.set(if is_due || is_over { 1 } else { (self.step.get() * 2).min(MOST_CALLS) });
        self.calls.set(self.step.get());
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_memory_and_there_is_more() {
        let before = resident().unwrap();
        assert!(before > 100_000, "{before}");
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        let after = resident().unwrap();
        assert!(after >= before + (48 << 20), "{before} {after}");
        drop(block);
        assert!(free().unwrap() > 1 << 20);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_limit_is_exceeded_or_not() {
        assert_eq!(Limit::new(Some(u64::MAX)).exceeded(), None);
        assert!(Limit::Share.has_room(1 << 20) && !Limit::Share.has_room(1 << 50));
        let over = Limit::new(Some(1000)).exceeded().unwrap();
        assert!(over.to_string().ends_with(" in memory, and the limit is 1.0 kB"), "{over}");
        assert!(Limit::Share.to_string().contains("B, as much as is left free; "));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_meter_finds_out_soon() {
        let meter = Meter::new(Limit::Bytes(1000));
        let begin = Instant::now();
        while !meter.is_over() {
            assert!(begin.elapsed() < Duration::from_secs(10));
        }
        assert!(begin.elapsed() >= PAUSE);
        assert!(meter.is_over());
        assert_eq!(meter.exceeded().map(|over| over.limit), Some(Limit::Bytes(1000)));
        let meter = Meter::new(Limit::Bytes(u64::MAX));
        while begin.elapsed() < PAUSE * 3 {
            assert!(!meter.is_over());
        }
    }
}
