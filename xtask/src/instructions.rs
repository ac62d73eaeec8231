//! `cargo xtask instructions`: how many instructions the loops of the search take, counted by callgrind. Unlike
//! times, they do not depend on the load of the machine, so a small change shows.
//!
//! `studies/catalogue/benches/instructions.tsv` lists the searches, and the counts when it was
//! recorded. With `--mutants`, it counts what mutants cost that are off.

mod mutants;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use table::{Counted, Row, Table};

/// With `--check`, a row that takes this much more has failed.
const TOLERANCE: f64 = 0.03;

const USAGE: &str = "usage: cargo xtask instructions [--check | --record] [PART OF A NAME..]\n       cargo xtask instructions --mutants [--check]";

/// What to do with the counts.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Show,
    Check,
    Record,
}

/// Counts, compares, and records on request.
pub fn run(root: &Path, args: impl Iterator<Item = String>) -> ExitCode {
    let (mut mode, mut is_of_mutants) = (Mode::Show, false);
    let mut names = vec![];
    for arg in args {
        match arg.as_str() {
            "--check" => mode = Mode::Check,
            "--record" => mode = Mode::Record,
            "--mutants" => is_of_mutants = true,
            option if option.starts_with('-') => {
                eprintln!("unknown option `{option}`\n{USAGE}");
                return ExitCode::from(2);
            }
            _ => names.push(arg),
        }
    }
    if is_of_mutants && (mode == Mode::Record || !names.is_empty()) {
        eprintln!("`--mutants` takes no names, and records nothing\n{USAGE}");
        return ExitCode::from(2);
    }
    let counted = if is_of_mutants { mutants::count(root, mode) } else { count(root, mode, &names) };
    match counted {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn count(root: &Path, mode: Mode, names: &[String]) -> Result<ExitCode, String> {
    let path = root.join("studies/catalogue/benches/instructions.tsv");
    let mut table = Table::read(&path)?;
    if let Some(code) = code_without_valgrind(mode) {
        return Ok(code);
    }
    let compiler = compiler()?;
    if mode != Mode::Record && compiler != table.compiler {
        eprintln!(
            "recorded with {}, and this is {compiler}: some of the difference may come from the compiler",
            table.compiler
        );
    }
    let selected: Vec<usize> = (0..table.rows.len())
        .filter(|&i| names.is_empty() || names.iter().any(|name| table.rows[i].name().contains(&**name)))
        .collect();
    if selected.is_empty() {
        let rows: Vec<String> = table.rows.iter().map(Row::name).collect();
        return Err(format!("no row has this name; the rows are\n  {}", rows.join("\n  ")));
    }
    if mode == Mode::Record && selected.len() < table.rows.len() && compiler != table.compiler {
        return Err(format!("the other rows are of {}: record all of them", table.compiler));
    }
    let binary = build(root)?;
    println!("{}", table::HEAD);
    let mut worse = vec![];
    for i in selected {
        let row = &mut table.rows[i];
        let now = callgrind(&binary, row)?;
        println!("{}", row.compared_with(now));
        if row.growth(now).is_some_and(|growth| growth > TOLERANCE) {
            worse.push(row.name());
        }
        if mode == Mode::Record {
            row.recorded = Some(now);
        }
    }
    if mode == Mode::Record {
        table.compiler = compiler;
        table.write(&path)?;
        println!("recorded in {}", path.strip_prefix(root).unwrap_or(&path).display());
    } else if !worse.is_empty() {
        println!("more than {:.0} % worse: {}", TOLERANCE * 100.0, worse.join(", "));
    }
    Ok(if mode == Mode::Check && !worse.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// How to end if nothing can be counted here.
fn code_without_valgrind(mode: Mode) -> Option<ExitCode> {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_ok() {
        return None;
    }
    eprintln!("valgrind is not installed, so nothing was counted: `apt-get install valgrind`");
    // A check that checked nothing has not passed.
    Some(if mode == Mode::Show { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The compiler's name and version.
fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.map_err(|e| format!("cannot run rustc: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Builds the loops, with the optimisations of a benchmark. Returns the binary.
fn build(root: &Path) -> Result<PathBuf, String> {
    binary_of(root, &["build", "--profile", "bench", "-p", "smallscope-catalogue", "--bench", "speed"], &[])
}

/// Runs cargo with arguments, and with some for the compiler. Returns the binary that it builds last.
fn binary_of(root: &Path, arguments: &[&str], of_compiler: &[&str]) -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).args(["--message-format", "json-render-diagnostics"]);
    if !of_compiler.is_empty() {
        cargo.arg("--").args(of_compiler);
    }
    let output = cargo
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        return Err("the program does not compile".into());
    }
    executable(&String::from_utf8_lossy(&output.stdout)).ok_or("cargo did not say where the binary is".into())
}

/// The last executable in cargo's messages.
fn executable(messages: &str) -> Option<PathBuf> {
    let (_, rest) = messages.rsplit_once(r#""executable":""#)?;
    let (path, _) = rest.split_once('"')?;
    Some(PathBuf::from(path.replace(r"\\", r"\")))
}

/// Runs a search and counts the instructions of its loop, without the layout.
fn callgrind(binary: &Path, row: &Row) -> Result<Counted, String> {
    let arguments = ["--search", &row.engine, &row.structure, &row.arguments, &row.values];
    let (printed, instructions) = counted(binary, "speed::collected::collected_loop*", &arguments)
        .map_err(|problem| format!("{}: {problem}", row.name()))?;
    let outcome = printed.trim().split_once('\t').and_then(|(r, v)| Some((r.parse().ok()?, v.parse().ok()?)));
    let (runs, values) = outcome.ok_or_else(|| format!("{}: unexpected output `{printed}`", row.name()))?;
    Ok(Counted { runs, values, instructions })
}

/// Runs a program. Returns what it prints, and the number of instructions in a function and below it.
fn counted(binary: &Path, function: &str, arguments: &[&str]) -> Result<(String, u64), String> {
    let file = std::env::temp_dir().join(format!("smallscope-instructions-{}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--toggle-collect={function}")])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(binary)
        .args(arguments)
        .output()
        .map_err(|e| format!("cannot run valgrind: {e}"))?;
    let profile = std::fs::read_to_string(&file).unwrap_or_default();
    // The file is missing if valgrind failed.
    let _ = std::fs::remove_file(&file);
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    match instructions(&profile) {
        Some(count) if count > 0 => Ok((String::from_utf8_lossy(&output.stdout).into_owned(), count)),
        _ => Err(format!("callgrind did not find `{function}`")),
    }
}

/// The total in a profile of callgrind.
fn instructions(profile: &str) -> Option<u64> {
    profile.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_executable_is_the_one() {
        let messages = r#"{"executable":null}
{"executable":"/a/b-1","fresh":true}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages), Some("/a/b-1".into()));
        assert_eq!(executable(r#"{"executable":null}"#), None);
    }

    #[test]
    fn the_total_of_a_profile() {
        assert_eq!(instructions("events: Ir\nfn=(1)\n1 2\ntotals: 1234\n"), Some(1234));
        assert_eq!(instructions("events: Ir\n"), None);
    }
}
