//! `cargo xtask duplicates`: runs of six or more equal lines in the sources of the product. Prints where they are; a reader
//! decides whether they are one mechanism that is written twice.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Shorter runs are accidents.
const SHORTEST: usize = 6;

/// A line of a file that is compared: the file, the number of the line, and the text without spaces at the ends.
struct Line<'a> {
    file: usize,
    number: usize,
    text: &'a str,
}

/// Prints the runs, and returns how many there are.
pub fn run(root: &Path) -> usize {
    let sources = crate::tidy::sources(root);
    let files: Vec<(&str, &str)> = sources
        .rust
        .iter()
        .filter(|source| source.name.starts_with("crates/") && source.name.contains("/src/"))
        .map(|source| (&*source.name, &*source.text))
        .collect();
    let runs = runs(&files);
    for (length, first, second) in &runs {
        println!("{length} lines: {first} and {second}");
    }
    println!("{} runs of {SHORTEST} or more equal lines", runs.len());
    runs.len()
}

/// The length of each run, and the two places where it begins.
fn runs(files: &[(&str, &str)]) -> Vec<(usize, String, String)> {
    let lines: Vec<Line> =
        files.iter().enumerate().flat_map(|(file, (_, text))| compared(file, text)).collect();
    let mut places: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for at in 0..lines.len().saturating_sub(SHORTEST - 1) {
        let window = &lines[at..at + SHORTEST];
        if window[0].file == window[SHORTEST - 1].file {
            places.entry(window.iter().map(|line| line.text).collect()).or_default().push(at);
        }
    }
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    for equal in places.into_values() {
        pairs.extend(equal.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| a + SHORTEST <= *b));
    }
    let place = |at: usize| format!("{}:{}", files[lines[at].file].0, lines[at].number);
    let begins = pairs.iter().filter(|(a, b)| *a == 0 || !pairs.contains(&(a - 1, b.wrapping_sub(1))));
    begins
        .map(|&(a, b)| {
            let more = (0..).take_while(|i| pairs.contains(&(a + i, b + i))).count();
            (SHORTEST + more - 1, place(a), place(b))
        })
        .collect()
}

/// The lines that say something: no blank ones, comments, imports, or lines with nothing but brackets.
fn compared(file: usize, text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let is_said = |line: &str| {
        line.chars().any(char::is_alphanumeric)
            && !["//", "use ", "#[", "pub use "].iter().any(|start| line.starts_with(start))
    };
    lines.filter(move |(_, line)| is_said(line)).map(move |(number, text)| Line { file, number, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_once_with_their_whole_length() {
        let common = "let a = 1;\nlet b = 2;\n\nlet c = 3;\nlet d = 4;\nlet e = 5;\nlet f = 6;\nlet g = 7;\n";
        let other = format!("fn x() {{\n// A comment.\n{common}}}\n");
        let found = runs(&[("one.rs", common), ("other.rs", &other)]);
        assert_eq!(found, [(7, "one.rs:1".to_owned(), "other.rs:3".to_owned())]);
        assert!(runs(&[("one.rs", common), ("two.rs", "let a = 1;\nlet b = 2;\n")]).is_empty());
    }
}
