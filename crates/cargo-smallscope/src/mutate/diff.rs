//! Changed lines in the output of `git diff`.

use crate::problem::Problem;
use smallscope_runner::session::ListedMutant;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// The lines that a diff adds or changes, by file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Diff(BTreeMap<String, Vec<(u64, u64)>>);

impl Diff {
    /// Reads a file with a diff; `-` is standard input.
    pub(crate) fn load(path: &Path) -> Result<Diff, Problem> {
        let mut text = vec![];
        let read = match path.as_os_str() == "-" {
            true => std::io::stdin().lock().read_to_end(&mut text),
            false => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut text)),
        };
        read.map_err(|error| {
            Problem::file(format!(
                "the diff {} cannot be read: {error}; make it with `git diff`",
                path.display()
            ))
        })?;
        let text = String::from_utf8_lossy(&text);
        Diff::parse(&text).map_err(|why| Problem::file(format!("the diff {}: {why}", path.display())))
    }

    /// Reads a unified diff.
    fn parse(text: &str) -> Result<Diff, String> {
        let mut diff = Diff::default();
        let mut file: Option<String> = None;
        // How many lines of the old and the new text are left in a hunk, and the next line of the new text.
        let (mut old, mut new, mut line) = (0u64, 0u64, 0u64);
        for (index, text) in text.lines().enumerate() {
            let wrong =
                |what: &str| format!("line {} is {what}; it has to be the output of `git diff`", index + 1);
            if old > 0 || new > 0 {
                match text.as_bytes().first() {
                    Some(b'+') => {
                        if let Some(lines) = file.as_ref().and_then(|file| diff.0.get_mut(file)) {
                            match lines.last_mut() {
                                Some((_, last)) if *last + 1 == line => *last = line,
                                _ => lines.push((line, line)),
                            }
                        }
                        (new, line) = (new.saturating_sub(1), line + 1);
                    }
                    Some(b'-') => old = old.saturating_sub(1),
                    Some(b' ') | None => {
                        (old, new, line) = (old.saturating_sub(1), new.saturating_sub(1), line + 1);
                    }
                    Some(b'\\') => {}
                    _ => return Err(wrong("no line of a hunk")),
                }
            } else if let Some(path) = text.strip_prefix("+++ ") {
                file = name(path);
                if let Some(file) = &file {
                    diff.0.entry(file.clone()).or_default();
                }
            } else if let Some(hunk) = text.strip_prefix("@@ -") {
                let numbers = hunk.split_once(" +").and_then(|(before, after)| {
                    let (_, count) = span(before)?;
                    let (start, added) = span(after.split_once(" @@")?.0)?;
                    Some((count, start, added))
                });
                (old, line, new) = numbers.ok_or_else(|| wrong("no beginning of a hunk"))?;
                if file.is_none() && new > 0 {
                    return Err(wrong("a hunk without a file before it"));
                }
            }
        }
        if old > 0 || new > 0 {
            return Err("it ends within a hunk; it has to be the whole output of `git diff`".to_owned());
        }
        match diff.0.is_empty()
            && !text.trim().is_empty()
            && !text.starts_with("diff ")
            && !text.contains("\n--- ")
        {
            true => Err("it is no diff; make it with `git diff`".to_owned()),
            false => Ok(diff),
        }
    }

    /// Whether the diff changes the line of a mutant. Paths of the diff begin at the root of the repository, and those of
    /// mutants at that of the workspace.
    pub(crate) fn has(&self, mutant: &ListedMutant) -> bool {
        let own = Path::new(&mutant.file);
        let is_same = |file: &str| Path::new(file).ends_with(own) || own.ends_with(file);
        let is_changed = |lines: &[(u64, u64)]| lines.iter().any(|(a, b)| (*a..=*b).contains(&mutant.line));
        self.0.iter().any(|(file, lines)| is_same(file) && is_changed(lines))
    }
}

/// `12,3` or `12`.
fn span(text: &str) -> Option<(u64, u64)> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, count.parse().ok()?))
}

/// The name of a file after `+++ `; none for a file that is removed.
fn name(text: &str) -> Option<String> {
    let text = text.split('\t').next().unwrap_or_default();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if text == "/dev/null" {
        return None;
    }
    // `git diff` puts one letter in front: `b/`, or `w/` with `diff.mnemonicPrefix`.
    let stripped = text.split_once('/').filter(|(letter, _)| matches!(*letter, "b" | "w" | "i" | "c"));
    Some(stripped.map_or(text, |(_, rest)| rest).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/app/src/lib.rs b/app/src/lib.rs\nindex 1..2 100644\n--- a/app/src/lib.rs\n\
                        +++ b/app/src/lib.rs\n@@ -3,4 +3,5 @@ impl X\n one\n-++ old\n+new\n+++ more\n two\n three\n\
                        \\ No newline at end of file\n@@ -20 +21,0 @@\n-gone\n@@ -30,0 +31,2 @@\n+a\n+b\n\
                        diff --git a/old.rs b/old.rs\n--- a/old.rs\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n";

    #[test]
    fn added_lines_are_changed() {
        let diff = Diff::parse(DIFF).unwrap();
        let lines = BTreeMap::from([("app/src/lib.rs".to_owned(), vec![(4, 5), (31, 32)])]);
        assert_eq!(diff.0, lines);
        let at = |file: &str, line| {
            diff.has(&ListedMutant { file: file.into(), line, ..crate::mutate::tests::mutant() })
        };
        assert!(at("app/src/lib.rs", 4) && at("src/lib.rs", 32) && at("repo/app/src/lib.rs", 31));
        assert!(!at("app/src/lib.rs", 3) && !at("lib/src/lib.rs", 4) && !at("b.rs", 4) && !at("old.rs", 1));
        assert_eq!(Diff::parse("").unwrap(), Diff::default());
    }

    #[test]
    fn what_is_no_diff_is_refused() {
        for (text, message) in [
            ("hello\n", "it is no diff"),
            ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n", "ends within a hunk"),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\nwhat\n", "line 4 is no line of a hunk"),
            ("--- a/x\n+++ b/x\n@@ -a +1 @@\n", "line 3 is no beginning of a hunk"),
            ("@@ -1 +1 @@\n-a\n+b\n", "line 1 is a hunk without a file"),
        ] {
            let error = Diff::parse(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
