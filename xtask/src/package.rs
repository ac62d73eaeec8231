//! `cargo xtask package`: packages what is published, builds each package alone, and runs the tests of two
//! crates that depend on the packages, with all features and with none.
//!
//! A path in the workspace hides what is missing from a package: a file, a version, a feature, a dependency that is only
//! there for tests. So everything here is built from the files that cargo has packed, and nothing else. Cargo can verify
//! packages, too, but takes sources that an earlier run has unpacked if the version is the same.

use crate::workspace::{self, Member};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What every package has.
const FILES: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// A crate that depends on the packages, by their versions.
const MANIFEST: &str = r#"[package]
name = "scratch"
version = "0.1.0"
edition = "2024"

[dev-dependencies]
smallscope = { version = "0.1", features = ["cover", "criteria", "sequences", "suites", "summaries"] }
"#;

/// A crate that needs no feature.
const PLAIN_MANIFEST: &str = r#"[package]
name = "plain"
version = "0.1.0"
edition = "2024"

[dev-dependencies]
smallscope = "0.1"
"#;

/// A test without features, and what a check answers that needs one.
const PLAIN_LIB: &str = r#"//! Depends on packages only, without features.
#![cfg(test)]

use smallscope::Check;

#[smallscope::test(scope = 3)]
fn reversing_twice_changes_nothing(items: Vec<u8>) {
    assert!(items.iter().rev().rev().eq(&items));
}

#[test]
fn checks_name_the_feature_that_they_need() {
    let some = Check::new("some", 2).criterion("cdc").per_class(1).run(|_: Vec<u8>| {});
    assert!(format!("{:?}", some.verdict).contains("criteria"), "{:?}", some.verdict);
    let saved = Check::new("saved", 2).suite("none.suite").run(|_: Vec<u8>| {});
    assert!(format!("{:?}", saved.verdict).contains("suites"), "{:?}", saved.verdict);
}
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

/// Packages, looks for the files, builds, and runs the tests of the users' crates.
pub fn run(root: &Path) -> ExitCode {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let members = workspace::members(root).into_iter().filter(|member| member.is_published).collect();
    let packages = Packages { folder: target.join("packages"), target, members };
    let result = packages
        .pack(root)
        .and_then(|()| packages.unpack())
        .and_then(|()| packages.write(root))
        .and_then(|()| packages.build())
        .and_then(|()| packages.test());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

struct Packages {
    target: PathBuf,
    /// Where the packages are unpacked: a workspace.
    folder: PathBuf,
    members: Vec<Member>,
}

impl Packages {
    /// Packages all members, also those that are not published.
    fn pack(&self, root: &Path) -> Result<(), String> {
        let mut command = self.cargo(root);
        command.args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
        done(&mut command, "not everything can be packaged")
    }

    /// Unpacks the packages, and looks for the files that each one has. Licences are links in the repository, and must be
    /// files in the packages.
    fn unpack(&self) -> Result<(), String> {
        for member in &self.members {
            let name = versioned(member);
            let to = self.folder.join(&name);
            let _ = fs::remove_dir_all(&to);
            fs::create_dir_all(&self.folder)
                .map_err(|error| format!("{}: {error}", self.folder.display()))?;
            let mut command = Command::new("tar");
            command.arg("-xzf").arg(self.target.join("package").join(format!("{name}.crate")));
            done(
                command.arg("-C").arg(&self.folder),
                &format!("the package of `{}` cannot be unpacked", member.name),
            )?;
            for file in FILES {
                let is_file =
                    fs::symlink_metadata(to.join(file)).is_ok_and(|file| file.is_file() && file.len() > 0);
                if !is_file {
                    return Err(format!("the package of `{}` has no file {file}", member.name));
                }
            }
        }
        Ok(())
    }

    /// Writes the users' crates, and the workspace, in which versions mean the unpacked packages.
    fn write(&self, root: &Path) -> Result<(), String> {
        let names: Vec<String> = self.members.iter().map(versioned).collect();
        let mut workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"plain\", \"scratch\"".to_owned();
        names.iter().for_each(|name| workspace.push_str(&format!(", {name:?}")));
        workspace.push_str("]\n\n[patch.crates-io]\n");
        for (member, name) in self.members.iter().zip(&names) {
            workspace.push_str(&format!("{} = {{ path = {name:?} }}\n", member.name));
        }
        let write = |file: &str, text: &str| {
            let path = self.folder.join(file);
            let parent = path.parent().unwrap_or(&self.folder);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, text))
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        write("Cargo.toml", &workspace)?;
        write("plain/Cargo.toml", PLAIN_MANIFEST)?;
        write("plain/src/lib.rs", PLAIN_LIB)?;
        write("scratch/Cargo.toml", MANIFEST)?;
        write("scratch/src/lib.rs", LIB)?;
        // The versions that the repository is tested with.
        let lock =
            fs::read_to_string(root.join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
        write("Cargo.lock", &lock)
    }

    /// Builds each package alone: together they would get features from each other.
    fn build(&self) -> Result<(), String> {
        for member in &self.members {
            let mut command = self.cargo(&self.folder);
            command.args(["check", "--quiet", "-p", &member.name]);
            done(&mut command, &format!("the package of `{}` does not compile", member.name))?;
        }
        Ok(())
    }

    fn test(&self) -> Result<(), String> {
        // The test that fails leaves a record, which would be tried first.
        let _ = fs::remove_dir_all(self.folder.join("scratch/smallscope-regressions"));
        for name in ["plain", "scratch"] {
            let mut command = self.cargo(&self.folder);
            command.args(["test", "--quiet", "-p", name]);
            done(
                &mut command,
                &format!("the crate `{name}`, which depends on the packages, fails its tests"),
            )?;
        }
        Ok(())
    }

    /// Without debug information, which nothing reads here.
    fn cargo(&self, directory: &Path) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(directory).env("CARGO_TARGET_DIR", &self.target);
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        command
    }
}

/// The name of a package's file and folder.
fn versioned(member: &Member) -> String {
    format!("{}-{}", member.name, env!("CARGO_PKG_VERSION"))
}

fn done(command: &mut Command, problem: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(problem.to_owned()),
        Err(error) => Err(format!("{problem}: {error}")),
    }
}
