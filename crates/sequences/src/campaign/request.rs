//! The choices of a campaign by their names, and which of them can be combined.

use std::fmt;
use std::str::FromStr;

use super::Campaign;
use crate::context::{Error, Values};
use crate::explore::{Abstraction, Explorer};
use crate::sink::Sink;

/// The strategy: which sequences are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Those that lead to a new state: `states`.
    #[default]
    States,
    /// All of a length, in tree order: `be`.
    Be,
    /// A random sample: `random`.
    Random,
    /// A random sample that draws methods before their arguments: `random-paths`.
    RandomPaths,
    /// All of a length, each once, in pseudo-random order: `bobw`.
    Bobw,
}

/// The order in which states are explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Traversal {
    /// Breadth first, so each state is reached by a shortest sequence: `bfs`.
    #[default]
    Breadth,
    /// Depth first: `dfs`.
    Depth,
    /// Random sequences, each from the beginning: `random`.
    Random,
}

/// Which states count as equal.
#[derive(Debug, Clone)]
pub enum Matching {
    /// Those whose values are equal under an abstraction.
    Values(Abstraction),
    /// Those with equal values, number of calls and last call: `classical`.
    Classical,
    /// Those for which a function writes equal bytes.
    By(fn(&Values, &mut Sink)),
}

impl Default for Matching {
    fn default() -> Matching {
        Matching::Values(Abstraction::Complete)
    }
}

impl Matching {
    /// Returns the matching with a name, `complete`, `shape` or `classical`, and the fields that count besides the
    /// shape.
    pub fn named(name: &str, fields: &[String]) -> Result<Matching, Error> {
        let wrong = |what: String| Err(Error::BadRequest { what });
        match name {
            "shape" if fields.is_empty() => Ok(Matching::Values(Abstraction::Shape)),
            "shape" => Ok(Matching::Values(Abstraction::shape_and(fields))),
            "complete" | "classical" if !fields.is_empty() => wrong(format!(
                "fields are for the abstraction `shape`; `{name}` compares all fields, so leave them out"
            )),
            "complete" => Ok(Matching::default()),
            "classical" => Ok(Matching::Classical),
            _ => wrong(format!(
                "unknown abstraction `{name}`; the abstractions are `complete`, `shape` (with some fields) and `classical`"
            )),
        }
    }

    fn is_default(&self) -> bool {
        matches!(self, Matching::Values(Abstraction::Complete))
    }

    pub(super) fn apply<'a>(&self, explorer: Explorer<'a>) -> Explorer<'a> {
        match self {
            Matching::Values(abstraction) => explorer.abstraction(abstraction.clone()),
            Matching::Classical => explorer.classical(),
            Matching::By(write) => explorer.abstraction_by(*write),
        }
    }
}

impl fmt::Display for Matching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Matching::Values(Abstraction::Complete) => f.write_str("complete"),
            Matching::Values(Abstraction::Shape) => f.write_str("shape"),
            Matching::Values(Abstraction::ShapeAnd(fields)) => write!(f, "shape and {}", fields.join(", ")),
            Matching::Classical => f.write_str("classical"),
            Matching::By(_) => f.write_str("by a function"),
        }
    }
}

impl Which {
    const NAMES: [(&'static str, Which); 5] = [
        ("states", Which::States),
        ("be", Which::Be),
        ("random", Which::Random),
        ("random-paths", Which::RandomPaths),
        ("bobw", Which::Bobw),
    ];

    pub(super) fn is_sample(self) -> bool {
        matches!(self, Which::Random | Which::RandomPaths)
    }
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        let found = Which::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, which)| *which).ok_or_else(|| {
            format!(
                "unknown strategy `{text}`; the strategies are `states` (only what leads to a new state), `be` (all of a \
                 length), `random`, `random-paths` and `bobw` (all of a length, in random order)"
            )
        })
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Which::NAMES.iter().find(|(_, which)| which == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

impl FromStr for Traversal {
    type Err = String;

    fn from_str(text: &str) -> Result<Traversal, String> {
        match text {
            "bfs" => Ok(Traversal::Breadth),
            "dfs" => Ok(Traversal::Depth),
            "random" => Ok(Traversal::Random),
            _ => Err(format!("unknown order `{text}`; the orders are `bfs`, `dfs` and `random`")),
        }
    }
}

impl fmt::Display for Traversal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Traversal::Breadth => "bfs",
            Traversal::Depth => "dfs",
            Traversal::Random => "random",
        })
    }
}

impl Campaign {
    /// Checks that the choices can be combined.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = self.contradiction().map_or(Ok(()), Err);
        wrong.map_err(|what| Error::BadRequest { what })
    }

    fn contradiction(&self) -> Option<String> {
        let which = self.which;
        let is_random_order = which == Which::States && self.order == Traversal::Random;
        if which == Which::States {
            let is_list_only = [
                (self.from.is_some() || self.to.is_some(), "a range of positions"),
                (self.shard.is_some(), "a shard"),
                (self.tests.is_some() && !is_random_order, "a number of tests"),
            ];
            if let Some((_, what)) = is_list_only.iter().find(|(given, _)| *given) {
                return Some(format!(
                    "{what} is for lists of tests, and the strategy `states` explores states: leave it out, or choose \
                     `be`, `random` or `bobw`"
                ));
            }
            if is_random_order && (self.length.is_none() || self.tests.is_none()) {
                return Some(
                    "the order `random` needs the length of the sequences and the number of tests".into(),
                );
            }
            if self.length.is_none() && self.max_states.is_none() && self.budget.is_none() {
                return Some(
                    "an exploration needs a limit, since the number of states may be infinite: give a length, a number \
                     of states or a budget"
                        .into(),
                );
            }
            return None;
        }
        let of_states = [
            (self.order != Traversal::default(), "an order"),
            (!self.matching.is_default(), "an abstraction"),
            (self.exact, "exact comparison"),
            (self.vouched, "vouching for the comparison of states"),
            (self.last_calls.is_some(), "a number of last calls"),
            (self.max_states.is_some(), "a number of states"),
        ];
        if let Some((_, what)) = of_states.iter().find(|(given, _)| *given) {
            return Some(format!(
                "{what} is for the strategy `states`, and `{which}` does not explore states: leave it out"
            ));
        }
        if self.length.is_none() {
            return Some(format!("the strategy `{which}` needs the length of the tests"));
        }
        if which.is_sample() && self.tests.is_none() {
            return Some(format!("the strategy `{which}` needs the number of tests"));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (name, which) in Which::NAMES {
            assert_eq!((name.parse(), which.to_string().as_str()), (Ok(which), name));
        }
        for name in ["bfs", "dfs", "random"] {
            assert_eq!(name.parse::<Traversal>().map(|order| order.to_string()), Ok(name.to_owned()));
        }
        for name in ["complete", "shape", "classical"] {
            assert_eq!(Matching::named(name, &[]).unwrap().to_string(), name);
        }
        let fields = ["red".to_owned(), "size".to_owned()];
        assert_eq!(Matching::named("shape", &fields).unwrap().to_string(), "shape and red, size");
        assert!(Matching::named("complete", &fields).is_err() && Matching::named("form", &[]).is_err());
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let check = |campaign: Campaign, expected: &str| {
            let message = campaign.check().map_or_else(|error| error.to_string(), |()| "fine".to_owned());
            assert!(message.contains(expected), "{message}");
        };
        let campaign = |which| Campaign { which, ..Campaign::default() };
        let states = || Campaign { length: Some(3), ..campaign(Which::States) };
        let be = || Campaign { length: Some(3), ..campaign(Which::Be) };
        check(campaign(Which::States), "an exploration needs a limit");
        check(states(), "fine");
        check(Campaign { max_states: Some(5), ..campaign(Which::States) }, "fine");
        check(Campaign { shard: Some((1, 2)), ..states() }, "a shard is for lists of tests");
        check(Campaign { tests: Some(9), ..states() }, "a number of tests is for lists");
        check(
            Campaign { order: Traversal::Random, ..states() },
            "the length of the sequences and the number of tests",
        );
        check(Campaign { order: Traversal::Random, tests: Some(9), ..states() }, "fine");
        check(campaign(Which::Bobw), "`bobw` needs the length");
        check(Campaign { which: Which::Random, ..be() }, "needs the number of tests");
        check(be(), "fine");
        check(Campaign { exact: true, ..be() }, "`be` does not explore states");
        check(Campaign { matching: Matching::Classical, ..be() }, "an abstraction is for");
    }
}
