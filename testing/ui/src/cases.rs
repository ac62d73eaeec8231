//! The mistakes of a directory, and what became of each.

use crate::compiler::Compiler;
use crate::difference::difference;
use crate::normal::normal;
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
/// If one of them compiles or has other messages than those that were recorded; if messages are of a mistake that is not
/// there; if there are no mistakes at all.
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
    failures.extend(on_all_cores(&cases, |case| check(case, compiler, is_recording).err()));
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

fn check(case: &Path, compiler: &Compiler<'_>, is_recording: bool) -> Result<(), String> {
    let name = case.display();
    let errors = compiler.errors(case).map_err(|e| format!("{name}: the compiler does not run: {e}"))?;
    let errors = errors.ok_or_else(|| format!("{name}: compiles, but it should not"))?;
    let actual = normal(&errors, case, compiler);
    let record = compiler.package.join(case.with_extension("stderr"));
    let how = format!("`{}=record` records them", crate::VARIABLE);
    match fs::read_to_string(&record) {
        Ok(expected) if expected.replace("\r\n", "\n") == actual => Ok(()),
        _ if is_recording => {
            println!("{name}: recorded");
            fs::write(&record, actual).map_err(|e| format!("{}: {e}", record.display()))
        }
        Ok(expected) => {
            let lines = difference(&expected, &actual);
            Err(format!("{name}: other messages than those that were recorded (-); {how}\n{lines}"))
        }
        Err(error) => {
            let lines = difference("", &actual);
            Err(format!("{name}: no messages to compare with ({error}); {how}\n{lines}"))
        }
    }
}
