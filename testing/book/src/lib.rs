//! The samples of the book and of README.md as documentation tests. They are not in the crates that they are about, because
//! a published package cannot include files from outside. "Your first ten minutes" has a test of its own,
//! `crates/smallscope/tests/first_ten_minutes.rs`.

macro_rules! chapters {
    ($($name:ident: $file:literal;)*) => { $(
        #[doc = include_str!($file)]
        #[cfg(doctest)]
        mod $name {}
    )* };
}

chapters! {
    readme: "../../../README.md";
    bounds: "../../../book/src/bounds.md";
    call_sequences: "../../../book/src/call-sequences.md";
    classes: "../../../book/src/classes.md";
    counts: "../../../book/src/counts.md";
    cover: "../../../book/src/cover.md";
    disjoint: "../../../book/src/disjoint.md";
    summaries: "../../../book/src/summaries.md";
    errors: "../../../book/src/errors.md";
    failure_density: "../../../book/src/failure-density.md";
    foreign_crates: "../../../book/src/foreign-crates.md";
    green_tests: "../../../book/src/green-tests.md";
    introduction: "../../../book/src/introduction.md";
    invariants: "../../../book/src/invariants.md";
    laws: "../../../book/src/laws.md";
    looking: "../../../book/src/looking.md";
    miri: "../../../book/src/miri.md";
    misbehaving: "../../../book/src/misbehaving.md";
    crashes: "../../../book/src/crashes.md";
    mutants: "../../../book/src/mutants.md";
    order_types: "../../../book/src/order-types.md";
    reducing: "../../../book/src/reducing.md";
    running_tests: "../../../book/src/running-tests.md";
    search: "../../../book/src/search.md";
    types: "../../../book/src/types.md";
}
