//! `cargo xtask gallery`: known bugs of published crates, found by smallscope, proptest and quickcheck in the same process.
//!
//! The harnesses in `studies/gallery` run twice: on versions with the bugs, and on versions in which they are mended, where
//! nothing may fail. The first run makes the table. It needs the network once. With `--write`, the table goes into the book.

mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use table::{Found, Row};

/// The time of a sequence test on mended versions.
const FIXED_BUDGET: &str = "2s";

/// Runs the gallery, prints the table, and fails if a bug was not found, a bar was missed, or a mended version fails.
pub fn run(root: &Path, arguments: &[String]) -> ExitCode {
    let write = match arguments {
        [] => false,
        [one] if one == "--write" => true,
        _ => {
            eprintln!("usage: cargo xtask gallery [--write]");
            return ExitCode::from(2);
        }
    };
    match rows(root).and_then(|rows| finished(root, &rows, write)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Prints or writes the table. Returns whether all bars hold.
fn finished(root: &Path, rows: &[Row], write: bool) -> Result<bool, String> {
    let table = table::markdown(rows);
    println!("{table}");
    if write {
        table::write(&root.join("book/src/gallery.md"), &table)?;
    }
    let missed: Vec<String> = rows.iter().flat_map(Row::missed).collect();
    missed.iter().for_each(|missed| eprintln!("{missed}"));
    Ok(missed.is_empty())
}

fn rows(root: &Path) -> Result<Vec<Row>, String> {
    let folder = root.join("studies/gallery");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = std::path::absolute(target).map_err(|e| e.to_string())?.join("gallery");
    let tests = built(&folder, &target)?;
    let fixed_tests = built(&folder.join("fixed"), &target)?;
    let lines = target.join("lines.tsv");
    let report = target.join("report.jsonl");
    for file in [&lines, &report] {
        let _ = fs::remove_file(file);
    }
    // It fails: all bugs are there.
    test(&tests, &folder)
        .env("GALLERY", &lines)
        .env("SMALLSCOPE_REPORT", &report)
        .output()
        .map_err(|e| e.to_string())?;
    let fixed = test(&fixed_tests, &folder.join("fixed")).env("SMALLSCOPE_BUDGET", FIXED_BUDGET).output();
    let fixed = fixed.map_err(|e| e.to_string())?;
    for folder in [&folder, &folder.join("fixed")] {
        let _ = fs::remove_dir_all(folder.join("smallscope-regressions"));
    }
    if !fixed.status.success() {
        return Err(format!("mended versions fail:\n{}", String::from_utf8_lossy(&fixed.stdout)));
    }
    let read = |path: &Path| fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let found = found(&read(&lines)?, &read(&report)?);
    let bad_versions = versions(&read(&folder.join("Cargo.toml"))?);
    let fixed_versions = versions(&read(&folder.join("fixed/Cargo.toml"))?);
    let bugs = read(&folder.join("bugs.tsv"))?;
    let row = |line: &str| {
        let [name, link, what] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("bugs.tsv: a line needs a crate, a link and a text: {line}"));
        };
        let module = name.replace('-', "_");
        let version =
            bad_versions.get(name).ok_or_else(|| format!("bugs.tsv: {name} is not a dependency"))?;
        let of = |tool: &str| found.get(&format!("{module}::{tool}")).cloned().unwrap_or_default();
        Ok(Row {
            name: name.to_owned(),
            version: version.clone(),
            fixed: fixed_versions.get(name).cloned(),
            link: link.to_owned(),
            what: what.to_owned(),
            smallscope: of("with_smallscope"),
            proptest: of("with_proptest"),
            quickcheck: of("with_quickcheck"),
        })
    };
    bugs.lines().map(row).collect()
}

/// Builds the harnesses of a crate. Returns the path of the test binary.
fn built(folder: &Path, target: &Path) -> Result<PathBuf, String> {
    let output = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--no-run", "--message-format=json"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let executables = text.split("\"executable\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    match executables.last() {
        Some(path) if output.status.success() => Ok(PathBuf::from(path)),
        _ => {
            Err(format!("{} does not build:\n{}", folder.display(), String::from_utf8_lossy(&output.stderr)))
        }
    }
}

/// A run of the harnesses as `cargo test` makes it outside this repository, which sets a longer budget.
fn test(tests: &Path, folder: &Path) -> Command {
    let _ = fs::remove_dir_all(folder.join("smallscope-regressions"));
    let mut command = Command::new(tests);
    command.arg("--test-threads=1").current_dir(folder).env_remove("SMALLSCOPE_BUDGET");
    command
}

/// What each test found, by its name: from the lines of the harnesses, and from the report of smallscope.
fn found(lines: &str, report: &str) -> BTreeMap<String, Found> {
    let mut all: BTreeMap<String, Found> = BTreeMap::new();
    for line in lines.lines() {
        let [test, seed, cases, micros, input] = line.splitn(5, '\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        let test = test.trim_start_matches("gallery::");
        if seed == "0" {
            let found = all.entry(format!("{test}::with_smallscope")).or_default();
            (found.size, found.counterexample) = (Some(input.len()), input.to_owned());
            continue;
        }
        let found = all.entry(test.to_owned()).or_default();
        found.seeds += 1;
        found.seconds = found.seconds.max(micros.parse::<f64>().unwrap_or_default() / 1e6);
        if input.is_empty() {
            continue;
        }
        let is_calls = input.starts_with('[');
        // The constructor is a call, too.
        let size = if is_calls { input.matches('(').count() + 1 } else { input.len() };
        found.failing += 1;
        found.cases = found.cases.max(cases.parse().unwrap_or_default());
        found.size = Some(found.size.map_or(size, |least| least.min(size)));
    }
    for line in report.lines() {
        let Some(test) = text_field(line, "test") else { continue };
        let found = all.entry(test).or_default();
        found.seeds = 1;
        found.seconds = number_field(line, "seconds");
        if text_field(line, "result").as_deref() != Some("failed") {
            continue;
        }
        found.failing = 1;
        if line.contains("\"kind\":\"sequences\"") {
            let sequence = text_field(line, "sequence").unwrap_or_default();
            found.is_calls = true;
            found.size = Some(sequence.split("; ").count());
            found.cases = number_field(line, "calls") as u64;
            let source = text_field(line, "source").unwrap_or_default();
            let calls = source.lines().map(str::trim).take_while(|line| !line.starts_with("//"));
            found.counterexample = calls.collect::<Vec<_>>().join(" ");
        } else {
            let edges = line.split("\"edges\":").nth(1).map_or(0.0, |edges| number_field(edges, "tested"));
            found.cases = (number_field(line, "tested") + edges) as u64;
        }
    }
    all
}

/// The first text with this key in a line of JSON.
fn text_field(line: &str, key: &str) -> Option<String> {
    let mut rest = line.split(&format!("\"{key}\":\"")).nth(1)?.chars();
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

/// The first number with this key in a line of JSON; 0 if there is none.
fn number_field(line: &str, key: &str) -> f64 {
    let rest = line.split(&format!("\"{key}\":")).nth(1).unwrap_or_default();
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().unwrap_or_default()
}

/// The exact versions in a manifest, by crate.
fn versions(manifest: &str) -> BTreeMap<String, String> {
    let version = |line: &str| {
        let (name, rest) = line.split_once(" = ")?;
        let version = rest.split_once("\"=")?.1.split('"').next()?;
        Some((name.to_owned(), version.to_owned()))
    };
    manifest.lines().filter_map(version).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        let lines = "gallery::a\t0\t0\t0\t([1], 2)\n\
                     gallery::a::with_proptest\t1\t256\t900\t\n\
                     gallery::a::with_proptest\t2\t7\t2000000\t([1, 0], 2)\n\
                     gallery::b::with_quickcheck\t1\t3\t10\t[(0, 1, 0), (2, 0, 0)]\n";
        let report = "{\"test\":\"a::with_smallscope\",\"result\":\"failed\",\"tested\":12,\"seconds\":0.5,\
                      \"edges\":{\"tested\":3}}\n\
                      {\"test\":\"b::with_smallscope\",\"kind\":\"sequences\",\"result\":\"failed\",\"calls\":40,\
                      \"clusters\":[{\"sequence\":\"x = A::new(); x.f()\",\"source\":\"let mut x = A::new();\\nx.f(\\\"\\\");\\n// panicked\\n\"}],\
                      \"seconds\":0.25}\n";
        let found = found(lines, report);
        let a = &found["a::with_smallscope"];
        assert_eq!((a.failing, a.cases, a.size, a.seconds), (1, 15, Some(8), 0.5));
        let proptest = &found["a::with_proptest"];
        assert_eq!((proptest.failing, proptest.seeds, proptest.cases, proptest.size), (1, 2, 7, Some(11)));
        assert_eq!(proptest.seconds, 2.0);
        let b = &found["b::with_smallscope"];
        assert_eq!((b.size, b.cases, &*b.counterexample), (Some(2), 40, "let mut x = A::new(); x.f(\"\");"));
        assert_eq!(found["b::with_quickcheck"].size, Some(3));
        assert_eq!(versions("a = \"=1.2.3\"\nb = { version = \"=0.1.0\", x }\nc = \"1\"")["b"], "0.1.0");
    }
}
