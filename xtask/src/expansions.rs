//! `cargo xtask expansions [<rustc>]`: what the macros emit compiles in a user's crate, in each edition.
//!
//! The crate is `testing/expansions/lib.rs`. Without a compiler, the tests of the crate are run in each edition, clippy's
//! pedantic lints are silent about what they are not about without the macros, and a build with `panic = "abort"` passes, in
//! which the program `testing/expansions/abort.rs` searches without a panic. With a compiler, usually the oldest that is
//! supported, the crate and its tests are checked with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const EDITIONS: [&str; 3] = ["2018", "2021", "2024"];

/// Lints about the crate itself, which says the same in all editions, and not about what the macros emit.
const ABOUT_THE_CRATE: [&str; 2] = ["clippy::unnecessary_map_or", "clippy::should_panic_without_expect"];

/// Builds and tests, or checks with a compiler.
pub fn run(root: &Path, compiler: Option<&str>) -> ExitCode {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let result = write(root, &target.join("expansions")).and_then(|workspace| {
        let crates = Crates { workspace, target };
        match compiler {
            Some(compiler) => crates.check_with(compiler),
            None => crates.test().and_then(|()| crates.lint()).and_then(|()| crates.abort()),
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a workspace with a crate for each edition, all with the same source. Returns its folder.
fn write(root: &Path, folder: &Path) -> Result<PathBuf, String> {
    let source = root.join("testing/expansions/lib.rs");
    let (smallscope, program) = (root.join("crates/smallscope"), root.join("testing/expansions/abort.rs"));
    let mut members = vec![];
    let write = |file: PathBuf, text: String| {
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&file, text))
            .map_err(|error| format!("{}: {error}", file.display()))
    };
    for edition in EDITIONS {
        let name = format!("edition-{edition}");
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = {edition:?}\n\n[lib]\npath = {source:?}\n\n\
             [[bin]]\nname = \"abort-{edition}\"\npath = {program:?}\ntest = false\n\n\
             [dependencies.smallscope]\npath = {smallscope:?}\n\
             features = [\"cover\", \"criteria\", \"mutate\", \"sequences\", \"statements\", \"suites\", \"summaries\"]\n"
        );
        write(folder.join(&name).join("Cargo.toml"), manifest)?;
        members.push(name);
    }
    write(folder.join("Cargo.toml"), format!("[workspace]\nresolver = \"2\"\nmembers = {members:?}\n"))?;
    // The versions that the repository is tested with.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    Ok(folder.to_owned())
}

struct Crates {
    workspace: PathBuf,
    target: PathBuf,
}

impl Crates {
    fn test(&self) -> Result<(), String> {
        done(self.cargo("test", "").args(["--workspace", "--quiet", "--lib"]), "the tests fail")
    }

    fn lint(&self) -> Result<(), String> {
        let mut command = self.cargo("clippy", "");
        command.args(["--workspace", "--quiet", "--all-targets", "--", "-W", "clippy::pedantic"]);
        for lint in ABOUT_THE_CRATE {
            command.args(["-A", lint]);
        }
        done(&mut command, "clippy has findings in what the macros emit")
    }

    fn abort(&self) -> Result<(), String> {
        let mut command = self.cargo("check", "abort");
        command.args(["--workspace", "--quiet", "--lib"]).env("CARGO_PROFILE_DEV_PANIC", "abort");
        done(&mut command, "the crate does not compile with panic = \"abort\"")?;
        let mut command = self.cargo("run", "abort");
        command.args(["--quiet", "-p", "edition-2024"]).env("CARGO_PROFILE_DEV_PANIC", "abort");
        done(&mut command, "the program does not search with panic = \"abort\"")
    }

    fn check_with(&self, compiler: &str) -> Result<(), String> {
        let mut command = self.cargo("check", "oldest");
        command.args(["--workspace", "--quiet", "--all-targets"]).env("RUSTC", compiler);
        done(&mut command, &format!("the crate does not compile with {compiler}"))
    }

    fn cargo(&self, command: &str, target: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.arg(command).current_dir(&self.workspace);
        cargo
            .env("CARGO_TARGET_DIR", self.target.join(target))
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        cargo
    }
}

fn done(command: &mut Command, problem: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(problem.to_owned()),
        Err(error) => Err(format!("cargo cannot be run: {error}")),
    }
}
