//! The other half of `idioms`: two files are compiled beside each other.

#![allow(unused, unused_qualifications, clippy::all, clippy::undocumented_unsafe_blocks)]

include!("idioms/fixtures.rs");

mod idioms {
    mod links;
    mod patterns;
    mod questions;
    mod sequences;
    mod shared;
}
