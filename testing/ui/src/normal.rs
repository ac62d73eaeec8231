//! Messages without what depends on the machine, or on code that is not about the mistake.
//!
//! - Paths begin with the package, `$WORKSPACE` or `$RUST`, for the standard library.
//! - Lines of other files than the mistake's have no numbers, and those of the standard library are left out, as they
//!   are there only if its sources are installed. The margin is as wide as the numbers that remain.
//! - Each message is there once, as cargo does it.
//! - There are no totals at the end, no files with types that are too long, and `$N` stands for the number of things that are not listed.

use crate::compiler::Compiler;
use std::path::Path;

/// What the compiler says about a file of its package, in its normal form.
pub(crate) fn normal(messages: &str, file: &Path, compiler: &Compiler<'_>) -> String {
    let slashes = |path: &Path| path.display().to_string().replace('\\', "/");
    let places = Places {
        file: slashes(file),
        package: slashes(compiler.package_in_workspace()) + "/",
        workspace: slashes(compiler.workspace()) + "/",
    };
    let mut normal: Vec<String> = Vec::new();
    // Nothing but a blank line separates a message from the next.
    for message in messages.replace("\r\n", "\n").split("\n\n") {
        let lines: Vec<&str> = message.lines().filter(|line| !is_left_out(line)).map(str::trim_end).collect();
        let message: String = places.normal_message(&lines).iter().flat_map(|line| [line, "\n"]).collect();
        if !message.trim().is_empty() && !normal.contains(&message) {
            normal.push(message);
        }
    }
    normal.join("\n")
}

/// Totals, and where types are written to that are too long for a message.
fn is_left_out(line: &str) -> bool {
    let starts = [
        "error: aborting due to ",
        "Some errors have detailed explanations: ",
        "For more information about ",
        "= note: the full name for the type has been written to ",
        "= note: consider using `--verbose` to print the full type name to the console",
    ];
    starts.iter().any(|start| line.trim_start().starts_with(start))
        || line.starts_with("warning: ") && line.ends_with(" emitted")
}

struct Places {
    /// The mistake, in its package.
    file: String,
    /// In the workspace, with a slash at the end.
    package: String,
    /// With a slash at the end.
    workspace: String,
}

/// Which file lines are from.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Mistake,
    AnotherFile,
    StandardLibrary,
}

/// What a line of a message is, by what it begins with.
enum Part<'a> {
    /// `--> path:line:column`, or `:::` for a second file.
    Place { arrow: &'a str, path: &'a str },
    /// `12 | code`, or another sign than the bar in suggestions.
    Numbered { number: &'a str, rest: &'a str },
    /// `| marks`, without the spaces.
    Margin(&'a str),
    /// `...` for lines that are left out.
    Gap(&'a str),
    /// `= note: text`, without the spaces.
    Note(&'a str),
    /// Anything else: a heading, or one more line of a heading or a note.
    Text,
}

impl<'a> Part<'a> {
    fn of(line: &'a str) -> Part<'a> {
        let inner = line.trim_start();
        let is_indented = inner.len() < line.len();
        if let (true, Some((arrow @ ("-->" | ":::"), path))) = (is_indented, inner.split_once(' ')) {
            return Part::Place { arrow, path };
        }
        let code = inner.trim_start_matches(|c: char| c.is_ascii_digit());
        let (number, rest) = (&inner[..inner.len() - code.len()], code.trim_start());
        if !number.is_empty() && rest.starts_with(['|', '+', '-', '~']) {
            return Part::Numbered { number, rest };
        }
        match inner.chars().next() {
            Some('|') if is_indented => Part::Margin(inner),
            Some('=') if is_indented => Part::Note(inner),
            Some('.') if line.starts_with("...") => Part::Gap(&line[3..]),
            _ => Part::Text,
        }
    }
}

impl Places {
    fn normal_message(&self, lines: &[&str]) -> Vec<String> {
        let of = self.owners(lines);
        let old = lines.iter().find(|line| matches!(Part::of(line), Part::Place { .. }));
        let old = old.map_or(1, |line| line.len() - line.trim_start().len());
        let numbers = lines.iter().zip(&of).filter_map(|(line, of)| match Part::of(line) {
            Part::Numbered { number, .. } if *of == Owner::Mistake => Some(number.len()),
            _ => None,
        });
        let new = numbers.max().unwrap_or(1);
        let removed = old.saturating_sub(new);
        let narrower = |line: &str| {
            let spaces = line.len() - line.trim_start_matches(' ').len();
            line[removed.min(spaces)..].to_owned()
        };
        let mut normal = Vec::new();
        let mut is_in_note = false;
        for (line, of) in lines.iter().zip(of) {
            let part = Part::of(line);
            let is_code = matches!(part, Part::Numbered { .. } | Part::Margin(_) | Part::Gap(_));
            if is_code && of == Owner::StandardLibrary {
                continue;
            }
            let is_continued = is_in_note && matches!(part, Part::Text) && line.starts_with(' ');
            is_in_note = is_continued || matches!(part, Part::Note(_));
            normal.push(match part {
                Part::Place { arrow, path } => format!("{:new$}{arrow} {}", "", self.normal_path(path).0),
                Part::Numbered { number, rest } => {
                    let number = if of == Owner::Mistake { number } else { "" };
                    format!("{number:>new$} {rest}")
                }
                Part::Margin(rest) => format!("{:new$} {rest}", ""),
                Part::Note(rest) => format!("{:new$} {}", "", self.normal_text(rest)),
                Part::Gap(rest) => format!("...{}", narrower(rest)),
                Part::Text if is_continued => self.normal_text(&narrower(line)),
                Part::Text => self.normal_text(line),
            });
        }
        normal
    }

    /// A place says whose lines follow it. A heading is followed by lines of the mistake, unless it has a place.
    fn owners(&self, lines: &[&str]) -> Vec<Owner> {
        let mut of = Owner::Mistake;
        let mut owners = Vec::new();
        for line in lines {
            match Part::of(line) {
                Part::Place { path, .. } => of = self.normal_path(path).1,
                Part::Note(_) | Part::Text => of = Owner::Mistake,
                _ => {}
            }
            owners.push(of);
        }
        owners
    }

    /// A path with its line and column, which only that of the mistake keeps.
    fn normal_path(&self, path: &str) -> (String, Owner) {
        let path = path.replace('\\', "/");
        let path = path.strip_prefix(&self.workspace).unwrap_or(&path);
        let in_package = path.strip_prefix(&self.package);
        let is_mistake =
            |path: &&str| path.strip_prefix(&self.file).is_some_and(|rest| rest.starts_with(':'));
        if let Some(path) = in_package.filter(is_mistake) {
            return (path.to_owned(), Owner::Mistake);
        }
        let without_line = |path: &str| path.rfind(".rs:").map_or(path, |at| &path[..at + 3]).to_owned();
        for start in ["/rustlib/src/rust/library/", "/rustc/"] {
            if let Some((_, rest)) = path.split_once(start) {
                let rest = rest.split_once("library/").map_or(rest, |(_, rest)| rest);
                return (format!("$RUST/{}", without_line(rest)), Owner::StandardLibrary);
            }
        }
        let path = match in_package {
            Some(rest) => without_line(rest),
            None if Path::new(path).is_relative() => format!("$WORKSPACE/{}", without_line(path)),
            None => without_line(path),
        };
        (path, Owner::AnotherFile)
    }

    fn normal_text(&self, line: &str) -> String {
        // Closures have their places in their types.
        let line = line.replace(&format!("@{}", self.package), "@$DIR/");
        // There are more of them with every type that we support.
        let text = line.trim_start();
        let number = text.strip_prefix("and ").and_then(|rest| rest.strip_suffix(" others"));
        match number {
            Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("{}and $N others", &line[..line.len() - text.len()])
            }
            _ => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a mistake in `crates/name/tests/ui/it.rs`.
    fn normal_lines(messages: &[&str]) -> Vec<String> {
        let here = Path::new("/home/someone/repository/crates/name");
        let compiler =
            Compiler { program: here, libraries: "", arguments: &[], package: here, scratch: here };
        let text = normal(&messages.join("\n"), Path::new("tests/ui/it.rs"), &compiler);
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn numbers_of_other_files_go_and_so_does_the_space_for_them() {
        let lines = normal_lines(&[
            "error[E0277]: wrong",
            "   --> crates/name/tests/ui/it.rs:7:1",
            "    |",
            "  7 | it();",
            "    | ^^",
            "    |",
            "    = help: one",
            "            and 12 others",
            "note: because of this",
            "   --> crates/other/src/lib.rs:99:5",
            "    |",
            " 99 | / macro_rules! it {",
            "...   |",
            "120 | | }",
            "    | |_^",
            "note: and of this",
            "   --> /home/someone/repository/crates/name/src/lib.rs:1:2",
            "help: write this",
            "    |",
            "  7 + that();",
        ]);
        let expected = [
            "error[E0277]: wrong",
            " --> tests/ui/it.rs:7:1",
            "  |",
            "7 | it();",
            "  | ^^",
            "  |",
            "  = help: one",
            "          and $N others",
            "note: because of this",
            " --> $WORKSPACE/crates/other/src/lib.rs",
            "  |",
            "  | / macro_rules! it {",
            "... |",
            "  | | }",
            "  | |_^",
            "note: and of this",
            " --> src/lib.rs",
            "help: write this",
            "  |",
            "7 + that();",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_standard_library_is_the_same_with_and_without_its_sources() {
        let place = " --> $RUST/alloc/src/vec/mod.rs";
        let hash = "59807616e1fa2540724bfbac14d7976d7e4a3860";
        let without = format!("  --> /rustc/{hash}/library/alloc/src/vec/mod.rs:3:9");
        assert_eq!(normal_lines(&["note: it is here", &without]), ["note: it is here", place]);
        let with = "  --> /home/someone/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs:3:9";
        assert_eq!(
            normal_lines(&["note: it is here", with, "   |", "33 | code", "   = note: and"]),
            ["note: it is here", place, "  = note: and"],
        );
    }

    #[test]
    fn each_message_is_there_once_and_totals_are_not() {
        let messages = ["error: a", "", "error: b", "", "error: a", "", "warning: 1 warning emitted"];
        assert_eq!(normal_lines(&messages), ["error: a", "", "error: b"]);
        let totals =
            ["error: aborting due to 2 previous errors", "", "For more information about this error, .."];
        assert!(normal_lines(&totals).is_empty());
    }
}
