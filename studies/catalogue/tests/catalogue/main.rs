//! The structures of the catalogue: counts, engines, positions, operations.

mod classes;
mod counts;
mod disjoint;
mod lazy;
mod lent;
mod natural;
mod one_per_path;
mod operations;
mod order_types;
mod positions;
#[cfg(feature = "criteria")]
mod reduction;
mod reference;
mod spread;
mod suites;
