//! Whether what the macros write into a user's crate compiles there: in each edition, with strict lints, with
//! `panic = "abort"`.

use crate::cases::{collect, on_all_cores};
use crate::compiler::Compiler;
use std::fs;
use std::path::{Path, PathBuf};

/// Lints that a user may deny, and about which only the user's own code may have findings.
const STRICT: [&str; 4] =
    ["-Dwarnings", "-Drust_2018_idioms", "-Dunused_qualifications", "-Dunreachable_pub"];

/// Each setting that a source is compiled in.
const SETTINGS: [&[&str]; 4] = [
    &["--edition=2018", "--test"],
    &["--edition=2021", "--test"],
    &["--edition=2024", "--test"],
    &["--edition=2021", "--crate-type=lib", "-Cpanic=abort", "-Adead_code", "-Aunused_imports"],
];

/// Compiles files, and those in directories, in each setting. Files whose names begin with `unsafe` may have unsafe code.
///
/// # Panics
///
/// If one of them has errors or warnings.
pub fn expansions_compile(sources: &[&str], compiler: &Compiler<'_>) {
    check(sources, compiler, compiler.program, &SETTINGS, &STRICT);
}

/// Has clippy look at files, and at those in directories.
///
/// # Panics
///
/// If it finds something.
pub fn clippy_is_silent(sources: &[&str], compiler: &Compiler<'_>) {
    let sysroot =
        compiler.program.ancestors().nth(2).expect("the compiler is in a folder of its installation");
    let sysroot = format!("--sysroot={}", sysroot.display());
    let options = [&STRICT[..], &["-Dclippy::all", "-Dclippy::pedantic", &sysroot]].concat();
    check(sources, compiler, &compiler.program.with_file_name("clippy-driver"), &SETTINGS[1..3], &options);
}

fn check(sources: &[&str], compiler: &Compiler<'_>, program: &Path, settings: &[&[&str]], lints: &[&str]) {
    let files = files(sources, compiler.package);
    let runs: Vec<(&Path, &[&str])> =
        files.iter().flat_map(|file| settings.iter().map(|setting| (file.as_path(), *setting))).collect();
    let numbers: Vec<usize> = (0..runs.len()).collect();
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let failures = on_all_cores(&numbers, |&number| {
        let (file, setting) = runs[number];
        // Artifacts of files with the same name would overwrite each other.
        let artifacts = compiler.scratch.join(format!("{name}-{number}"));
        fs::create_dir_all(&artifacts).expect("a directory for artifacts can be made");
        let is_unsafe = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("unsafe"));
        let forbidden: &[&str] = if is_unsafe { &[] } else { &["-Funsafe_code"] };
        let options = [setting, lints, forbidden, &["--crate-name=expansion"]].concat();
        let said = compiler.run(program, file, &artifacts, &options);
        let said = said.unwrap_or_else(|e| Some(format!("{name} does not run: {e}")));
        said.map(|said| format!("{} with {}:\n{said}", file.display(), options.join(" ")))
    });
    let (failed, all) = (failures.len(), runs.len());
    assert!(failures.is_empty(), "{failed} of {all} compilations failed\n\n{}\n", failures.join("\n"));
}

/// The files, relative to the package.
fn files(sources: &[&str], package: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for source in sources {
        if source.ends_with(".rs") {
            files.push(PathBuf::from(source));
        } else {
            collect(package, Path::new(source), &mut files).unwrap_or_else(|e| panic!("{source}: {e}"));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "there is no file in {sources:?}");
    files
}
