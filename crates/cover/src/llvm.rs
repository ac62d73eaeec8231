//! The counters of `-C instrument-coverage`, read by their own process.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The compiler's own counters: an alternative to probes, for code that has none.
///
/// A build with
///
/// ```console
/// $ RUSTFLAGS="-C instrument-coverage --cfg smallscope_llvm" LLVM_PROFILE_FILE=/dev/null cargo test
/// ```
///
/// has a counter for each region of its code, in all crates. This type reads those of the whole process: they have no
/// names here, and what other threads do counts, too. Other builds have no counters and link nothing.
///
/// ```
/// use smallscope_cover::LlvmCounters;
///
/// match LlvmCounters::new() {
///     Ok(mut counters) => println!("{} of {} regions", counters.collect().len(), counters.total()),
///     Err(error) => assert!(error.to_string().contains("-C instrument-coverage")),
/// }
/// ```
#[derive(Debug, Clone)]
pub struct LlvmCounters {
    counters: &'static [AtomicU64],
    is_covered: Vec<bool>,
    covered: usize,
    new: Vec<usize>,
}

/// There are no counters in this build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotInstrumented;

impl fmt::Display for NotInstrumented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this build has no counters: build it with RUSTFLAGS=\"-C instrument-coverage --cfg smallscope_llvm\"",
        )
    }
}

impl std::error::Error for NotInstrumented {}

impl LlvmCounters {
    /// The counters of this process. What was counted before is dropped.
    pub fn new() -> Result<LlvmCounters, NotInstrumented> {
        let counters = section::counters();
        if counters.is_empty() {
            return Err(NotInstrumented);
        }
        let is_covered = vec![false; counters.len()];
        let mut counters = LlvmCounters { counters, is_covered, covered: 0, new: vec![] };
        counters.discard();
        Ok(counters)
    }

    /// Adds the counters that were reached. Returns the numbers of those that are new.
    pub fn collect(&mut self) -> &[usize] {
        self.new.clear();
        for (number, counter) in self.counters.iter().enumerate() {
            if counter.load(Ordering::Relaxed) != 0 && !self.is_covered[number] {
                self.is_covered[number] = true;
                self.new.push(number);
            }
        }
        self.covered += self.new.len();
        &self.new
    }

    /// Whether [`LlvmCounters::collect`] would return a counter.
    pub fn has_news(&self) -> bool {
        let mut counters = self.counters.iter().zip(&self.is_covered);
        counters.any(|(counter, is_covered)| !is_covered && counter.load(Ordering::Relaxed) != 0)
    }

    /// Drops what was reached since the last [`LlvmCounters::collect`].
    pub fn discard(&mut self) {
        for (counter, is_covered) in self.counters.iter().zip(&self.is_covered) {
            if !is_covered && counter.load(Ordering::Relaxed) != 0 {
                counter.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Number of counters.
    pub fn total(&self) -> usize {
        self.counters.len()
    }

    /// Number of counters that were reached.
    pub fn covered(&self) -> usize {
        self.covered
    }
}

#[cfg(smallscope_llvm)]
mod section {
    use std::slice;
    use std::sync::atomic::AtomicU64;

    // SAFETY: as `InstrProfiling.h` of the profiling runtime declares them, `char *` for `*mut u8`. Both only return
    // the address of a symbol that the linker defines.
    unsafe extern "C" {
        safe fn __llvm_profile_begin_counters() -> *mut u8;
        safe fn __llvm_profile_end_counters() -> *mut u8;
    }

    /// The section that the counters of all object files are linked into.
    pub(super) fn counters() -> &'static [AtomicU64] {
        let begin = __llvm_profile_begin_counters();
        let bytes = __llvm_profile_end_counters().addr() - begin.addr();
        let counters = begin.cast::<AtomicU64>();
        assert!(counters.is_aligned(), "counters are 64 bits wide and aligned");
        // SAFETY: the runtime gives the bounds of the section, which stays mapped while the process runs and holds only
        // counters of 64 bits, all initialized when it was loaded. It contains no Rust object, so there is no other
        // reference; the shared one is to atomics, so values may change under it. They change by additions that LLVM
        // inserts below the Rust program. Such an addition may be lost against a store of ours on another thread, so
        // that a counter is zero or not; both are valid values, and the runtime's own `__llvm_profile_reset_counters`
        // does the same.
        unsafe { slice::from_raw_parts(counters, bytes / size_of::<AtomicU64>()) }
    }
}

#[cfg(not(smallscope_llvm))]
mod section {
    use std::sync::atomic::AtomicU64;

    /// This build has no counters.
    pub(super) fn counters() -> &'static [AtomicU64] {
        &[]
    }
}
