//! `cargo xtask tidy`: the rules of the repository that neither the compiler nor clippy knows, one file each. Most are
//! absences that `ARCHITECTURE.md` states.

mod core_absences;
mod cycles;
mod documents;
mod impl_spread;
mod length;
mod members;
mod sources;
mod studies;
mod unsafe_code;
mod words;

pub use sources::Sources;
use std::path::{Path, PathBuf};

/// A rule: its name, and what finds the places that break it, one line each. A line begins with the file.
struct Rule {
    name: &'static str,
    problems: fn(&Sources) -> Vec<String>,
}

const RULES: &[Rule] = &[
    Rule { name: "length", problems: length::problems },
    Rule { name: "unsafe-code", problems: unsafe_code::problems },
    Rule { name: "core-absences", problems: core_absences::problems },
    Rule { name: "core-threads", problems: core_absences::threads },
    Rule { name: "core-globals", problems: core_absences::globals },
    Rule { name: "core-cycles", problems: cycles::problems },
    Rule { name: "impl-spread", problems: impl_spread::problems },
    Rule { name: "studies", problems: studies::problems },
    Rule { name: "members", problems: members::problems },
    Rule { name: "words", problems: words::problems },
    Rule { name: "architecture", problems: documents::architecture },
    Rule { name: "loop", problems: documents::shows_the_loop },
    Rule { name: "chapters", problems: documents::chapters },
    Rule { name: "samples", problems: documents::samples },
    Rule { name: "tables", problems: |sources| crate::tables::problems(&sources.root) },
];

/// What does not hold yet: the rule, the beginning of the paths, and the reason. Empty in the end.
const PENDING: &[(&str, &str, &str)] = &[
    ("impl-spread", "crates/runner/", "parts move"),
    ("words", "crates/cargo-smallscope/", "the prose is being read"),
    ("words", "crates/runner/", "the prose is being read"),
    ("words", "crates/smallscope/", "the prose is being read"),
    ("words", "crates/suite/", "the prose is being read"),
];

/// The files of the repository.
pub fn sources(root: &Path) -> Sources {
    Sources::read(root)
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// Everything that breaks a rule, one line each. What is pending is left out, unless `all` is set.
pub fn problems(all: bool) -> Vec<String> {
    let sources = sources(&root());
    let mut problems = vec![];
    for rule in RULES {
        let found = (rule.problems)(&sources);
        let is_pending = |problem: &String| {
            PENDING.iter().any(|(name, path, _)| *name == rule.name && problem.starts_with(path))
        };
        problems.extend(found.into_iter().filter(|problem| all || !is_pending(problem)));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let problems = problems(false);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn pending_entries_name_rules() {
        for (name, _, _) in PENDING {
            assert!(RULES.iter().any(|rule| rule.name == *name), "{name}");
        }
    }
}
