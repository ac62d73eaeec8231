//! `#[rep_ok(statements)]` without its feature: an error that says which one.

use proc_macro2::{Ident, Span};
use syn::{Error, ItemImpl, Result};

/// A conjunct as it is written. There is none.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) span: Span,
}

/// Says what is missing.
pub(super) fn divide(_: &mut ItemImpl, invariant: &Ident) -> Result<Vec<Written>> {
    Err(Error::new(
        invariant.span(),
        "`#[rep_ok(statements)]` needs a feature: write `smallscope = { .., features = [\"statements\"] }` in Cargo.toml",
    ))
}
