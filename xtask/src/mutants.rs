//! `cargo xtask mutants`: a copy of the containers with mutants, and which of them tests find.
//!
//! All mutants are compiled at once (see [`schemata`]). Mutants that do not compile are left out, until the rest
//! compiles. Then the example `mutants` of the containers is run in the copy, with the remaining arguments.

mod operators;
mod prepare;
mod schemata;
mod text;

use schemata::{Candidate, Schemata};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use text::place;

/// The files with mutants, and the container whose tests are run on each.
const FILES: [(&str, &str); 14] = [
    ("array_list.rs", "ArrayList"),
    ("deque.rs", "Deque"),
    ("error.rs", "ArrayList"),
    ("hash_map.rs", "HashMap"),
    ("hash_set.rs", "HashSet"),
    ("hashing.rs", "HashMap"),
    ("identity_map.rs", "IdentityMap"),
    ("linked_hash_map.rs", "LinkedHashMap"),
    ("linked_list.rs", "LinkedList"),
    ("priority_queue.rs", "PriorityQueue"),
    ("stack.rs", "Stack"),
    ("tree_map.rs", "TreeMap"),
    ("tree_map/balance.rs", "TreeMap"),
    ("tree_set.rs", "TreeSet"),
];

/// The files of the containers that are copied unchanged.
const COPIED: [&str; 5] = [
    "src/lib.rs",
    "src/mutation.rs",
    "src/contexts.rs",
    "src/contexts/maps.rs",
    "src/contexts/collections.rs",
];

/// Makes the copy and runs the example in it.
pub fn run(root: &Path, arguments: &[String]) -> ExitCode {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = Copy { containers: root.join("studies/containers"), to: target.join("mutants"), target };
    match copy.make(root) {
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
        Ok(()) => {
            let status =
                copy.cargo("run").args(["--release", "--example", "mutants", "--"]).args(arguments).status();
            if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
    }
}

struct Copy {
    containers: PathBuf,
    to: PathBuf,
    target: PathBuf,
}

impl Copy {
    fn make(&self, root: &Path) -> Result<(), String> {
        for file in COPIED {
            let is_kept =
                |line: &&str| !prepare::LEFT_OUT.iter().any(|name| *line == format!("pub mod {name};"));
            let kept: String =
                self.read(file)?.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect();
            self.write(file, &kept)?;
        }
        let examples = self.containers.join("examples/mutants");
        for entry in fs::read_dir(&examples).map_err(|e| format!("{}: {e}", examples.display()))?.flatten() {
            let name = format!("examples/mutants/{}", entry.file_name().to_string_lossy());
            self.write(&name, &self.read(&name)?)?;
        }
        self.write("Cargo.toml", &manifest(root))?;
        let lock = fs::read_to_string(root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
        self.write("Cargo.lock", &lock)?;
        let mut excluded = BTreeSet::new();
        loop {
            let (candidates, texts) = self.schemata(&excluded)?;
            let errors = self.errors()?;
            if errors.is_empty() {
                println!(
                    "{} candidates, {} of them do not compile, {} mutants",
                    candidates.len(),
                    excluded.len(),
                    candidates.len() - excluded.len()
                );
                return Ok(());
            }
            let before = excluded.len();
            exclude(&errors, &texts, &candidates, &mut excluded);
            if excluded.len() == before {
                let shown: Vec<_> = errors.iter().take(5).map(|error| &*error.message).collect();
                return Err(format!(
                    "the copy does not compile, and no mutant is to blame:\n{}",
                    shown.join("\n")
                ));
            }
        }
    }

    /// Writes the files with mutants, and the table of mutants.
    fn schemata(&self, excluded: &BTreeSet<u32>) -> Result<(Vec<Candidate>, Vec<String>), String> {
        let mut schemata = Schemata::new(excluded);
        let mut texts = vec![];
        for (file, container) in FILES {
            let name = format!("src/{file}");
            let text = schemata.file(container, &self.read(&name)?).map_err(|e| format!("{name}: {e}"))?;
            self.write(&name, &text)?;
            texts.push(text);
        }
        self.write("src/mutation/table.rs", &table(&schemata.candidates, excluded))?;
        Ok((schemata.candidates, texts))
    }

    /// The errors of the compiler.
    fn errors(&self) -> Result<Vec<Message>, String> {
        let output = self
            .cargo("check")
            .args(["--lib", "--message-format=json"])
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let errors: Vec<Message> = text.lines().filter_map(Message::read).collect();
        if errors.is_empty() && !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(errors)
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.arg(command).arg("--quiet").arg("--manifest-path").arg(self.to.join("Cargo.toml"));
        cargo.env("CARGO_TARGET_DIR", &self.target);
        cargo
    }

    fn read(&self, file: &str) -> Result<String, String> {
        fs::read_to_string(self.containers.join(file)).map_err(|e| format!("{file}: {e}"))
    }

    /// Writes a file, unless it is unchanged, so that it is not built again.
    fn write(&self, file: &str, text: &str) -> Result<(), String> {
        let path = self.to.join(file);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        let parent = path.parent().expect("a file lies in a directory");
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|e| format!("{}: {e}", path.display()))
    }
}

/// An error of the compiler.
struct Message {
    message: String,
    file: String,
    lines: Vec<usize>,
}

impl Message {
    /// From a line of cargo's output.
    fn read(line: &str) -> Option<Message> {
        if !line.starts_with("{\"reason\":\"compiler-message\"") {
            return None;
        }
        // The places of the error follow its level, those of notes precede it.
        let own = &line[line.find("\"level\":\"error\"")?..];
        let file = between(own, "\"file_name\":\"", "\"")?;
        let lines = own.match_indices("\"line_start\":").filter_map(|(at, key)| {
            let rest = &own[at + key.len()..];
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
        });
        let message = between(line, "\"rendered\":\"", "\\n")?.to_owned();
        Some(Message { message, file: file.to_owned(), lines: lines.collect() })
    }
}

fn between<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    let rest = &text[text.find(begin)? + begin.len()..];
    Some(&rest[..rest.find(end)?])
}

/// Excludes the alternatives that errors are about. An error elsewhere is a consequence of a statement that was left out. So,
/// step by step, the function keeps the statements that leave a block, then all statements, then everything.
fn exclude(errors: &[Message], texts: &[String], candidates: &[Candidate], excluded: &mut BTreeSet<u32>) {
    let before = excluded.clone();
    let mut functions = BTreeSet::new();
    for error in errors {
        let Some(text) = FILES.iter().position(|(file, _)| error.file.ends_with(&format!("src/{file}")))
        else {
            continue;
        };
        let places: Vec<_> = error.lines.iter().map(|line| place(&texts[text], *line)).collect();
        let numbers: Vec<u32> = places.iter().filter_map(|(number, _)| *number).collect();
        if numbers.is_empty() {
            functions.extend(places.into_iter().filter_map(|(_, function)| function));
        }
        excluded.extend(numbers);
    }
    if *excluded != before {
        // The others may be consequences.
        return;
    }
    for function in functions {
        let own = |candidate: &&(usize, &Candidate)| {
            candidate.1.function == function && !before.contains(&(candidate.0 as u32 + 1))
        };
        let own: Vec<_> = candidates.iter().enumerate().filter(|candidate| own(&candidate)).collect();
        let is_ending = |candidate: &Candidate| candidate.is_ending;
        let is_statement = |candidate: &Candidate| candidate.operator == "statement";
        let choices: [&dyn Fn(&Candidate) -> bool; 3] = [&is_ending, &is_statement, &|_| true];
        let chosen = choices.into_iter().find(|choice| own.iter().any(|(_, candidate)| choice(candidate)));
        if let Some(choice) = chosen {
            let numbers = own.iter().filter(|(_, candidate)| choice(candidate)).map(|(i, _)| *i as u32 + 1);
            excluded.extend(numbers);
        }
    }
}

fn table(candidates: &[Candidate], excluded: &BTreeSet<u32>) -> String {
    let mut text = String::from("use super::Mutant;\npub(super) static MUTANTS: &[Mutant] = &[\n");
    for (number, candidate) in (1u32..).zip(candidates).filter(|(number, _)| !excluded.contains(number)) {
        let Candidate { container, function, operator, change, .. } = candidate;
        let _ = writeln!(
            text,
            "    Mutant {{ number: {number}, container: {container:?}, function: {function:?}, operator: {operator:?}, change: {change:?} }},"
        );
    }
    text + "];\n"
}

/// The copy is a separate crate with the same name, which depends only on call sequences. Additions that overflow panic, as
/// in tests.
fn manifest(root: &Path) -> String {
    let sequences = root.join("crates/sequences");
    format!(
        "[package]\nname = \"smallscope-containers\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n\
         [dependencies]\nsmallscope-sequences = {{ path = {sequences:?} }}\n\n\
         [profile.release.package.smallscope-containers]\noverflow-checks = true\n\n\
         [lints.rust]\nwarnings = \"allow\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(function: &str, operator: &'static str, is_ending: bool) -> Candidate {
        Candidate {
            container: "Stack",
            function: function.into(),
            operator,
            change: String::new(),
            is_ending,
        }
    }

    #[test]
    fn errors_are_read_with_their_own_places() {
        let line = r#"{"reason":"compiler-message","message":{"rendered":"error: no\n --> x","children":[{"level":"note","spans":[{"file_name":"src/other.rs","line_start":9}]}],"level":"error","message":"no","spans":[{"file_name":"src/stack.rs","line_start":3,"line_end":3},{"file_name":"src/stack.rs","line_start":14}]}}"#;
        let error = Message::read(line).unwrap();
        assert_eq!(
            (&*error.message, &*error.file, &error.lines[..]),
            ("error: no", "src/stack.rs", &[3, 14][..])
        );
        assert!(Message::read(&line.replace("\"level\":\"error\"", "\"level\":\"warning\"")).is_none());
    }

    /// First the place of an error, then, function by function, its possible causes.
    #[test]
    fn what_does_not_compile_is_left_out_step_by_step() {
        let stack = FILES.iter().position(|(file, _)| *file == "stack.rs").unwrap();
        let mut texts = vec![String::new(); FILES.len()];
        texts[stack] =
            "const FUNCTION : & str = \"Stack::pop\" ;\n1u32 => { a }\n0u32 ..= 4294967295u32 => { b }"
                .to_owned();
        let candidates = [
            candidate("Stack::pop", "operator", false),
            candidate("Stack::pop", "statement", true),
            candidate("Stack::pop", "statement", false),
            candidate("Stack::push", "statement", true),
        ];
        let error = |line| Message { message: String::new(), file: "src/stack.rs".into(), lines: vec![line] };
        let mut excluded = BTreeSet::new();
        exclude(&[error(2), error(3)], &texts, &candidates, &mut excluded);
        assert_eq!(excluded, BTreeSet::from([1]));
        for expected in [&[1, 2][..], &[1, 2, 3], &[1, 2, 3]] {
            exclude(&[error(3)], &texts, &candidates, &mut excluded);
            assert!(excluded.iter().eq(expected), "{excluded:?}");
        }
    }
}
