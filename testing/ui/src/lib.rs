//! Compares what the compiler says about mistakes with what was recorded.
//!
//! A directory has one mistake per file, `name.rs`, and next to it what users see, `name.stderr`. `smallscope_ui_tests_macros::mistakes!` is a test
//! of all of them. They are compiled against the artifacts that the test itself is linked with, so nothing is built for
//! them, and as many at a time as there are cores.
//!
//! Every message follows the rules in `rules.rs`. `exceptions.txt` in the directory lists the mistakes that break one, each with the
//! reason: `name.rs: why it cannot be mended`. An exception that is no longer needed is a failure.

mod cases;
mod compiler;
mod difference;
mod normal;
mod rules;

pub use cases::mistakes_in;
pub use compiler::Compiler;

/// The variable that has messages recorded in place of compared.
pub const VARIABLE: &str = "UI_TESTS";
