//! The mistakes of a directory, and what became of each.

use crate::compiler::Compiler;
use crate::difference::difference;
use crate::normal::normal;
use crate::rules;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// Checks, or records, all mistakes in a directory of the package and in those below it.
///
/// # Panics
///
/// If one of them compiles, has other messages than those that were recorded, or breaks a rule; if messages are of a mistake
/// that is not there; if there are no mistakes at all.
pub fn mistakes_in(directory: &str, compiler: &Compiler<'_>) {
    let is_recording = match std::env::var(crate::VARIABLE) {
        Err(_) => false,
        Ok(value) if value == "record" => true,
        Ok(value) => panic!("{}={value}: the only value is `record`", crate::VARIABLE),
    };
    let mut files = Vec::new();
    collect(compiler.package, Path::new(directory), &mut files)
        .unwrap_or_else(|e| panic!("{directory}: {e}"));
    files.sort();
    let with = |extension: &str| -> Vec<&PathBuf> {
        files.iter().filter(|file| file.extension() == Some(OsStr::new(extension))).collect()
    };
    let cases = with("rs");
    assert!(!cases.is_empty(), "{directory}: there is no mistake in this directory");

    let mut failures: Vec<String> = with("stderr")
        .into_iter()
        .filter(|file| !files.contains(&file.with_extension("rs")))
        .map(|file| format!("{}: messages of a mistake that is not there", file.display()))
        .collect();
    let exceptions = Exceptions::read(&compiler.package.join(directory));
    failures.extend(on_all_cores(&cases, |case| check(case, compiler, &exceptions, is_recording).err()));
    failures.extend(exceptions.unknown(directory, &cases));
    let (failed, all) = (failures.len(), cases.len());
    assert!(failures.is_empty(), "{failed} failures in {all} mistakes\n\n{}\n", failures.join("\n\n"));
}

/// Relative to the package.
fn collect(package: &Path, directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(package.join(directory))? {
        let entry = entry?;
        let path = directory.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(package, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// What a function has to say about the cases, in their order.
fn on_all_cores(cases: &[&PathBuf], judge: impl Fn(&Path) -> Option<String> + Sync) -> Vec<String> {
    let next = Mutex::new(cases.iter().enumerate());
    let said = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some((at, case)) = next.lock().unwrap().next() else { break };
                    if let Some(text) = judge(case) {
                        said.lock().unwrap().push((at, text));
                    }
                }
            });
        }
    });
    let mut said = said.into_inner().unwrap();
    said.sort();
    said.into_iter().map(|(_, text)| text).collect()
}

/// The mistakes whose messages need not follow the rules, with the reasons.
struct Exceptions(Vec<(String, String)>);

impl Exceptions {
    fn read(directory: &Path) -> Exceptions {
        let text = fs::read_to_string(directory.join("exceptions.txt")).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let parts = lines.map(|line| line.split_once(": ").unwrap_or_else(|| panic!("{line}: no reason")));
        Exceptions(parts.map(|(name, reason)| (name.to_owned(), reason.to_owned())).collect())
    }

    fn has(&self, case: &Path) -> bool {
        self.0.iter().any(|(name, _)| case.ends_with(name))
    }

    /// Exceptions for mistakes that are not there.
    fn unknown(&self, directory: &str, cases: &[&PathBuf]) -> Vec<String> {
        let is_unknown = |name: &&String| !cases.iter().any(|case| case.ends_with(name));
        let unknown = self.0.iter().map(|(name, _)| name).filter(is_unknown);
        unknown.map(|name| format!("{directory}/exceptions.txt: {name} is not there")).collect()
    }
}

fn check(
    case: &Path,
    compiler: &Compiler<'_>,
    exceptions: &Exceptions,
    is_recording: bool,
) -> Result<(), String> {
    let name = case.display();
    let errors = compiler.errors(case).map_err(|e| format!("{name}: the compiler does not run: {e}"))?;
    let errors = errors.ok_or_else(|| format!("{name}: compiles, but it should not"))?;
    let actual = normal(&errors, case, compiler);
    let broken = rules::broken(&actual, &name.to_string().replace('\\', "/"));
    let follow = match (exceptions.has(case), broken.is_empty()) {
        (true, true) => Err(format!("{name}: follows the rules, so it is no exception any more")),
        (false, false) => Err(format!("{name}: {}", broken.join("; "))),
        _ => Ok(()),
    };
    compare(case, &actual, compiler, is_recording).and(follow)
}

/// Compares messages with those that were recorded, or records them.
fn compare(case: &Path, actual: &str, compiler: &Compiler<'_>, is_recording: bool) -> Result<(), String> {
    let name = case.display();
    let record = compiler.package.join(case.with_extension("stderr"));
    let how = format!("`{}=record` records them", crate::VARIABLE);
    match fs::read_to_string(&record) {
        Ok(expected) if expected.replace("\r\n", "\n") == actual => Ok(()),
        _ if is_recording => {
            println!("{name}: recorded");
            fs::write(&record, actual).map_err(|e| format!("{}: {e}", record.display()))
        }
        Ok(expected) => {
            let lines = difference(&expected, actual);
            Err(format!("{name}: other messages than those that were recorded (-); {how}\n{lines}"))
        }
        Err(error) => {
            let lines = difference("", actual);
            Err(format!("{name}: no messages to compare with ({error}); {how}\n{lines}"))
        }
    }
}
