//! Runs the tool, for the tests.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns a command for the tool in a directory, without the variables of these tests.
pub fn tool(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-smallscope"));
    command.current_dir(directory).env_remove("RUST_BACKTRACE");
    command
}

/// Returns a link to the repository, at the same path as in `smallscope/tests/first_ten_minutes.rs`, so that what all crates
/// of users need is compiled once.
#[cfg(unix)]
pub fn link_to(repository: &Path) -> PathBuf {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    env!("CARGO_TARGET_TMPDIR").hash(&mut hasher);
    let shelf = std::env::temp_dir().join(format!("smallscope-user-crates-{:016x}", hasher.finish()));
    std::fs::create_dir_all(&shelf).unwrap();
    let link = shelf.join("smallscope");
    if std::fs::read_link(&link).ok().as_deref() != Some(repository) {
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(repository, &link).unwrap();
    }
    link
}

/// The result of the tool.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Ended {
        Ended {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A directory for one test. It has no `Cargo.toml`, but a directory above may have one.
pub struct Desk(pub PathBuf);

impl Desk {
    /// An empty directory.
    pub fn new(name: &str) -> Desk {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        Desk(directory)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs the tool with words separated by spaces.
    pub fn run(&self, arguments: &str) -> Ended {
        tool(&self.0).args(arguments.split_whitespace()).output().unwrap().into()
    }

    /// Returns what the tool prints, and checks that it succeeded.
    pub fn ok(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        ended.stdout
    }

    /// Returns what the tool prints as JSON, and checks that it succeeded.
    pub fn json(&self, arguments: &str) -> serde_json::Value {
        let text = self.ok(arguments);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments}: {error}: {text}"))
    }

    /// Returns the error of the tool, and checks its exit code.
    pub fn error(&self, code: i32, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, code, "{arguments}: {ended:?}");
        assert_eq!(ended.stdout, "", "{arguments}: errors belong to standard error");
        ended.stderr
    }
}
