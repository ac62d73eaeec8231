//! JSON that can stand inside of a `<script>` element.

/// Returns a text in quotes. `<` is escaped, so that no text can end the element that it stands in.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '<' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns an array of items that are JSON already.
pub fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", Vec::from_iter(items).join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_element() {
        assert_eq!(quoted("</script>\"\\\n\u{1}"), "\"\\u003c/script>\\\"\\\\\\n\\u0001\"");
        assert_eq!(array(["1".to_owned(), quoted("a")]), "[1,\"a\"]");
    }
}
