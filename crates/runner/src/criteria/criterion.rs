//! The criteria by name.

use crate::settings::distance;
use std::fmt;
use std::str::FromStr;

/// Which property of a run of the invariant is the class of a value. Two values are in the same class if this property
/// is the same for both.
///
/// A *decision* is the condition of an `if`, `while` or match guard as a whole, a `match`, `if let`, `while let`,
/// `let .. else` or `?`; and an expression with `&&` or `||` that is none of these, such as the `a && b` that a function
/// returns. A *condition* is an operand of `&&` or `||`, without any `!` in front of it, or a decision that has none of
/// these.
///
/// With several inputs (the arguments of a test), the class of a combination consists of the classes of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Criterion {
    /// The set of decisions with their outcomes.
    Decision,
    /// The set of conditions with their outcomes.
    Condition,
    /// The set of conditions with their outcomes, and whether each condition alone decided its expression. A condition
    /// decides the expression if the other outcome of this condition, with those of all others unchanged, changes the
    /// result. Conditions that `&&` and `||` skip have no outcome; if the result would depend on them, the condition
    /// does not count as deciding.
    Mcdc,
    /// How often each decision had each outcome.
    Cdc,
    /// The sequence of decisions with their outcomes.
    Path,
    /// The sequence of first occurrences of decisions with their outcomes: a path without repetitions.
    SimplePath,
}

impl Criterion {
    /// All criteria, from coarse to fine where they can be compared.
    pub const ALL: [Criterion; 6] = [
        Criterion::Decision,
        Criterion::Condition,
        Criterion::Mcdc,
        Criterion::Cdc,
        Criterion::SimplePath,
        Criterion::Path,
    ];

    /// Returns its name in commands and attributes.
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

    /// Why it cannot be used if decisions are not reported.
    pub(crate) fn unreported(self) -> String {
        format!(
            "the criterion `{self}` looks at the decisions of the invariant, and these are reported only with a feature: \
             write `smallscope = {{ .., features = [\"criteria\"] }}` in Cargo.toml"
        )
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
        let given = plain(s);
        for criterion in Criterion::ALL {
            if plain(criterion.name()) == given {
                return Ok(criterion);
            }
        }
        match &*given {
            "decisions" | "branch" => Ok(Criterion::Decision),
            "conditions" => Ok(Criterion::Condition),
            "countingdecision" => Ok(Criterion::Cdc),
            "paths" => Ok(Criterion::Path),
            _ => Err(unknown(s, &given)),
        }
    }
}

/// A name as it is compared: without case and without what may separate words.
fn plain(name: &str) -> String {
    let mut plain = name.to_lowercase();
    plain.retain(|c| !matches!(c, '-' | '_' | '/' | ' '));
    plain
}

fn unknown(name: &str, given: &str) -> String {
    let (mut names, mut nearest) = (vec![], (usize::MAX, ""));
    for criterion in Criterion::ALL {
        names.push(format!("`{criterion}`"));
        nearest = nearest.min((distance(given, &plain(criterion.name())), criterion.name()));
    }
    let meant = match nearest {
        (distance, near) if distance <= 1 + given.len() / 4 => format!("did you mean `{near}`? "),
        _ => String::new(),
    };
    format!("unknown criterion `{name}`; {meant}the criteria are {}", names.join(", "))
}
