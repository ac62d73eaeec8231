//! `cargo xtask dependencies`: licences and sources of everything that the workspace depends on, by the rules of
//! `deny.toml`. cargo-deny knows more, but takes minutes to install.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Prints what breaks a rule.
pub fn run(root: &Path) -> ExitCode {
    let problems = problems(root).unwrap_or_else(|problem| vec![problem]);
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn problems(root: &Path) -> Result<Vec<String>, String> {
    let read = |file: &str| fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"));
    let rules = read("deny.toml")?;
    let allowed = allowed(&rules);
    let output = Command::new("cargo")
        .args(["tree", "--workspace", "--all-features", "--target", "all", "--prefix", "none"])
        .args(["--format", "{p}|{l}"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    let tree = String::from_utf8_lossy(&output.stdout);
    let packages: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    if !output.status.success() || packages.is_empty() {
        return Err("cargo does not say what the workspace depends on".to_owned());
    }
    let mut problems = vec![];
    for (package, licence) in packages.iter().filter_map(|line| line.split_once('|')) {
        if !is_allowed(licence, &allowed) {
            problems.push(format!("{package}: the licence `{licence}` is not among those of deny.toml"));
        }
    }
    problems.extend(foreign_sources(&read("Cargo.lock")?));
    println!("{} packages, licences: {}", packages.len(), allowed.join(", "));
    Ok(problems)
}

/// The licences in the list of `deny.toml`.
fn allowed(rules: &str) -> Vec<&str> {
    let list = rules.lines().find_map(|line| line.strip_prefix("allow = ["));
    list.unwrap_or_default().split('"').skip(1).step_by(2).collect()
}

/// Whether an expression of licences can be satisfied with those that are allowed. `/` is the old way to write `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let holds = any(&mut rest, allowed);
    holds && rest.is_empty()
}

/// Terms joined by `OR`.
fn any(words: &mut &[&str], allowed: &[&str]) -> bool {
    let mut holds = all(words, allowed);
    while let Some((&"OR", rest)) = words.split_first() {
        *words = rest;
        holds |= all(words, allowed);
    }
    holds
}

/// Factors joined by `AND`.
fn all(words: &mut &[&str], allowed: &[&str]) -> bool {
    let mut holds = one(words, allowed);
    while let Some((&"AND", rest)) = words.split_first() {
        *words = rest;
        holds &= one(words, allowed);
    }
    holds
}

/// An expression in parentheses, or a licence, maybe `WITH` an exception: that is another licence.
fn one(words: &mut &[&str], allowed: &[&str]) -> bool {
    let Some((&word, rest)) = words.split_first() else { return false };
    *words = rest;
    if word == "(" {
        let holds = any(words, allowed);
        *words = words.get(1..).unwrap_or_default();
        return holds;
    }
    match **words {
        ["WITH", _, ref rest @ ..] => {
            *words = rest;
            false
        }
        _ => allowed.contains(&word),
    }
}

/// Packages from elsewhere than the one registry.
fn foreign_sources(lock: &str) -> Vec<String> {
    let sources: BTreeSet<&str> = lock.lines().filter_map(|line| line.strip_prefix("source = ")).collect();
    let registries = sources.iter().filter(|source| source.starts_with("\"registry+")).count();
    let foreign = sources.iter().filter(|source| !source.starts_with("\"registry+") || registries > 1);
    foreign.map(|source| format!("Cargo.lock: {source} is not the one registry")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_licences() {
        let allowed = allowed("[licenses]\nallow = [\"MIT\", \"Unicode-3.0\"]\n");
        for good in ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in
            ["", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR X) AND MIT", "MIT WITH exception", "MIT MIT"]
        {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn sources_are_one_registry() {
        assert!(foreign_sources("source = \"registry+a\"\nsource = \"registry+a\"\n").is_empty());
        assert_eq!(foreign_sources("source = \"registry+a\"\nsource = \"git+b\"\n").len(), 1);
    }
}
