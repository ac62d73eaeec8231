//! Compiles one file the way the test itself was compiled.

use std::io;
use std::path::Path;
use std::process::Command;

/// The compiler of a test.
pub struct Compiler<'a> {
    /// Its executable.
    pub program: &'a Path,
    /// Where it finds the crates that the test is linked with.
    pub arguments: &'a [&'a str],
    /// The directory of the package that the test is in, two below that of the workspace.
    pub package: &'a Path,
    /// Where artifacts go.
    pub scratch: &'a Path,
}

impl Compiler<'_> {
    /// Whether it is this version, as in `1.95`. Says so if it is not.
    pub fn is_version(&self, version: &str) -> bool {
        let output = self.command().arg("--version").output().expect("the compiler runs");
        let expected = format!("rustc {version}.");
        let is_it = String::from_utf8_lossy(&output.stdout).starts_with(&expected);
        if !is_it {
            eprintln!("skipped: the messages are those of {expected}*");
        }
        is_it
    }

    /// Where cargo runs it for all packages. Artifacts have paths relative to this in them.
    pub(crate) fn workspace(&self) -> &Path {
        self.package.ancestors().nth(2).expect("packages are two below the workspace")
    }

    /// What it says about a file of the package, or `None` if there is nothing wrong with the file.
    pub(crate) fn errors(&self, file: &Path) -> io::Result<Option<String>> {
        let output = self
            .command()
            .args(["--edition=2024", "--crate-type=bin", "--crate-name=mistake", "--emit=metadata"])
            .args(["--color=never", "--diagnostic-width=140", "--allow=dead_code", "--out-dir"])
            .arg(self.scratch)
            .args(self.arguments)
            .arg(self.package_in_workspace().join(file))
            .output()?;
        Ok((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    /// Such as `crates/smallscope`.
    pub(crate) fn package_in_workspace(&self) -> &Path {
        self.package.strip_prefix(self.workspace()).expect("the workspace is above its packages")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.program);
        command.current_dir(self.workspace()).env_remove("RUST_BACKTRACE");
        command
    }
}
