//! Compile errors for settings that need a feature.

/// What `#[smallscope::test(suite = ..)]` needs.
#[cfg(feature = "suites")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_suites {
    () => {};
}

/// What `#[smallscope::test(suite = ..)]` needs.
#[cfg(not(feature = "suites"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_suites {
    () => {
        ::core::compile_error!(
            "tests on saved suites need a feature: write `smallscope = { .., features = [\"suites\"] }` in Cargo.toml"
        );
    };
}

/// What `#[smallscope::test(criterion = ..)]` needs.
#[cfg(feature = "criteria")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_criteria {
    () => {};
}

/// What `#[smallscope::test(criterion = ..)]` needs.
#[cfg(not(feature = "criteria"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_criteria {
    () => {
        ::core::compile_error!(
            "criteria look at the decisions of invariants, which are reported with a feature only: write `smallscope = { .., features = [\"criteria\"] }` in Cargo.toml"
        );
    };
}

/// What `#[smallscope::test(summaries = ..)]` needs.
#[cfg(feature = "summaries")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_summaries {
    () => {};
}

/// What `#[smallscope::test(summaries = ..)]` needs.
#[cfg(not(feature = "summaries"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_summaries {
    () => {
        ::core::compile_error!(
            "summaries of helpers need a feature: write `smallscope = { .., features = [\"summaries\"] }` in Cargo.toml"
        );
    };
}

/// What `#[smallscope::sequences(cover = ..)]` needs.
#[cfg(feature = "cover")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_cover {
    () => {};
}

/// What `#[smallscope::sequences(cover = ..)]` needs.
#[cfg(not(feature = "cover"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_cover {
    () => {
        ::core::compile_error!(
            "coverage of the code under test needs a feature: write `smallscope = { .., features = [\"cover\", \"sequences\"] }` in Cargo.toml"
        );
    };
}

/// What `#[smallscope::test(len(items = [0..=3, 64..=65]))]` needs.
#[cfg(feature = "filled")]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_filled {
    () => {};
}

/// What `#[smallscope::test(len(items = [0..=3, 64..=65]))]` needs.
#[cfg(not(feature = "filled"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_filled {
    () => {
        ::core::compile_error!(
            "lengths behind a gap need a feature: write `smallscope = { .., features = [\"filled\"] }` in Cargo.toml"
        );
    };
}
