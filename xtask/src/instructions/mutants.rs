//! What mutants cost that are off: the insertion into a red-black tree, compiled with and without them.

use super::{Mode, binary_of, code_without_valgrind, counted};
use std::path::Path;
use std::process::ExitCode;

/// With `--check`, mutants that are off may take this much more.
const MOST: f64 = 0.02;

/// How a program is compiled. How the compiler divides a crate into units changes the code more than the test whether a
/// mutant is active; the crate with mutants is larger, so it is divided elsewhere.
const DIVISIONS: [(&str, &[&str]); 2] =
    [("one unit", &["-Ccodegen-units=1"]), ("divided by the compiler", &[])];

/// Counts and compares. The check is about crates that are one unit.
pub fn count(root: &Path, mode: Mode) -> Result<ExitCode, String> {
    if let Some(code) = code_without_valgrind(mode) {
        return Ok(code);
    }
    let mut is_within = true;
    println!("{:<24}  {:>8}  {:>12}  {:>6}", "the crate is", "without", "mutants off", "more");
    for (name, flags) in DIVISIONS {
        let without = insertion(root, &[], flags)?;
        let off = insertion(root, &["--features", "mutate"], flags)?;
        let more = off / without - 1.0;
        println!("{name:<24}  {without:>8.1}  {off:>12.1}  {:>4.2} %", more * 100.0);
        is_within &= flags.is_empty() || more < MOST;
    }
    if mode == Mode::Check && !is_within {
        println!("more than {:.0} %", MOST * 100.0);
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Instructions of one insertion, on average.
fn insertion(root: &Path, features: &[&str], flags: &[&str]) -> Result<f64, String> {
    let example = ["rustc", "--release", "-p", "smallscope-containers", "--example", "mutant_cost"];
    let binary = binary_of(root, &[&example, features].concat(), flags)?;
    let (printed, instructions) = counted(&binary, "mutant_cost::insert*", &[])?;
    let insertions = printed.split(' ').next().and_then(|number| number.parse::<u32>().ok());
    let insertions = insertions.ok_or_else(|| format!("unexpected output `{printed}`"))?;
    Ok(instructions as f64 / f64::from(insertions))
}
