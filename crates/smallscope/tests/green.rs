//! The page "What a green test means" of the book says what the reports say, for every kind of test.

mod green {
    mod agree;
    #[cfg(all(unix, target_pointer_width = "64"))]
    mod crashes;
    mod page;
    mod sequences;
    mod values;
}
