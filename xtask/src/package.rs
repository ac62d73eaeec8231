//! `cargo xtask package`: packages what is published, and runs a test of a user's crate that depends on the packages.
//!
//! A path in the workspace hides what is missing from a package: a file, a version, a dependency that is only there for
//! tests. So the user's crate gets the files that cargo has packed, and nothing else.

use crate::workspace::{self, Member};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What every package has.
const FILES: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

const MANIFEST: &str = r#"[package]
name = "scratch"
version = "0.1.0"
edition = "2024"

[dev-dependencies]
smallscope = { version = "0.1", features = ["cover", "criteria", "sequences", "suites"] }

[workspace]

[patch.crates-io]
"#;

/// A crate as a user writes it: an invariant, a test that holds, one that fails, and one of calls.
const LIB: &str = r#"//! Depends on packages only.
#![cfg(test)]

use smallscope::sequences::{Builder, Context, Pool};
use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Debug)]
struct SortedSet {
    items: Vec<u8>,
}

#[rep_ok]
impl SortedSet {
    fn rep_ok(&self) -> bool {
        self.items.is_sorted_by(|a, b| a < b)
    }
}

#[smallscope::test(scope = 4)]
fn sets_have_no_duplicates(set: SortedSet) {
    assert!(set.items.windows(2).all(|pair| pair[0] != pair[1]));
}

#[smallscope::test(scope = 4)]
#[should_panic(expected = "fails for a valid value")]
fn no_set_has_two_items(set: SortedSet) {
    assert!(set.items.len() < 2);
}

#[derive(Clone, Debug, Default, Hash)]
pub struct Counter(u8);

#[smallscope::api]
#[smallscope::cover]
impl Counter {
    pub fn new() -> Counter {
        Counter::default()
    }

    pub fn add(&mut self, number: u8) {
        self.0 = (self.0 + number) % 4;
    }
}

#[smallscope::sequences(length = 3)]
fn counters() -> Builder {
    Context::builder()
        .pool(Pool::<Counter>::empty(1).cloned().hashed().shown())
        .pool(Pool::of([1u8, 2]))
        .api::<Counter>()
        .covers::<Counter>()
}
"#;

/// Packages, looks for the files, and runs the tests of the user's crate.
pub fn run(root: &Path) -> ExitCode {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let members = workspace::members(root);
    match pack(root, &members).and_then(|()| check(&target, &members)).and_then(|()| test(&target, &members))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Packages and builds what is in the packages. Members that are not published can depend on each other by path, and
/// cannot be packaged.
fn pack(root: &Path, members: &[Member]) -> Result<(), String> {
    let mut command = cargo(root);
    command.args(["package", "--workspace", "--allow-dirty", "--quiet"]);
    for member in members.iter().filter(|member| !member.is_published) {
        command.args(["--exclude", &member.name]);
    }
    done(command, "the packages do not build")
}

/// Looks for the files that every package has. Licences are links in the repository, and must be files in the packages.
fn check(target: &Path, members: &[Member]) -> Result<(), String> {
    for member in members.iter().filter(|member| member.is_published) {
        for file in FILES {
            let path = unpacked(target, member).join(file);
            let is_file =
                fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
            if !is_file {
                return Err(format!("the package of `{}` has no file {file}", member.name));
            }
        }
    }
    Ok(())
}

fn test(target: &Path, members: &[Member]) -> Result<(), String> {
    let scratch = target.join("package-scratch");
    let mut manifest = MANIFEST.to_owned();
    for member in members.iter().filter(|member| {
        member.is_published && member.folder.starts_with("crates/") && !member.name.starts_with("cargo-")
    }) {
        manifest.push_str(&format!("{} = {{ path = {:?} }}\n", member.name, unpacked(target, member)));
    }
    let written = fs::create_dir_all(scratch.join("src"))
        .and_then(|()| fs::write(scratch.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(scratch.join("src/lib.rs"), LIB));
    written.map_err(|error| format!("{}: {error}", scratch.display()))?;
    // The test that fails leaves a record, which would be tried first.
    let _ = fs::remove_dir_all(scratch.join("smallscope-regressions"));
    let mut command = cargo(&scratch);
    command.args(["test", "--quiet"]).env("CARGO_TARGET_DIR", target);
    done(command, "a crate that depends on the packages fails its tests")
}

/// The folder into which cargo has unpacked a package to build it.
fn unpacked(target: &Path, member: &Member) -> PathBuf {
    target.join("package").join(format!("{}-{}", member.name, env!("CARGO_PKG_VERSION")))
}

/// Without debug information, which nothing reads here.
fn cargo(directory: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(directory).env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    command
}

fn done(mut command: Command, problem: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(problem.to_owned()),
        Err(error) => Err(format!("cargo cannot be run: {error}")),
    }
}
