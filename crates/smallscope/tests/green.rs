//! The page "What a green test means" of the book says what the reports say, for every kind of test.

mod green {
    mod page;
    mod sequences;
    mod values;
}
