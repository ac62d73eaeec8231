//! ARCHITECTURE.md can be read in one sitting; README.md names every chapter of the book; samples of chapters are tested.

use super::sources::Sources;
use std::fs;

/// In bytes.
const LONGEST_ARCHITECTURE: usize = 10_240;

pub fn architecture(sources: &Sources) -> Vec<String> {
    let length =
        sources.prose.iter().find(|source| source.name == "ARCHITECTURE.md").map_or(0, |s| s.text.len());
    if length <= LONGEST_ARCHITECTURE {
        return vec![];
    }
    vec![format!(
        "ARCHITECTURE.md: {length} bytes; at most {LONGEST_ARCHITECTURE}: decisions belong into docs/decisions"
    )]
}

/// ARCHITECTURE.md shows the loop of the search as it is.
pub fn shows_the_loop(sources: &Sources) -> Vec<String> {
    let text = |name: &str, all: &[super::sources::Source]| {
        all.iter().find(|source| source.name == name).map(|source| source.text.clone()).unwrap_or_default()
    };
    let source = text("crates/core/src/depth_first/find.rs", &sources.rust);
    let document = text("ARCHITECTURE.md", &sources.prose);
    match loop_of(&source) {
        Some(code) if unindented(&document).contains(&code) => vec![],
        Some(_) => {
            vec!["ARCHITECTURE.md: does not show the loop of crates/core/src/depth_first/find.rs".into()]
        }
        None => {
            vec!["crates/core/src/depth_first/find.rs: has no loop that ARCHITECTURE.md could show".into()]
        }
    }
}

/// The first loop of a file, without indentation.
fn loop_of(source: &str) -> Option<String> {
    let start = source.find("    loop {\n")?;
    let end = start + source[start..].find("\n    }\n")? + "\n    }\n".len();
    Some(unindented(&source[start..end]))
}

fn unindented(text: &str) -> String {
    text.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}

pub fn chapters(sources: &Sources) -> Vec<String> {
    let read = |file: &str| fs::read_to_string(sources.root.join(file)).unwrap_or_default();
    missing(&read("book/src/SUMMARY.md"), &read("README.md"))
        .into_iter()
        .map(|chapter| format!("README.md: the chapter book/src/{chapter} is not listed"))
        .collect()
}

/// Chapters whose samples are tested elsewhere.
const TESTED_ELSEWHERE: [&str; 2] = ["book/src/first-ten-minutes.md", "book/src/neighbours.md"];

pub fn samples(sources: &Sources) -> Vec<String> {
    let tested = sources.rust.iter().find(|source| source.name == "testing/book/src/lib.rs");
    let tested = tested.map_or("", |source| &source.text);
    let chapters = sources.prose.iter().filter(|source| source.name.starts_with("book/src/"));
    chapters
        .filter(|chapter| chapter.text.contains("```rust"))
        .filter(|chapter| !tested.contains(&chapter.name) && !TESTED_ELSEWHERE.contains(&&*chapter.name))
        .map(|chapter| format!("{}: has samples, but is not in testing/book/src/lib.rs", chapter.name))
        .collect()
}

/// The chapters of the summary that the readme does not link to.
fn missing<'a>(summary: &'a str, readme: &str) -> Vec<&'a str> {
    let chapters =
        summary.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(chapter, _)| chapter);
    let chapters =
        chapters.filter(|chapter| !chapter.is_empty()).map(|chapter| chapter.trim_start_matches("./"));
    chapters.filter(|chapter| !readme.contains(&format!("book/src/{chapter}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_found_and_compared_without_its_indentation() {
        let source = "fn f() {\n    loop {\n        if a {\n            b\n        }\n    }\n}\n";
        let code = loop_of(source).unwrap();
        assert!(
            unindented("1. text\n   ```rust\n   loop {\n       if a {\n  b\n }\n }\n```\n").contains(&code)
        );
        assert!(!unindented("loop {\n    if c {\n b\n }\n}\n").contains(&code));
        assert_eq!(loop_of("fn f() {}\n"), None);
    }

    #[test]
    fn a_chapter_that_is_not_listed() {
        let summary = "# Summary\n- [One](one.md)\n- [Two](./two.md)\n- [Draft]()\n";
        assert_eq!(missing(summary, "[One](book/src/one.md)"), ["two.md"]);
    }
}
