//! What users see when they get it wrong. Each file in `ui/` is one mistake, named after it, with the messages of the
//! compiler that `rust-version` names; others word them differently, so with those nothing is tested.
//! `UI_TESTS=record cargo test -p smallscope-cover --test ui` records new messages.

#[test]
fn mistakes_are_explained() {
    smallscope_ui_tests::mistakes_are_explained!("tests/ui");
}
