//! The page "Settings" of the book has the table of settings.

use smallscope_support::settings::book_table;
use std::path::Path;

#[test]
fn the_book_has_the_table() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/settings.md");
    let Ok(text) = std::fs::read_to_string(&page) else { return };
    let head = text.split("\n| ").next().unwrap_or_default().trim_end();
    let expected = format!("{head}\n\n{}", book_table());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&page, expected).unwrap();
    } else {
        assert!(text == expected, "book/src/settings.md is not up to date; run this test with BLESS=1");
    }
}
