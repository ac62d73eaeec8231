//! Functions on text that std has as generic ones. Each crate that uses those compiles them again: `str::contains` to
//! 3,000 lines of LLVM's code without optimisation, `join` to 1,000.

/// Whether a text contains another one.
///
/// ```
/// use smallscope_support::text::contains;
/// assert!(contains("core::panicking::panic", "panicking"));
/// assert!(contains("", "") && !contains("a", "ab"));
/// ```
pub fn contains(text: &str, part: &str) -> bool {
    split_once(text, part).is_some()
}

/// Splits a text at the first place where it contains another one, which is left out.
///
/// ```
/// use smallscope_support::text::split_once;
/// assert_eq!(split_once("T as Trait", " as "), Some(("T", "Trait")));
/// assert_eq!(split_once("T", " as "), None);
/// ```
pub fn split_once<'a>(text: &'a str, part: &str) -> Option<(&'a str, &'a str)> {
    for (at, _) in text.char_indices() {
        if let Some(rest) = text[at..].strip_prefix(part) {
            return Some((&text[..at], rest));
        }
    }
    if part.is_empty() { Some((text, text)) } else { None }
}

/// Joins texts, with a separator between them.
///
/// ```
/// assert_eq!(smallscope_support::text::joined(&["a", "b"], ", "), "a, b");
/// ```
pub fn joined<T: AsRef<str>>(texts: &[T], separator: &str) -> String {
    let mut joined = String::new();
    for (i, text) in texts.iter().enumerate() {
        if i > 0 {
            joined.push_str(separator);
        }
        joined.push_str(text.as_ref());
    }
    joined
}

/// Replaces each of some characters in a text by another text.
///
/// ```
/// assert_eq!(smallscope_support::text::replaced("a,b%", &[('%', "%25"), (',', "%2C")]), "a%2Cb%25");
/// ```
pub fn replaced(text: &str, pairs: &[(char, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match pairs.iter().find(|(from, _)| *from == c) {
            Some((_, to)) => out.push_str(to),
            None => out.push(c),
        }
    }
    out
}

/// Returns the line that annotates a line of a file on GitHub, which reads it from any output; none elsewhere. `level` is
/// `error` or `warning`.
pub fn annotation(level: &str, file: &str, line: u64, text: &str) -> Option<String> {
    std::env::var_os("GITHUB_ACTIONS")?;
    let lines = [('%', "%25"), ('\r', "%0D"), ('\n', "%0A"), (':', "%3A"), (',', "%2C")];
    let (file, text) = (replaced(file, &lines), replaced(text, &lines[..3]));
    Some(format!("::{level} file={file},line={line}::{text}"))
}
