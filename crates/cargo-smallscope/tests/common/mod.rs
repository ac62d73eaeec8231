//! Running the tool, for the tests.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The tool, in a directory, without what the environment of these tests would mean to it.
pub fn tool(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-smallscope"));
    command.current_dir(directory).env_remove("RUST_BACKTRACE");
    command
}

/// What the tool came to.
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

/// A directory for one test. There is no `Cargo.toml` in it, but maybe above.
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

    /// What the tool prints when it does as asked.
    pub fn ok(&self, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments}: {ended:?}");
        ended.stdout
    }

    /// What the tool prints as JSON when it does as asked.
    pub fn json(&self, arguments: &str) -> serde_json::Value {
        let text = self.ok(arguments);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments}: {error}: {text}"))
    }

    /// The message of the tool when it does not do as asked, for the right reason.
    pub fn error(&self, code: i32, arguments: &str) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, code, "{arguments}: {ended:?}");
        assert_eq!(ended.stdout, "", "{arguments}: errors belong to standard error");
        ended.stderr
    }
}
