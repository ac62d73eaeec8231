//! The book's chapter "Your first ten minutes", followed literally: its commands are run, its listings are
//! written, its outputs are compared, in a fresh directory outside of the workspace. README.md repeats the report.
#![cfg(unix)]

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

const CHAPTER: &str = include_str!("../../../book/src/first-ten-minutes.md");
const README: &str = include_str!("../../../README.md");

/// A fenced block, with the comment on the line before it and the language behind the fence.
struct Block {
    line: usize,
    comment: String,
    language: String,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = vec![];
    let mut open = false;
    let mut before = "";
    for (i, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(language) if !open => {
                let comment = before.strip_prefix("<!-- ").and_then(|c| c.strip_suffix(" -->")).unwrap_or("");
                blocks.push(Block {
                    line: i + 1,
                    comment: comment.into(),
                    language: language.into(),
                    lines: vec![],
                });
                open = true;
            }
            Some(_) => open = false,
            None if open => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            None => {}
        }
        before = line;
    }
    assert!(!open, "the chapter has a block without an end");
    blocks
}

/// A directory for crates of users, with a link to the repository in it. Not below the target directory, where `cargo new`
/// would make a crate a member of the workspace; and the same place each time, also for the tests of the tool, so that
/// smallscope is compiled once.
fn shelf() -> PathBuf {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_TARGET_TMPDIR").hash(&mut hasher);
    let shelf = env::temp_dir().join(format!("smallscope-user-crates-{:016x}", hasher.finish()));
    fs::create_dir_all(&shelf).unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let link = shelf.join("smallscope");
    if fs::read_link(&link).ok().as_ref() != Some(&repository) {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&repository, &link).unwrap();
    }
    shelf
}

/// The directory in which the reader sits.
struct Desk {
    root: PathBuf,
    directory: PathBuf,
    /// What the last commands have printed.
    output: String,
    /// The fingerprint in the last report: it changes with smallscope's own types.
    fingerprint: Option<String>,
}

impl Desk {
    fn new() -> Desk {
        let root = shelf();
        let _ = fs::remove_dir_all(root.join("first-tree"));
        Desk { directory: root.clone(), root, output: String::new(), fingerprint: None }
    }

    fn run(&mut self, command: &str) {
        if let Some(directory) = command.strip_prefix("cd ") {
            self.directory.push(directory);
            // The same versions as here, which are on this machine already.
            fs::copy(self.root.join("smallscope/Cargo.lock"), self.directory.join("Cargo.lock")).unwrap();
            return;
        }
        let command = match &self.fingerprint {
            Some(fingerprint) => with_fingerprint(command, fingerprint),
            None => command.to_owned(),
        };
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{command} 2>&1")).current_dir(&self.directory);
        let foreign = |name: &str| name.starts_with("SMALLSCOPE_") || name.starts_with("CARGO_PKG_");
        for (name, _) in env::vars().filter(|(name, _)| foreign(name)) {
            shell.env_remove(name);
        }
        for name in
            ["NEXTEST", "RUST_BACKTRACE", "RUST_TEST_THREADS", "RUST_TEST_NOCAPTURE", "CARGO_MANIFEST_DIR"]
        {
            shell.env_remove(name);
        }
        if let Some(cargo) = env::var_os("CARGO") {
            let own = Path::new(&cargo).parent().map(Path::to_owned);
            let paths = env::var_os("PATH").unwrap_or_default();
            let paths = env::join_paths(own.into_iter().chain(env::split_paths(&paths))).unwrap();
            shell.env("PATH", paths);
        }
        // As the crate of the tests of the tool, so that what both need is compiled once. What smallscope depends on is
        // there already.
        shell.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap());
        shell.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
        shell.env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
        let output = shell.output().unwrap_or_else(|e| panic!("`{command}` cannot be run: {e}"));
        self.output = String::from_utf8_lossy(&output.stdout).into_owned();
        let may_fail = command.contains("cargo test");
        assert!(output.status.success() || may_fail, "`{command}` fails:\n{}", self.output);
        if let Some((_, rest)) = self.output.split_once("replay:").and_then(|(_, rest)| rest.split_once('@'))
        {
            self.fingerprint = rest.get(..16).map(str::to_owned);
        }
    }

    /// Replaces the lines of a file that a diff names.
    fn change(&self, file: &str, diff: &[String]) {
        let path = self.directory.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let side = |sign: char| -> String {
            let lines = diff.iter().filter(|l| l.is_empty() || l.starts_with([' ', sign]));
            lines.map(|l| format!("{}\n", l.get(1..).unwrap_or(""))).collect()
        };
        let (old, new) = (side('-'), side('+'));
        assert_eq!(text.matches(&old).count(), 1, "this is not there exactly once:\n{old}\nin:\n{text}");
        fs::write(&path, text.replace(&old, &new)).unwrap();
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.root.join("first-tree"));
    }
}

/// The text with this fingerprint in place of whatever follows an `@`.
fn with_fingerprint(text: &str, fingerprint: &str) -> String {
    let mut parts = text.split('@');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_fingerprint = part.get(..16).is_some_and(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        out.push('@');
        match is_fingerprint {
            true => out.push_str(&format!("{fingerprint}{}", &part[16..])),
            false => out.push_str(part),
        }
    }
    out
}

#[test]
fn the_chapter_can_be_followed_literally() {
    let mut desk = Desk::new();
    for Block { line, comment, language, lines } in blocks(CHAPTER) {
        let block = lines.join("\n");
        match (comment.split_once(": ").unwrap_or((&comment, "")), language.as_str()) {
            (("file", file), "rust") => fs::write(desk.directory.join(file), block + "\n").unwrap(),
            (("change", file), "diff") => desk.change(file, &lines),
            (("output", _), "text") => {
                let masked = "0".repeat(16);
                let (seen, told) =
                    (with_fingerprint(&desk.output, &masked), with_fingerprint(&block, &masked));
                assert!(
                    seen.contains(&told),
                    "line {line} of the chapter says\n{told}\nbut there is\n{seen}"
                );
            }
            (_, "console") => {
                for command in &lines {
                    desk.run(command.strip_prefix("$ ").expect("commands begin with `$ `"));
                }
            }
            _ => panic!("line {line} of the chapter: a block that no test checks"),
        }
    }
}

#[test]
fn the_readme_shows_the_report_of_the_chapter() {
    let is_report = |b: &&Block| b.lines.iter().any(|l| l.starts_with("recorded: "));
    let report = |text: &str| blocks(text).iter().find(is_report).map(|b| b.lines.join("\n"));
    assert!(report(CHAPTER).is_some());
    assert_eq!(report(README), report(CHAPTER));
}
