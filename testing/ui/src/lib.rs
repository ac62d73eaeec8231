//! Compares what the compiler says about mistakes with what was recorded.
//!
//! A directory has one mistake per file, `name.rs`, and next to it what users see, `name.stderr`. The mistakes are
//! compiled against the artifacts that the test itself is linked with, so nothing is built for them, and as many at a
//! time as there are cores.

mod cases;
mod compiler;
mod difference;
mod normal;

pub use cases::mistakes_in;
pub use compiler::Compiler;
#[doc(hidden)]
pub use smallscope_ui_tests_macros::compiler;

/// The variable that has messages recorded in place of compared.
pub const VARIABLE: &str = "UI_TESTS";

/// Checks all mistakes in a directory of the crate, and panics if one has other messages than those that were recorded.
///
/// With another compiler than the one that `rust-version` names, which words messages differently, nothing is checked.
/// `UI_TESTS=record` records what the compiler says.
#[macro_export]
macro_rules! mistakes_are_explained {
    ($directory:literal) => {{
        let (program, arguments) = $crate::compiler!();
        let compiler = $crate::Compiler {
            program: ::std::path::Path::new(program),
            arguments,
            package: ::std::path::Path::new(env!("CARGO_MANIFEST_DIR")),
            scratch: ::std::path::Path::new(env!("CARGO_TARGET_TMPDIR")),
        };
        if compiler.is_version(env!("CARGO_PKG_RUST_VERSION")) {
            $crate::mistakes_in($directory, &compiler);
        }
    }};
}
