//! What can go wrong: bounds that make no sense ([`Error`], before anything runs) and invariants that
//! misbehave ([`Failure`], with the candidate to replay).

use crate::candidate::Candidate;
use std::any::Any;
use std::fmt;

/// The bounds and the types do not fit together. Nothing was searched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bounds name something that the structure does not have.
    UnknownName {
        /// The kind of name: `type`, `field`, `pool`.
        what: &'static str,
        /// The name in the bounds.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A short name fits several types or fields.
    AmbiguousName {
        /// The name in the bounds.
        name: String,
        /// The full names it could mean.
        candidates: Vec<String>,
    },
    /// A field or class has no value to choose from.
    EmptyDomain {
        /// The field or class.
        at: String,
        /// What to do about it.
        why: String,
    },
    /// Two bounds contradict each other, or a bound cannot apply to its field.
    Contradiction {
        /// The field or class.
        at: String,
        /// The contradiction.
        why: String,
    },
    /// The bounded heap would not fit into memory.
    TooLarge {
        /// The field or class.
        at: String,
        /// How large it would be, and the limit.
        why: String,
    },
    /// The type of a field contains itself, and nothing bounds how deep.
    Recursive {
        /// The field.
        at: String,
    },
    /// The options do not go together.
    Options {
        /// Which ones, and what to do about it.
        why: String,
    },
    /// A recorded candidate does not fit the structure or the bounds any more.
    Stale {
        /// What does not fit.
        why: String,
    },
    /// Classes were requested, and the structure has none.
    NoClasses {
        /// The structure.
        of: String,
    },
    /// Disjoint parts were requested, but the structure has none.
    NotDisjoint {
        /// The field, class or structure.
        at: String,
        /// Why not, and what to do about it.
        why: String,
    },
    /// A value lies outside the bounds, so it has no candidate.
    OutOfBounds {
        /// The field whose value is not in its domain.
        at: String,
        /// The value, or the kind of problem.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownName { what, name, known } => {
                write!(
                    f,
                    "the bounds name the {what} `{name}`, which this structure does not have; it has "
                )?;
                match known.as_slice() {
                    [] => write!(f, "none"),
                    known => write!(f, "{}", Names(known)),
                }
            }
            Error::AmbiguousName { name, candidates } => {
                write!(f, "`{name}` is ambiguous; write one of {}", Names(candidates))
            }
            Error::EmptyDomain { at, why } => write!(f, "`{at}` has no value to choose from: {why}"),
            Error::Contradiction { at, why } => {
                write!(f, "the bounds of `{at}` contradict each other: {why}")
            }
            Error::TooLarge { at, why } => write!(f, "the bounds of `{at}` are too large: {why}"),
            Error::Recursive { at } => write!(
                f,
                "`{at}` cannot be laid out: its values contain such values again, to any depth; put them into a `Box`, which \
                 takes objects from a pool that the bounds limit: `BTreeMap<K, Box<T>>` instead of `BTreeMap<K, T>`, \
                 `Vec<Option<Box<T>>>` instead of `Vec<Option<T>>`"
            ),
            Error::Options { why } => write!(f, "the options do not go together: {why}"),
            Error::Stale { why } => write!(f, "the recorded candidate is stale: {why}"),
            Error::NoClasses { of } => write!(
                f,
                "the values of `{of}` are in no classes; to ask for classes, write `#[eq_class] impl Type {{ fn \
                 eq_class(&self) -> .. {{ .. }} }}`, with the same generics as its `#[rep_ok]`"
            ),
            Error::NotDisjoint { at, why } => write!(f, "no disjoint parts at `{at}`: {why}"),
            Error::OutOfBounds { at, why } => write!(f, "the value is outside the bounds at `{at}`: {why}"),
        }
    }
}

impl std::error::Error for Error {}

struct Names<'a>(&'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            write!(f, "{}`{name}`", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// The invariant, or code that runs with it, misbehaved on one candidate. The search stops there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub kind: FailureKind,
    /// Where: the candidate, complete enough to be replayed.
    pub candidate: Candidate,
}

/// The ways in which an invariant can misbehave.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// `rep_ok` panicked.
    PredicatePanicked {
        /// The panic's message.
        message: String,
    },
    /// A second run on the same candidate read other fields or gave another answer.
    NonDeterministic {
        /// The difference.
        difference: String,
    },
    /// `rep_ok` used up its budget of steps, or of stack.
    Endless {
        /// Which budget, and how large it was.
        budget: String,
    },
    /// The invariant accepts the candidate but rejects the value built from it, or the other way round.
    Disagreement {
        /// Which way round.
        difference: String,
    },
    /// `eq_class` panicked.
    ClassPanicked {
        /// The panic's message.
        message: String,
    },
    /// A second run of `eq_class` on the same candidate gave another class, or read other fields.
    ClassUnstable {
        /// The difference.
        difference: String,
    },
    /// `eq_class` used up its budget of steps, or of stack.
    ClassEndless {
        /// Which budget, and how large it was.
        budget: String,
    },
    /// Disjoint parts were requested, but they cannot be searched on their own.
    NotDisjoint {
        /// Why not, and what to do about it.
        why: String,
    },
    /// The candidate is valid but no real value can be built from it.
    Unbuildable {
        /// Why not.
        why: String,
    },
}

impl FailureKind {
    /// Whether it was `eq_class`, and not the invariant.
    pub fn is_about_classes(&self) -> bool {
        use FailureKind::{ClassEndless, ClassPanicked, ClassUnstable};
        matches!(self, ClassEndless { .. } | ClassPanicked { .. } | ClassUnstable { .. })
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::PredicatePanicked { message } => write!(f, "the invariant panicked: {message}"),
            FailureKind::NonDeterministic { difference } => write!(
                f,
                "the invariant is not deterministic: {difference}; iteration over a HashMap or HashSet, time, \
                 random numbers, addresses, statics and thread-locals are the usual causes"
            ),
            FailureKind::Endless { budget } => write!(
                f,
                "the invariant did not end within {budget}; a loop over links needs a visited set \
                 (smallscope::Visited) or a count"
            ),
            FailureKind::Disagreement { difference } => write!(f, "{difference}"),
            FailureKind::ClassPanicked { message } => {
                write!(f, "`eq_class` panicked on a valid value: {message}")
            }
            FailureKind::ClassUnstable { difference } => write!(
                f,
                "the class of a value is not stable: {difference}; addresses in the class, iteration over a HashMap or \
                 HashSet, time, random numbers, statics and thread-locals are the usual causes"
            ),
            FailureKind::ClassEndless { budget } => {
                write!(f, "`eq_class` did not end within {budget}")
            }
            FailureKind::NotDisjoint { why } => write!(f, "the parts cannot be searched apart: {why}"),
            FailureKind::Unbuildable { why } => {
                write!(f, "no value can be built from a valid candidate: {why}")
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (candidate {})", self.kind, self.candidate)
    }
}

impl std::error::Error for Failure {}

/// Returns the message of a panic.
pub(crate) fn panic_message(thrown: Box<dyn Any + Send>) -> String {
    let text = thrown.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| thrown.downcast_ref::<String>().cloned());
    // The payload may have a destructor that panics.
    std::mem::forget(thrown);
    text.unwrap_or_else(|| "(no message)".into())
}
