//! `cargo xtask compile-cost`: what a user pays for a clean debug build and run of a small test crate with smallscope, and
//! with proptest, in processor time, measured one after the other in one run.
//!
//! The crate is the same type with the same test. What is downloaded is downloaded before. Processor time includes all
//! processes that cargo starts, so it does not depend on how many cores there are, but it does depend on what else runs on
//! them: measure on a quiet machine. Two builds of the same crate differ by up to a tenth there, so both are built several
//! times in turn, and their sums are compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// With `--check`, more than this many times the time with proptest is a failure.
const MOST: f64 = 1.25;

/// How often each is built.
const ROUNDS: u32 = 3;

/// Clock ticks per second in `/proc`; the same on all Linux systems.
const TICKS: f64 = 100.0;

const SMALLSCOPE: &str = include_str!("compile_cost/smallscope.rs");
const PROPTEST: &str = include_str!("compile_cost/proptest.rs");

/// Measures both and prints them. With `check`, a ratio that is too large is a failure.
pub fn run(root: &Path, check: bool) -> ExitCode {
    match ratio(root) {
        Ok(ratio) => {
            println!("ratio       {ratio:.2}, at most {MOST}");
            if check && ratio > MOST { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn ratio(root: &Path) -> Result<f64, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = target.join("compile-cost");
    let path = root.join("crates/smallscope");
    let smallscope = prepared(&folder, "smallscope", &format!("{{ path = {path:?} }}"), SMALLSCOPE)?;
    let proptest = prepared(&folder, "proptest", "\"1\"", PROPTEST)?;
    let (mut ours, mut theirs) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        ours += measured(&smallscope, "smallscope")?;
        theirs += measured(&proptest, "proptest")?;
    }
    Ok(ours / theirs)
}

/// A crate with a dev-dependency, with everything downloaded.
fn prepared(folder: &Path, name: &str, dependency: &str, source: &str) -> Result<PathBuf, String> {
    let directory = folder.join(name);
    let manifest = format!(
        "[package]\nname = \"cost-of-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dev-dependencies]\n\
         {name} = {dependency}\n\n[workspace]\n"
    );
    fs::create_dir_all(directory.join("src"))
        .and_then(|()| fs::write(directory.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(directory.join("src/lib.rs"), source))
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    let fetched = cargo(&directory).args(["fetch", "--quiet"]).status();
    match fetched {
        Ok(status) if status.success() => Ok(directory),
        _ => Err(format!("what `{name}` needs cannot be downloaded")),
    }
}

/// The seconds of processor time of a clean build and of the test.
fn measured(directory: &Path, name: &str) -> Result<f64, String> {
    let _ = fs::remove_dir_all(directory.join("target"));
    let before = seconds_of_children()?;
    let status = cargo(directory).args(["test", "--quiet", "--lib", "--offline"]).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err(format!("the crate that depends on `{name}` fails its test"));
    }
    let seconds = seconds_of_children()? - before;
    println!("{name:11} {seconds:.1} s of processor time");
    Ok(seconds)
}

/// As a user runs it: with the default profile, without settings of this workspace. Cargo builds crates from a registry
/// without incremental compilation, but crates that are found by path with it, so it is off for both.
fn cargo(directory: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(directory).env("CARGO_TARGET_DIR", directory.join("target"));
    command.env("CARGO_INCREMENTAL", "0");
    for variable in ["CARGO_PROFILE_DEV_DEBUG", "RUSTFLAGS", "RUSTC_WRAPPER"] {
        command.env_remove(variable);
    }
    command
}

/// The processor time of all children that have ended, and of theirs.
fn seconds_of_children() -> Result<f64, String> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|error| format!("needs Linux: {error}"))?;
    children(&stat).ok_or_else(|| "/proc/self/stat has an unexpected form".to_owned())
}

/// Fields 16 and 17, counted from 1. The second one, the name, may contain spaces, and ends with a parenthesis.
fn children(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let user: f64 = fields.get(13)?.parse().ok()?;
    let system: f64 = fields.get(14)?.parse().ok()?;
    Some((user + system) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_children_is_read() {
        let stat = "7 (a name) ) S 1 7 7 0 -1 4194304 5 6 0 0 10 20 300 45 20 0 1 0";
        assert_eq!(children(stat), Some(3.45));
    }
}
