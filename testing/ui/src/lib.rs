//! Tests of macros that run the compiler.
//!
//! - [`mistakes!`]: a directory has one mistake per file, `name.rs`, and next to it what users see, `name.stderr`.
//! - [`expansions!`]: files that have to compile in each edition and with strict lints.
//!
//! Files are compiled against the artifacts that the test itself is linked with, so nothing is built for them, and as
//! many at a time as there are cores.

mod cases;
mod compiler;
mod difference;
mod expansions;
mod normal;

pub use cases::mistakes_in;
pub use compiler::Compiler;
pub use expansions::{clippy_is_silent, expansions_compile};
pub use smallscope_ui_tests_macros::{expansions, mistakes};

/// The variable that has messages recorded in place of compared.
pub const VARIABLE: &str = "UI_TESTS";
