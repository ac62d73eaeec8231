//! How to search, as opposed to what ([`crate::Bounds`]).

use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// Which engine decides the next candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Engine {
    /// Decides what the invariant asks instead of what fields hold: comparisons, not values. Ownership is known: a `Box`
    /// is none or fresh, mandatory objects are reserved, no value has an object without an owner. The default.
    #[default]
    Lazy,
    /// The published algorithm with what Rust knows about ownership: values are decided, one by one.
    Owned,
    /// The published algorithm to the candidate: every pointer may alias, as in Java.
    Korat,
}

impl Engine {
    /// Whether every pointer may alias; otherwise ownership is respected.
    pub(crate) fn aliases(self) -> bool {
        self == Engine::Korat
    }

    /// Whether questions are decided in place of values.
    pub(crate) fn decides_questions(self) -> bool {
        self == Engine::Lazy
    }
}

impl FromStr for Engine {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "lazy" => Ok(Engine::Lazy),
            "owned" => Ok(Engine::Owned),
            "korat" => Ok(Engine::Korat),
            _ => Err(format!("unknown engine `{s}`; the engines are `lazy`, `owned` and `korat`")),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Lazy => "lazy",
            Engine::Owned => "owned",
            Engine::Korat => "korat",
        })
    }
}

/// Settings of a search.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// Build rejected candidates too, and check that the real invariant rejects them.
    pub audit: bool,
    /// Re-run one candidate in this many, to detect invariants that are not deterministic; 0 is never.
    /// The first 16 candidates are always checked unless it is 0.
    pub recheck_every: u32,
    /// Delivers one of all values that differ only in their [`Key`](crate::Key)s and not in how the keys compare. Keys whose
    /// value the invariant reads are excepted. Only the lazy engine can do that.
    pub order_types: bool,
    /// What the lazy engine does beyond deciding questions.
    pub lazy: Improvements,
    /// How the search uses the classes of `#[eq_class]`.
    pub classes: Classes,
    /// Whether disjoint parts are searched on their own, and then combined.
    pub disjoint: Disjoint,
    /// Whether helpers of the invariant are answered for groups of subtrees. Only the lazy engine can do that.
    pub summaries: Summaries,
}

/// Whether helpers of the invariant are answered for groups of subtrees. The set of values does not depend on it; their
/// order does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Summaries {
    /// No: the search reads what the helpers read. The default.
    #[default]
    Off,
    /// If a small scope shows that it takes fewer runs, and finds the same number of values with and without.
    Auto,
    /// Wherever that is possible.
    On,
}

impl FromStr for Summaries {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "off" => Ok(Summaries::Off),
            "auto" => Ok(Summaries::Auto),
            "on" => Ok(Summaries::On),
            _ => Err(format!("unknown treatment of helpers `{s}`; there are `auto`, `on` and `off`")),
        }
    }
}

impl fmt::Display for Summaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Summaries::Off => "off",
            Summaries::Auto => "auto",
            Summaries::On => "on",
        })
    }
}

/// Whether disjoint parts are searched on their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Disjoint {
    /// No: there is one search for everything. The default.
    #[default]
    Off,
    /// If there are parts, and they are found quickly; otherwise there is one search for everything, and
    /// [`AnySearch::why_direct`](crate::AnySearch::why_direct) says why.
    Auto,
    /// Yes, and it is an error if that cannot be done.
    On,
}

impl FromStr for Disjoint {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "off" => Ok(Disjoint::Off),
            "auto" => Ok(Disjoint::Auto),
            "on" => Ok(Disjoint::On),
            _ => Err(format!("`{s}` does not say how to treat disjoint parts: write `on`, `off` or `auto`")),
        }
    }
}

impl fmt::Display for Disjoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Disjoint::Off => "off",
            Disjoint::Auto => "auto",
            Disjoint::On => "on",
        })
    }
}

/// How the search uses the classes of `#[eq_class]`. Every mode covers all classes within the bounds; the modes differ in how
/// many values of each class they deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Classes {
    /// `eq_class` does not run.
    #[default]
    Ignored,
    /// All values are delivered, and counted by class.
    All,
    /// A value stands for all that have the same class for the same reason: one value is delivered per distinct set of
    /// decisions that `eq_class` has read.
    Pruned,
    /// The first value of each class is delivered.
    One,
}

impl FromStr for Classes {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "all" => Ok(Classes::All),
            "pruned" => Ok(Classes::Pruned),
            "one" => Ok(Classes::One),
            _ => Err(format!(
                "unknown choice of classes `{s}`; there are `all` (all values, counted by class), `pruned` (a value for \
                 each reason to be in a class) and `one` (one value of each class)"
            )),
        }
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Classes::Ignored => "ignored",
            Classes::All => "all",
            Classes::Pruned => "pruned",
            Classes::One => "one",
        })
    }
}

/// What the lazy engine does beyond deciding questions. Each can be turned off, to see what it is worth, and to check that
/// the values are the same without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Improvements {
    /// Answers that refute the invariant, as its source says, are not tried.
    pub promises: bool,
    /// Conjuncts that are known to hold are not evaluated again.
    pub resume: bool,
    /// The conjuncts of the invariant are evaluated in the order that takes the fewest runs in a small scope.
    pub order: bool,
    /// The values of a valid path are counted up by a compiled plan.
    pub plan: bool,
}

impl Improvements {
    /// None of them.
    pub const NONE: Improvements = Improvements { promises: false, resume: false, order: false, plan: false };
}

impl Improvements {
    /// All of them.
    pub const ALL: Improvements = Improvements { promises: true, resume: true, order: true, plan: true };
}

impl Default for Improvements {
    fn default() -> Self {
        Improvements::ALL
    }
}

impl Default for Options {
    fn default() -> Self {
        Options::DEFAULT
    }
}

impl Options {
    /// The defaults.
    pub const DEFAULT: Options = Options {
        engine: Engine::Lazy,
        audit: false,
        recheck_every: 1024,
        order_types: false,
        lazy: Improvements::ALL,
        classes: Classes::Ignored,
        disjoint: Disjoint::Off,
        summaries: Summaries::Off,
    };

    /// Checks that the options fit together. [`Disjoint::Auto`] becomes [`Disjoint::Off`] where other options rule parts out.
    pub(crate) fn settled(mut self) -> Result<Options, Error> {
        let refused = |why: String| Err(Error::Options { why });
        if self.order_types && self.engine != Engine::Lazy {
            return refused(format!("order types are for the engine `lazy`, and this is `{}`", self.engine));
        }
        let by_class = self.classes != Classes::Ignored;
        if self.order_types && by_class {
            return refused("values are sorted by class or by the order of their keys, not by both".into());
        }
        if self.order_types || by_class {
            if self.disjoint == Disjoint::On {
                return refused(
                    "classes and the order of keys are about whole values, so disjoint parts are not searched apart".into(),
                );
            }
            self.disjoint = Disjoint::Off;
        }
        Ok(self)
    }

    /// The same, with disjoint parts searched on their own.
    ///
    /// ```
    /// # use smallscope_core::{Disjoint, Options};
    /// assert_eq!(Options::default().disjoint().disjoint, Disjoint::On);
    /// ```
    #[inline]
    pub fn disjoint(self) -> Options {
        Options { disjoint: Disjoint::On, ..self }
    }

    /// The published algorithm, to the candidate, and nothing else.
    #[inline]
    pub fn korat() -> Self {
        Options { engine: Engine::Korat, recheck_every: 0, ..Options::default() }
    }

    /// The defaults with audit mode on.
    #[inline]
    pub fn audited() -> Self {
        Options { audit: true, ..Options::default() }
    }
}
