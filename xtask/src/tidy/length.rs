//! No file is longer than 500 lines, tests aside: a longer one has more than one subject.

use super::sources::Sources;

const MAX_LINES: usize = 500;

pub fn problems(sources: &Sources) -> Vec<String> {
    let files = sources.rust.iter().filter(|source| !source.is_test());
    let lengths = files.map(|source| (&source.name, source.text.lines().count()));
    lengths
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(name, lines)| format!("{name}: {lines} lines; at most {MAX_LINES}, split it by subject"))
        .collect()
}
