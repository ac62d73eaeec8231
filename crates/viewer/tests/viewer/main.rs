//! Drawings of the catalogue and of random graphs, and the server under hostile requests.
#![cfg(feature = "drawing")]

mod catalogue;
mod common;
#[cfg(feature = "server")]
mod hostile;
mod random;
