//! Threads for calls, all with the same stack size, so that the result of a call does not depend on its thread.

use std::sync::OnceLock;
use std::thread::Builder;

/// The stack size of a main thread on most systems.
const STACK: usize = 8 << 20;

/// A thread with this stack size, or the size in `RUST_MIN_STACK` if that is larger.
pub(crate) fn thread() -> Builder {
    static SIZE: OnceLock<usize> = OnceLock::new();
    let size = SIZE.get_or_init(|| {
        let asked = std::env::var("RUST_MIN_STACK").ok().and_then(|text| text.parse().ok());
        asked.unwrap_or(0).max(STACK)
    });
    Builder::new().stack_size(*size)
}
