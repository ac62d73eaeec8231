//! The containers through their methods, against models and against each other.

mod agreement;
mod complete_matching;
mod contexts;
#[cfg(feature = "cover-predicates")]
mod covered;
mod every_state;
mod lockstep;
