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
    part.is_empty() || text.as_bytes().windows(part.len()).any(|window| window == part.as_bytes())
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
