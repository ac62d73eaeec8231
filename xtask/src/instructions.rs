//! `cargo xtask instructions`: how many instructions the loops of the search take, counted by callgrind. Unlike
//! times, they do not depend on the load of the machine, so a small change shows.
//!
//! `studies/catalogue/benches/instructions.tsv` lists the searches, and the counts when it was
//! recorded.

mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use table::{Counted, Row, Table};

/// With `--check`, a row that takes this much more has failed.
const TOLERANCE: f64 = 0.03;

const USAGE: &str = "usage: cargo xtask instructions [--check | --record] [PART OF A NAME..]";

/// What to do with the counts.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Show,
    Check,
    Record,
}

/// Counts, compares, and records on request.
pub fn run(root: &Path, args: impl Iterator<Item = String>) -> ExitCode {
    let mut mode = Mode::Show;
    let mut names = vec![];
    for arg in args {
        match arg.as_str() {
            "--check" => mode = Mode::Check,
            "--record" => mode = Mode::Record,
            option if option.starts_with('-') => {
                eprintln!("unknown option `{option}`\n{USAGE}");
                return ExitCode::from(2);
            }
            _ => names.push(arg),
        }
    }
    match count(root, mode, &names) {
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
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("valgrind is not installed, so nothing was counted: `apt-get install valgrind`");
        // A check that checked nothing has not passed.
        return Ok(if mode == Mode::Show { ExitCode::SUCCESS } else { ExitCode::FAILURE });
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

/// The compiler's name and version.
fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.map_err(|e| format!("cannot run rustc: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Builds the loops, with the optimisations of a benchmark. Returns the binary.
fn build(root: &Path) -> Result<PathBuf, String> {
    let output = Command::new("cargo")
        .args(["build", "--profile", "bench", "-p", "smallscope-catalogue", "--bench", "speed"])
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        return Err("the benchmark does not compile".into());
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
    let file = std::env::temp_dir().join(format!("smallscope-instructions-{}", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=speed::collected::collected_loop*"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(binary)
        .arg("--search")
        .args([&row.engine, &row.structure, &row.arguments, &row.values])
        .output()
        .map_err(|e| format!("cannot run valgrind: {e}"))?;
    let profile = std::fs::read_to_string(&file).unwrap_or_default();
    // The file is missing if valgrind failed.
    let _ = std::fs::remove_file(&file);
    if !output.status.success() {
        return Err(format!("{}:\n{}", row.name(), String::from_utf8_lossy(&output.stderr)));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let outcome = printed.trim().split_once('\t').and_then(|(r, v)| Some((r.parse().ok()?, v.parse().ok()?)));
    let (runs, values) = outcome.ok_or_else(|| format!("{}: unexpected output `{printed}`", row.name()))?;
    match instructions(&profile) {
        Some(instructions) if instructions > 0 => Ok(Counted { runs, values, instructions }),
        _ => Err(format!("{}: callgrind did not find `collected_loop`", row.name())),
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
