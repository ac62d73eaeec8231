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

/// The files of the repository.
pub fn sources(root: &Path) -> Sources {
    Sources::read(root)
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_owned()
}

/// Everything that breaks a rule, one line each.
pub fn problems() -> Vec<String> {
    let sources = sources(&root());
    let named = |rule: &Rule| {
        let name = rule.name;
        (rule.problems)(&sources).into_iter().map(move |problem| format!("{problem} ({name})"))
    };
    RULES.iter().flat_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let problems = problems();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
