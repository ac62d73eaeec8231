//! The page of a failing test.

use super::tree::{Tree, check, remove_works};
use smallscope::Key;

#[test]
fn a_failing_test_writes_a_page_and_names_it() {
    let report = check("page::of_removal", 4).html(true).run(remove_works);
    let failure = report.failure().unwrap();
    let page = failure.page.clone().unwrap();
    if !cfg!(feature = "html") {
        let why = page.unwrap_err();
        assert!(why.contains(r#"features = ["html"]"#) && why.contains("cargo smallscope view"), "{why}");
        assert!(report.to_string().contains("\npage:     no, pages need a feature"), "{report}");
        return;
    }
    let path = page.unwrap();
    assert!(path.ends_with("page-of_removal.html"), "{path}");
    assert!(report.to_string().contains(&format!("\npage:     {path}\n")), "{report}");
    let html = std::fs::read_to_string(&path).unwrap();
    assert!(html.len() < 200_000, "{}", html.len());
    for part in [
        "the tree is broken",
        "SMALLSCOPE_REPLAY=",
        &failure.replay[2..9],
        r#"class=\"plate object\""#,
        "nonce-",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // The value is drawn, and nothing is loaded from elsewhere.
    let rest = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!rest.contains("http://") && !rest.contains("https://"));
}

#[test]
fn no_page_is_written_unless_it_is_wanted() {
    let report = check("page::unwanted", 4).run(remove_works);
    assert_eq!(report.failure().unwrap().page, None);
    assert!(!report.to_string().contains("\npage:     "), "{report}");
    let passed = check("page::passed", 2).html(true).run(|tree: Tree<Key>| assert!(tree.rep_ok()));
    assert!(passed.is_ok() && !passed.to_string().contains("\npage:     "), "{passed}");
}
