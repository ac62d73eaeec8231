//! Mutants of the code under test, switched by a program. With the feature `mutate`.
//!
//! `cargo smallscope mutate TEST` does all of this for a test. Use this module to measure something else.
//!
//! ```
//! use smallscope::mutation;
//!
//! #[smallscope::mutate]
//! fn is_small(x: u8) -> bool {
//!     x < 3
//! }
//!
//! // Mutants are known after their code has run.
//! assert!(mutation::recording(|| is_small(2)));
//! let mutants = mutation::mutants();
//! let after = |known: &mutation::Known| known.mutant.after;
//! let ids: Vec<&str> = mutants.iter().filter(|m| after(m) == "x <= 3").map(|m| m.id.as_str()).collect();
//! assert_eq!(mutation::with(ids[0], || is_small(3)), Ok(true));
//! assert!(!is_small(3));
//! ```

#[doc(inline)]
pub use smallscope_runner::mutation::{
    Known, Mutant, Switch, UnknownMutant, mutants, original, recording, with,
};
