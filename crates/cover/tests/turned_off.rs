//! Without the feature `probes` the code is unchanged: `cargo test -p smallscope-cover --no-default-features --test
//! turned_off`.

#![cfg(not(feature = "probes"))]

use smallscope_cover::{Coverage, Criterion, cover};

#[cover(static HALF, predicates(predicate_that_panics(x)))]
fn half(x: u32) -> u32 {
    if x == 1 { 0 } else { x / 2 }
}

fn predicate_that_panics(_: u32) -> bool {
    unreachable!("predicates are not evaluated")
}

#[test]
fn nothing_is_evaluated() {
    assert_eq!((half(1), half(4)), (0, 2));
    assert_eq!(HALF.blocks().len(), 3);
}

#[test]
#[should_panic(
    expected = "there are no probes in this build: turn on the feature `probes` of smallscope-cover"
)]
fn there_is_nothing_to_read() {
    Coverage::new(&[&HALF], Criterion::Blocks);
}
