//! Words that are refused in comments, documentation and messages: they hide what acts (CONTRIBUTING.md, "Words").

use super::sources::{Source, Sources};

const REFUSED: [&str; 7] =
    ["nobody", "somebody", "whoever", "comes to", "came to", "is asked for", "what is there"];

/// Where a word is meant literally: the file and the word.
const ALLOWED: &[(&str, &str)] = &[("xtask/src/tidy/words.rs", "")];

pub fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = vec![];
    for source in sources.rust.iter().chain(&sources.prose) {
        for (line, word) in refused(&source.text) {
            if !is_allowed(source, word) {
                problems.push(format!(
                    "{}:{line}: say what acts and what it does, without \"{word}\"",
                    source.name
                ));
            }
        }
    }
    problems
}

fn is_allowed(source: &Source, word: &str) -> bool {
    ALLOWED.iter().any(|(file, allowed)| *file == source.name && (allowed.is_empty() || *allowed == word))
}

/// The words of a text that are refused, with their lines. Phrases may go on in the next line, and names in the code count.
fn refused(text: &str) -> Vec<(usize, &'static str)> {
    let text = text.to_ascii_lowercase();
    let mut found = vec![];
    for phrase in REFUSED {
        let mut words = phrase.split(' ');
        let first = words.next().unwrap_or(phrase);
        for (at, _) in text.match_indices(first) {
            if !text[..at].ends_with(is_letter) && goes_on_with(&text[at + first.len()..], words.clone()) {
                found.push((text[..at].matches('\n').count() + 1, phrase));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether these words follow and the last one ends there. Between words are spaces, `_`, and what begins the next line of a
/// comment.
fn goes_on_with<'a>(mut text: &str, words: impl Iterator<Item = &'a str>) -> bool {
    for word in words {
        let rest = text.trim_start_matches([' ', '_', '\n', '/', '!', '>', '#', '\\']);
        match rest.strip_prefix(word) {
            Some(after) if rest.len() < text.len() => text = after,
            _ => return false,
        }
    }
    !text.starts_with(is_letter)
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '\''
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_words_are_found() {
        let text = "/// What Nobody\n/// reads. It came\n/// to nothing.\nfn owned_by_nobody() {}\n";
        assert_eq!(refused(text), [(1, "nobody"), (2, "came to"), (4, "nobody")]);
        assert_eq!(refused("busybody; it comes. To be becomes to be comes together"), []);
    }
}
