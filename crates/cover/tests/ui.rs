//! What users see when they get a macro wrong. Each file in `ui/` is one mistake, named after it, with the messages that
//! users see. `UI_TESTS=record cargo test -p smallscope-cover --test ui` records new messages.

smallscope_ui_tests_macros::mistakes!("tests/ui");
