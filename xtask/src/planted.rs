//! `cargo xtask planted`: deliberate errors in the lazy engine, each of which the tests have to find.
//!
//! The sources are copied, one error at a time is planted in the copy, and the tests of the reference and of core are
//! run there. The tests are good enough if they find all errors.

mod errors;
mod tests;

use errors::Planted;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use tests::{Finding, Tests};

/// Plants all errors, or those with these names. Returns false if the tests miss one, or if one cannot be planted.
pub fn run(root: &Path, names: &[String]) -> bool {
    if let Some(unknown) = names.iter().find(|name| !errors::all().any(|error| error.name == **name)) {
        eprintln!("unknown planted error `{unknown}`; the errors are:");
        errors::all().for_each(|error| eprintln!("    {}", error.name));
        return false;
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let source = target.join("planted/source");
    copy(root, &source);
    let tests = Tests { source: source.clone(), build: target.join("planted/build") };
    let begin = Instant::now();
    // The others take long to build, and are seldom needed.
    match tests.run_first() {
        Finding::Nothing => println!("{:32} the tests pass ({} s)", "(no error)", begin.elapsed().as_secs()),
        finding => {
            println!("{:32} {finding}: without a planted error, too", "(no error)");
            return false;
        }
    }
    let chosen =
        errors::all().filter(|error| names.is_empty() || names.iter().any(|name| error.name == name));
    let mut missed = vec![];
    // Whether the others pass without an error, once that is known.
    let mut others_pass = None;
    for error in chosen {
        let begin = Instant::now();
        let mut finding = plant(error, &source, &tests);
        // A test that fails without the error, too, has not caught it.
        if finding.as_ref().is_some_and(Tests::is_late)
            && !*others_pass.get_or_insert_with(|| matches!(tests.run(), Finding::Nothing))
        {
            println!("{:32} a test fails without a planted error, too", "(no error)");
            finding = None;
        }
        println!(
            "{:32} {} ({} s)",
            error.name,
            finding.as_ref().map_or("MISSED".into(), Finding::to_string),
            begin.elapsed().as_secs()
        );
        if finding.is_none() {
            missed.push(error.name);
        }
    }
    match missed.as_slice() {
        [] => println!("all were caught"),
        missed => println!("{} missed or useless: {}", missed.len(), missed.join(", ")),
    }
    missed.is_empty()
}

/// Plants one error, and returns how it was caught.
fn plant(error: &Planted, source: &Path, tests: &Tests) -> Option<Finding> {
    let file = source.join(error.file);
    let text = fs::read_to_string(&file).unwrap_or_default();
    let places = text.matches(error.old).count();
    if places != 1 {
        println!("{:32} its text is {places} times in {}, not once", error.name, error.file);
        return None;
    }
    write(&file, &text.replace(error.old, error.new));
    let finding = tests.run();
    write(&file, &text);
    match finding {
        Finding::Nothing => None,
        Finding::DoesNotCompile => {
            println!("{:32} does not compile", error.name);
            None
        }
        caught => Some(caught),
    }
}

/// Copies the sources. Unchanged files are not written, so that they are not built again.
fn copy(root: &Path, to: &Path) {
    let mut files = listed(root);
    if files.is_empty() {
        walk(root, Path::new(""), &mut files);
    }
    for file in files {
        let Ok(text) = fs::read(root.join(&file)) else { continue };
        let copy = to.join(&file);
        if fs::read(&copy).ok().as_ref() != Some(&text) {
            let parent = copy.parent().expect("a file lies in a directory");
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&copy, text))
                .expect("the target directory can be written to");
        }
    }
}

/// The files that git tracks, and new ones that it does not ignore.
fn listed(root: &Path) -> Vec<PathBuf> {
    let args = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let Ok(output) = Command::new("git").args(args).current_dir(root).output() else { return vec![] };
    String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).collect()
}

fn walk(root: &Path, dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root.join(dir)).into_iter().flatten().flatten() {
        let path = dir.join(entry.file_name());
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.path().is_dir() && !is_hidden && entry.file_name() != "target" {
            walk(root, &path, files);
        } else if entry.path().is_file() {
            files.push(path);
        }
    }
}

fn write(file: &Path, text: &str) {
    fs::write(file, text).expect("the target directory can be written to");
}
