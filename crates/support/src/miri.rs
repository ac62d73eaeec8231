//! What a run leaves out where Miri interprets it: Miri is some hundred times slower, and allows no access to files without
//! a flag.
//!
//! No file is read or written, so failures are not recorded; memory is not measured; there is one thread unless another
//! number is set; progress is not shown; and tests without a variable are run within smaller bounds. Reports say which
//! bounds these were.

/// Whether Miri interprets this process.
pub const IS_RUNNING: bool = cfg!(miri);

/// The largest scope of a test, unless a variable sets another.
pub const SCOPE: u32 = 2;

/// The largest number of calls in a sequence, unless a variable sets another.
pub const CALLS: usize = 3;

/// The largest number of sequences in a list, unless a variable sets another.
pub const SEQUENCES: u64 = 20;
