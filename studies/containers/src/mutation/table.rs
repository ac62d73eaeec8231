//! The mutants: none here. `cargo xtask mutants` writes this file for its copy of the crate.

use super::Mutant;

pub(super) static MUTANTS: &[Mutant] = &[];
