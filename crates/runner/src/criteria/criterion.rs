//! The criteria by name.

use std::fmt;
use std::str::FromStr;

/// What about a run of the invariant makes the class of a value. Two values are in the same class if the invariant does
/// the same with both, as far as the criterion looks.
///
/// A *decision* is the condition of an `if`, `while` or match guard as a whole, a `match`, `if let`, `while let`,
/// `let .. else` or `?`; and an expression with `&&` or `||` that is none of these, such as the `a && b` that a function
/// returns. A *condition* is an operand of `&&` or `||`, without any `!` in front of it, or a decision that has none of
/// these.
///
/// With several inputs (the arguments of a test), the class of their combination is made of the classes of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Criterion {
    /// Which decisions were taken, and with which outcomes: a set.
    Decision,
    /// Which conditions were evaluated, and with which outcomes: a set.
    Condition,
    /// Which conditions were evaluated, with which outcomes, and whether that alone made the decision: a set. A condition
    /// makes the decision if the decision would have come out the other way with the other outcome of the condition, and
    /// with those of all others as they were. Conditions that `&&` and `||` have passed over have no outcome; if it would
    /// depend on them, the condition does not count as making the decision.
    Mcdc,
    /// How often each decision was taken with each outcome.
    Cdc,
    /// Which decisions were taken, with which outcomes, in which order.
    Path,
    /// The order in which decisions were taken with an outcome for the first time: a path without repetitions.
    SimplePath,
}

impl Criterion {
    /// All of them, from coarse to fine where they can be compared.
    pub const ALL: [Criterion; 6] = [
        Criterion::Decision,
        Criterion::Condition,
        Criterion::Mcdc,
        Criterion::Cdc,
        Criterion::SimplePath,
        Criterion::Path,
    ];

    /// Its name in commands and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Decision => "decision",
            Criterion::Condition => "condition",
            Criterion::Mcdc => "mcdc",
            Criterion::Cdc => "cdc",
            Criterion::Path => "path",
            Criterion::SimplePath => "simple-path",
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// ```
/// use smallscope_runner::criteria::Criterion;
/// assert_eq!("cdc".parse(), Ok(Criterion::Cdc));
/// assert_eq!("MC/DC".parse(), Ok(Criterion::Mcdc));
/// let error = "pth".parse::<Criterion>().unwrap_err();
/// assert!(error.starts_with("unknown criterion `pth`; did you mean `path`?"), "{error}");
/// ```
impl FromStr for Criterion {
    type Err = String;
    fn from_str(s: &str) -> Result<Criterion, String> {
        let plain = |s: &str| s.to_lowercase().replace(['-', '_', '/', ' '], "");
        let given = plain(s);
        let aliases = [
            ("decisions", Criterion::Decision),
            ("branch", Criterion::Decision),
            ("conditions", Criterion::Condition),
            ("countingdecision", Criterion::Cdc),
            ("paths", Criterion::Path),
        ];
        let found = Criterion::ALL.into_iter().find(|c| plain(c.name()) == given);
        let found = found.or_else(|| aliases.into_iter().find(|(alias, _)| *alias == given).map(|(_, c)| c));
        found.ok_or_else(|| {
            let near = Criterion::ALL.map(|c| (distance(&given, &plain(c.name())), c.name()));
            let nearest = near.into_iter().min().filter(|(distance, _)| *distance <= 1 + given.len() / 4);
            let meant = nearest.map(|(_, name)| format!("did you mean `{name}`? ")).unwrap_or_default();
            let names = Criterion::ALL.map(|c| format!("`{c}`")).join(", ");
            format!("unknown criterion `{s}`; {meant}the criteria are {names}")
        })
    }
}

/// How many letters have to be changed, put in or left out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
