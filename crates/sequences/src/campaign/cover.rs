//! Coverage of the code under test: its kinds by their names, and its result.

use std::fmt;
use std::str::FromStr;

/// What is measured in the code under test while sequences run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cover {
    /// Nothing: `none`.
    #[default]
    Nothing,
    /// The blocks of the code that the context names with `Builder::covers`: `blocks`.
    Blocks,
    /// The combinations of predicates at these blocks: `predicates`.
    Predicates,
    /// The compiler's counters: `llvm`. Only builds with `-C instrument-coverage` have them.
    Llvm,
}

/// Which part of the code under test was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeCoverage {
    /// What was measured.
    pub cover: Cover,
    /// The number of targets that were reached.
    pub covered: u64,
    /// The number of all targets.
    pub total: u64,
    /// The targets that were not reached, in the order of the source. Counters have no names and are not listed.
    pub missing: Vec<Missing>,
    /// Which sequences do not reach them, if known: "no sequence of up to 5 calls".
    pub(super) none: Option<String>,
}

/// A target that was not reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// File, line and column.
    pub place: String,
    /// The block.
    pub block: String,
    /// The block, and the predicates that hold.
    pub what: String,
    /// The number of targets at this block.
    pub of: usize,
}

/// The maximum number of lines about missing targets.
const MAX_LINES: usize = 12;

impl Cover {
    const NAMES: [(&'static str, Cover); 4] = [
        ("none", Cover::Nothing),
        ("blocks", Cover::Blocks),
        ("predicates", Cover::Predicates),
        ("llvm", Cover::Llvm),
    ];

    /// Returns the name of the targets: `blocks`, `combinations of predicates`, `counters`.
    pub fn targets(self) -> &'static str {
        match self {
            Cover::Nothing => "targets",
            Cover::Blocks => "blocks",
            Cover::Predicates => "combinations of predicates",
            Cover::Llvm => "counters",
        }
    }
}

impl FromStr for Cover {
    type Err = String;

    fn from_str(text: &str) -> Result<Cover, String> {
        let found = Cover::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, cover)| *cover).ok_or_else(|| {
            format!(
                "unknown coverage `{text}`; there is coverage of `blocks`, of `predicates` (their combinations at blocks) and by \
                 `llvm` (the compiler's counters), or `none`"
            )
        })
    }
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Cover::NAMES.iter().find(|(_, cover)| cover == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

impl CodeCoverage {
    /// Whether every target was reached.
    pub fn is_complete(&self) -> bool {
        self.covered == self.total
    }

    /// Returns the numbers as text: `50 of 53 blocks`.
    pub fn in_numbers(&self) -> String {
        format!("{} of {} {}", self.covered, self.total, self.cover.targets())
    }

    /// Describes the missing targets, in one line per block and a limited number of lines. `None` if no target is
    /// listed.
    pub fn missing_in_words(&self) -> Option<String> {
        let blocks: Vec<&[Missing]> =
            self.missing.chunk_by(|a, b| a.place == b.place && a.block == b.block).collect();
        if blocks.is_empty() {
            return None;
        }
        let mut out = match &self.none {
            Some(none) => format!("{none} reaches"),
            None => "not covered".to_owned(),
        };
        out.push(':');
        for missing in blocks.iter().take(MAX_LINES) {
            let Missing { place, block, what, of } = &missing[0];
            out += &match of {
                1 => format!("\n  {place}: {what}"),
                of => format!("\n  {place}: {block}: {} of {of} combinations", missing.len()),
            };
        }
        if blocks.len() > MAX_LINES {
            out += &format!("\n  and {} more", blocks.len() - MAX_LINES);
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (name, cover) in Cover::NAMES {
            assert_eq!((name.parse(), cover.to_string().as_str()), (Ok(cover), name));
        }
        assert!("block".parse::<Cover>().unwrap_err().contains("unknown coverage `block`; there is"));
    }

    #[test]
    fn what_is_missing_is_said_by_block_and_not_without_end() {
        let missing = |line: usize, combination: usize, of| Missing {
            place: format!("a.rs:{line}:1"),
            block: format!("f: {line}"),
            what: format!("f: {line}, where {combination}"),
            of,
        };
        let of = |missing: Vec<Missing>, none: Option<&str>| CodeCoverage {
            cover: Cover::Predicates,
            covered: 1,
            total: 1 + missing.len() as u64,
            missing,
            none: none.map(str::to_owned),
        };
        let few = of(vec![missing(1, 0, 4), missing(1, 2, 4), missing(2, 0, 1)], None);
        assert_eq!(few.in_numbers(), "1 of 4 combinations of predicates");
        let words = "not covered:\n  a.rs:1:1: f: 1: 2 of 4 combinations\n  a.rs:2:1: f: 2, where 0";
        assert_eq!(few.missing_in_words().unwrap(), words);
        let many = of((0..20).map(|line| missing(line, 0, 1)).collect(), Some("no sequence"));
        let words = many.missing_in_words().unwrap();
        assert!(words.starts_with("no sequence reaches:\n") && words.ends_with("\n  and 8 more"), "{words}");
        assert_eq!(of(vec![], None).missing_in_words(), None);
    }
}
