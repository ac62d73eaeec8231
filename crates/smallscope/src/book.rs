//! The samples of the book and of README.md as documentation tests. "Your first ten minutes" has a test of its
//! own, `tests/first_ten_minutes.rs`.

macro_rules! chapters {
    ($($name:ident: $file:literal;)*) => { $(
        #[doc = include_str!($file)]
        mod $name {}
    )* };
}

chapters! {
    readme: "../../../README.md";
    bounds: "../../../book/src/bounds.md";
    classes: "../../../book/src/classes.md";
    disjoint: "../../../book/src/disjoint.md";
    errors: "../../../book/src/errors.md";
    introduction: "../../../book/src/introduction.md";
    invariants: "../../../book/src/invariants.md";
    misbehaving: "../../../book/src/misbehaving.md";
    order_types: "../../../book/src/order-types.md";
    reducing: "../../../book/src/reducing.md";
    running_tests: "../../../book/src/running-tests.md";
    search: "../../../book/src/search.md";
    counts: "../../../book/src/counts.md";
    types: "../../../book/src/types.md";
}
