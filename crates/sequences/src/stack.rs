//! Threads on which calls are made: all with the same stack, so that it does not matter on which one that is.

use std::sync::OnceLock;
use std::thread::Builder;

/// As much as the main thread of a program has on most systems.
const STACK: usize = 8 << 20;

/// A thread with that much stack, or what `RUST_MIN_STACK` says if that is more.
pub(crate) fn thread() -> Builder {
    static SIZE: OnceLock<usize> = OnceLock::new();
    let size = SIZE.get_or_init(|| {
        let asked = std::env::var("RUST_MIN_STACK").ok().and_then(|text| text.parse().ok());
        asked.unwrap_or(0).max(STACK)
    });
    Builder::new().stack_size(*size)
}
