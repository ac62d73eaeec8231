//! What is asked for: a criterion, how many, which ones.

use crate::criteria::criterion::Criterion;
use crate::criteria::quota::{Quota, Ratio};
use std::fmt;
use std::str::FromStr;

/// How a suite is reduced.
///
/// ```
/// use smallscope_runner::criteria::{Choice, Criterion, Quota, Reduction};
/// let reduction: Reduction = "cdc ratio 0.1 first".parse().unwrap();
/// assert_eq!(reduction.criterion, Criterion::Cdc);
/// assert_eq!(reduction.to_string(), "cdc ratio 0.1 first");
/// let random = Reduction { quota: Quota::PerClass(2), choice: Choice::Random { seed: 7 }, ..reduction };
/// assert_eq!(random.to_string(), "cdc per-class 2 random 7");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reduction {
    /// What makes the classes.
    pub criterion: Criterion,
    /// How many of each are kept.
    pub quota: Quota,
    /// Which ones.
    pub choice: Choice,
}

/// Which values of a class are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The first that the search comes to.
    #[default]
    First,
    /// Any, with equal chances.
    Random {
        /// The same seed makes the same choice.
        seed: u64,
    },
}

/// What somebody has said about a reduction, option by option.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// `criterion`
    pub criterion: Option<String>,
    /// `ratio`
    pub ratio: Option<String>,
    /// `size`
    pub size: Option<u64>,
    /// `per_class`
    pub per_class: Option<u64>,
    /// `choice`
    pub choice: Option<String>,
    /// `seed`
    pub seed: Option<u64>,
}

impl Given {
    /// The reduction, if one is asked for.
    ///
    /// ```
    /// use smallscope_runner::criteria::Given;
    /// assert_eq!(Given::default().reduction(), Ok(None));
    /// let given = Given { criterion: Some("cdc".into()), ..Given::default() };
    /// assert!(given.reduction().unwrap_err().contains("how many"));
    /// ```
    pub fn reduction(&self) -> Result<Option<Reduction>, String> {
        let Given { criterion, ratio, size, per_class, choice, seed } = self;
        let quota = match (ratio, size, per_class) {
            (None, None, None) => None,
            (Some(ratio), None, None) => Some(Quota::Ratio(ratio.parse()?)),
            (None, Some(0), None) | (None, None, Some(0)) => {
                return Err(
                    "a reduced suite has at least one value of each class; the number must be 1 or more"
                        .into(),
                );
            }
            (None, Some(size), None) => Some(Quota::Size(*size)),
            (None, None, Some(most)) => Some(Quota::PerClass(*most)),
            _ => {
                return Err(
                    "ratio, size and per-class all say how many values are kept; give one of them".into()
                );
            }
        };
        let choice = match (choice.as_deref(), seed) {
            (None, None) => None,
            (Some("first"), None) => Some(Choice::First),
            (Some("first"), Some(_)) => {
                return Err(
                    "a seed is for the choice `random`, and this is `first`; leave one of them out".into()
                );
            }
            (None | Some("random"), seed) => Some(Choice::Random { seed: seed.unwrap_or(0) }),
            (Some(other), _) => {
                return Err(format!("unknown choice `{other}`; the choices are `first` and `random`"));
            }
        };
        let Some(criterion) = criterion else {
            return match (quota, choice) {
                (None, None) => Ok(None),
                _ => Err("values are kept by their classes, so say by which criterion, such as `cdc`".into()),
            };
        };
        let criterion = criterion.parse()?;
        let quota = quota.ok_or(
            "say how many values to keep: a ratio such as 0.1, a size, or so many per class".to_owned(),
        )?;
        Ok(Some(Reduction { criterion, quota, choice: choice.unwrap_or_default() }))
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.criterion, self.quota)?;
        match self.choice {
            Choice::First => f.write_str(" first"),
            Choice::Random { seed } => write!(f, " random {seed}"),
        }
    }
}

impl FromStr for Reduction {
    type Err = String;
    fn from_str(s: &str) -> Result<Reduction, String> {
        let words: Vec<&str> = s.split(' ').collect();
        let wrong = || format!("`{s}` is no reduction; one looks like `cdc ratio 0.1 first`");
        let [criterion, how, number, choice @ ..] = &words[..] else { return Err(wrong()) };
        let count = || number.parse().map_err(|_| wrong());
        let quota = match *how {
            "ratio" => Quota::Ratio(number.parse::<Ratio>()?),
            "size" => Quota::Size(count()?),
            "per-class" => Quota::PerClass(count()?),
            _ => return Err(wrong()),
        };
        let choice = match choice {
            ["first"] => Choice::First,
            ["random", seed] => Choice::Random { seed: seed.parse().map_err(|_| wrong())? },
            _ => return Err(wrong()),
        };
        Ok(Reduction { criterion: criterion.parse()?, quota, choice })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(criterion: &str) -> Given {
        Given { criterion: Some(criterion.into()), ..Given::default() }
    }

    #[test]
    fn mistakes_say_what_to_write() {
        let cases = [
            (given("cdc"), "say how many"),
            (Given { size: Some(0), ..given("cdc") }, "must be 1 or more"),
            (Given { per_class: Some(0), ..given("cdc") }, "must be 1 or more"),
            (Given { size: Some(1), per_class: Some(1), ..given("cdc") }, "give one of them"),
            (Given { ratio: Some("2".into()), ..given("cdc") }, "at most 1"),
            (Given { size: Some(1), ..given("mcd") }, "did you mean `mcdc`?"),
            (Given { size: Some(1), ..Given::default() }, "by which criterion"),
            (Given { seed: Some(1), ..Given::default() }, "by which criterion"),
            (Given { size: Some(1), choice: Some("last".into()), ..given("cdc") }, "`first` and `random`"),
            (
                Given { size: Some(1), choice: Some("first".into()), seed: Some(1), ..given("cdc") },
                "a seed is for the choice `random`",
            ),
        ];
        for (given, message) in cases {
            let error = given.reduction().unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_seed_means_a_random_choice() {
        let reduction = Given { size: Some(1), seed: Some(3), ..given("path") }.reduction().unwrap().unwrap();
        assert_eq!(reduction.choice, Choice::Random { seed: 3 });
        assert_eq!(reduction.to_string().parse(), Ok(reduction));
    }
}
