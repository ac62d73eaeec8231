//! A reduction: criterion, quota and choice.

use crate::criteria::criterion::Criterion;
use crate::criteria::quota::{Quota, Ratio};
use crate::settings::Settings;
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
    /// The criterion that makes the classes.
    pub criterion: Criterion,
    /// How many values of each class are kept.
    pub quota: Quota,
    /// Which values are kept.
    pub choice: Choice,
}

/// Which values of a class are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The first in the order of the search.
    #[default]
    First,
    /// Random ones, with equal chances.
    Random {
        /// The same seed makes the same choice.
        seed: u64,
    },
}

impl Reduction {
    /// Returns the reduction that settings describe; none if they describe no reduction.
    ///
    /// ```
    /// use smallscope_runner::criteria::{Criterion, Reduction};
    /// use smallscope_runner::settings::Settings;
    /// assert_eq!(Reduction::of(&Settings::default()), Ok(None));
    /// let settings = Settings { criterion: Some(Criterion::Cdc), ..Settings::default() };
    /// assert!(Reduction::of(&settings).unwrap_err().contains("how many"));
    /// ```
    pub fn of(settings: &Settings) -> Result<Option<Reduction>, String> {
        Reduction::unless_seeded(settings, settings.sample.is_some())
    }

    /// The same, if the seed may be that of random values after the search.
    pub(crate) fn unless_seeded(settings: &Settings, is_seeded: bool) -> Result<Option<Reduction>, String> {
        let Settings { criterion, ratio, keep, per_class, choice, seed, .. } = settings;
        let seed = seed.filter(|_| !is_seeded || criterion.is_some());
        let quota = match (ratio, keep, per_class) {
            (None, None, None) => None,
            (Some(ratio), None, None) => Some(Quota::Ratio(*ratio)),
            (None, Some(0), None) | (None, None, Some(0)) => {
                return Err(
                    "a reduced suite has at least one value of each class; the number must be 1 or more"
                        .into(),
                );
            }
            (None, Some(keep), None) => Some(Quota::Size(*keep)),
            (None, None, Some(most)) => Some(Quota::PerClass(*most)),
            _ => {
                return Err(
                    "ratio, keep and per-class all say how many values are kept; give one of them".into()
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
            (_, seed) => Some(Choice::Random { seed: seed.unwrap_or(0) }),
        };
        let Some(criterion) = *criterion else {
            return match (quota, choice) {
                (None, None) => Ok(None),
                _ => Err("a reduction keeps values by class: say by which criterion, such as `cdc`".into()),
            };
        };
        let quota = quota.ok_or(
            "say how many values to keep: a ratio such as 0.1, a number to keep, or a number per class"
                .to_owned(),
        )?;
        Ok(Some(Reduction { criterion, quota, choice: choice.unwrap_or_default() }))
    }
}

impl fmt::Display for Reduction {
    #[inline]
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
    #[inline]
    fn from_str(s: &str) -> Result<Reduction, String> {
        let words: Vec<&str> = s.split(' ').collect();
        let wrong = || format!("`{s}` is not a reduction; it looks like `cdc ratio 0.1 first`");
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

    fn given(criterion: Criterion) -> Settings {
        Settings { criterion: Some(criterion), ..Settings::default() }
    }

    #[test]
    fn mistakes_say_what_to_write() {
        let cdc = || given(Criterion::Cdc);
        let cases = [
            (cdc(), "say how many"),
            (Settings { keep: Some(0), ..cdc() }, "must be 1 or more"),
            (Settings { per_class: Some(0), ..cdc() }, "must be 1 or more"),
            (Settings { keep: Some(1), per_class: Some(1), ..cdc() }, "give one of them"),
            (Settings { keep: Some(1), ..Settings::default() }, "by which criterion"),
            (Settings { seed: Some(1), ..Settings::default() }, "by which criterion"),
            (
                Settings { keep: Some(1), choice: Some("first".into()), seed: Some(1), ..cdc() },
                "a seed is for the choice `random`",
            ),
        ];
        for (settings, message) in cases {
            let error = Reduction::of(&settings).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_seed_means_a_random_choice() {
        let settings = Settings { keep: Some(1), seed: Some(3), ..given(Criterion::Path) };
        let reduction = Reduction::of(&settings).unwrap().unwrap();
        assert_eq!(reduction.choice, Choice::Random { seed: 3 });
        assert_eq!(reduction.to_string().parse(), Ok(reduction));
    }
}
