//! `dbg!` in the copy of an invariant.

use std::fmt::Debug;

/// Prints a value as `dbg!` does, with the text that the user wrote.
pub fn dbg<T: Debug>(place: &str, text: &str, value: T) -> T {
    eprintln!("[{place}] {text} = {value:#?}");
    value
}
