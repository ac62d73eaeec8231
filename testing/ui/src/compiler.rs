//! Compiles one file the way the test itself was compiled.

use std::io;
use std::path::Path;
use std::process::Command;

/// The compiler of a test.
pub struct Compiler<'a> {
    /// Its executable.
    pub program: &'a Path,
    /// Where it finds its own libraries, as `LD_LIBRARY_PATH` has it.
    pub libraries: &'a str,
    /// Where it finds the crates that the test is linked with.
    pub arguments: &'a [&'a str],
    /// The directory of the package that the test is in, two below that of the workspace.
    pub package: &'a Path,
    /// Where artifacts go.
    pub scratch: &'a Path,
}

impl Compiler<'_> {
    /// Where cargo runs the compiler for all packages. Artifacts have paths relative to this directory in them.
    pub(crate) fn workspace(&self) -> &Path {
        self.package.ancestors().nth(2).expect("packages are two below the workspace")
    }

    /// What the compiler says about a file of the package, or `None` if there is nothing wrong with the file.
    pub(crate) fn errors(&self, file: &Path) -> io::Result<Option<String>> {
        let mut command = Command::new(self.program);
        command.current_dir(self.workspace()).env_remove("RUST_BACKTRACE");
        if !self.libraries.is_empty() {
            command.env("LD_LIBRARY_PATH", self.libraries);
        }
        let output = command
            .args(["--edition=2024", "--test", "--crate-name=mistake", "--emit=metadata"])
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
}
