//! Ways to write an invariant. Each test is one idiom: ordinary code on ordinary types, searched in audit mode
//! (the invariant on the mirror and on the real value must agree about every candidate), with the number of
//! valid values. Where a fixture lists every value there is, the number is counted a second time without us.

#![allow(unused, unused_qualifications, clippy::all, clippy::undocumented_unsafe_blocks)]

include!("idioms/fixtures.rs");

mod idioms {
    mod blocks;
    mod control;
    mod enums;
    mod helpers;
    mod locals;
    mod outside;
    mod printing;
}
