//! What every message has to be: one error, at the user's token, whose first line says what is wrong and what to write.

/// Names of ours that users have not written, in parts of words where these begin with a capital.
const INTERNAL: [&str; 4] = ["Mirror", "Tracked", "__private", "smallscope_core"];

/// The rules that the messages about a file break, in words.
pub(crate) fn broken(messages: &str, file: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let errors: Vec<&str> =
        messages.lines().filter(|line| line.starts_with("error:") || line.starts_with("error[")).collect();
    if errors.len() != 1 {
        broken.push(format!("{} errors in place of one", errors.len()));
    }
    let first = errors.first().and_then(|line| line.split_once(": ")).map_or("", |(_, text)| text);
    if !has_remedy(first) {
        broken.push(format!("the first line does not say what to write: {first}"));
    }
    let place = messages.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
    if !place.is_some_and(|place| place.starts_with(file)) {
        broken.push(format!("points at {}, not at the user's file", place.unwrap_or("nothing")));
    }
    for name in INTERNAL {
        if let Some(line) = messages.lines().find(|line| line.contains(name)) {
            broken.push(format!("has `{name}` in it: {}", line.trim()));
        }
    }
    broken
}

/// Whether a line has two parts, what is wrong and what to do, and quotes code. A name that the compiler does not find can be
/// both: `Node_must_derive_Bounded`.
fn has_remedy(line: &str) -> bool {
    if line.split('`').skip(1).step_by(2).any(|code| code.contains("_must_")) {
        return true;
    }
    let mut outside = line.split('`').step_by(2);
    let is_separated = |text: &str| [": ", "; ", ", "].iter().any(|sign| text.contains(sign));
    line.matches('`').count() >= 2 && outside.any(is_separated)
}

#[cfg(test)]
mod tests {
    use super::{broken, has_remedy};

    const FILE: &str = "tests/ui/it.rs";

    #[test]
    fn a_message_that_helps_breaks_no_rule() {
        let message = "error[E0277]: `T` has no invariant: write `#[rep_ok]`\n --> tests/ui/it.rs:1:2\n  |\n";
        assert!(broken(message, FILE).is_empty());
    }

    #[test]
    fn each_rule_can_be_broken() {
        let place = " --> tests/ui/it.rs:1:2\n";
        let two = format!("error: a: write `b`\n{place}\nerror: c: write `d`\n{place}");
        assert_eq!(broken(&two, FILE), ["2 errors in place of one"]);
        let elsewhere = "error: a: write `b`\n --> src/lib.rs\n";
        assert_eq!(broken(elsewhere, FILE), ["points at src/lib.rs, not at the user's file"]);
        let internal = format!("error: a: write `b`\n{place}  = note: expected `NodeMirror`\n");
        assert_eq!(broken(&internal, FILE), ["has `Mirror` in it: = note: expected `NodeMirror`"]);
        assert!(broken(&format!("error: mismatched types\n{place}"), FILE)[0].contains("what to write"));
    }

    #[test]
    fn a_remedy_is_code_after_a_separator() {
        assert!(has_remedy("`x` is unknown; write `y`"));
        assert!(has_remedy("unresolved import `Node_must_derive_Bounded`"));
        assert!(!has_remedy("no method named `x: y`"));
        assert!(!has_remedy("mismatched types: expected bool"));
    }
}
