//! What users see when they get a macro wrong. Each file in `ui/` is one mistake, named after it, with the messages of
//! the compiler that `rust-version` names; others word them differently, so with those nothing is tested.
//! `TRYBUILD=overwrite cargo test --test ui` records new messages.

#[test]
fn mistakes_are_explained() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output().expect("rustc runs");
    let expected = format!("rustc {}.", env!("CARGO_PKG_RUST_VERSION"));
    if !String::from_utf8_lossy(&version.stdout).starts_with(&expected) {
        eprintln!("skipped: the messages are those of {expected}*");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
