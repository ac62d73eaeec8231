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

pub fn chapters(sources: &Sources) -> Vec<String> {
    let read = |file: &str| fs::read_to_string(sources.root.join(file)).unwrap_or_default();
    missing(&read("book/src/SUMMARY.md"), &read("README.md"))
        .into_iter()
        .map(|chapter| format!("README.md: the chapter book/src/{chapter} is not listed"))
        .collect()
}

/// Chapters whose samples are tested elsewhere.
const TESTED_ELSEWHERE: [&str; 1] = ["book/src/first-ten-minutes.md"];

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
    fn a_chapter_that_is_not_listed() {
        let summary = "# Summary\n- [One](one.md)\n- [Two](./two.md)\n- [Draft]()\n";
        assert_eq!(missing(summary, "[One](book/src/one.md)"), ["two.md"]);
    }
}
