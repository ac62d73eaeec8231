//! Summaries: a helper of the invariant is answered for whole groups of subtrees.
//!
//! Natural invariants are made of recursive helpers over owned trees: `count`, `height`, `type_of(term, context)`. A search
//! that reads what they read decides every node before the second helper refutes what the first one has accepted. Instead,
//! what code asks about a subtree is an *observation*: a helper with its arguments, or a field of the top node. An
//! observation splits a group of subtrees by the answers, and the split is kept (`store`). To find the answers, the body of
//! the helper runs on each rule of the group (`jobs`). There what the top node owns is abstract, so calls on it are
//! observations again, of smaller groups (`frame`). The second observation of a subtree splits the group that the first
//! one has left. A body runs once for all rules on which it asks the same and gets the same answers (`traces`).
//!
//! The invariant is an observation of the root. The roots with the answer *true* are the result, and a search follows its
//! rules (`rules`). It runs the conjuncts that are not part of the summary on each candidate, and the real invariant checks
//! each value that is built, so a summary never adds a value.
//!
//! # What may be summarised
//!
//! A call may be answered for a group if its result is a function of the subtree and the arguments. Types say most of that:
//! arguments and results own their data ([`Plain`]), and one argument is a subtree. The rest is found out while a body runs:
//! if it reaches an object that is not part of its subtree, or compares open keys, the run ends with `Outside`, and
//! the helper is read from then on: its body runs in its caller. A conjunct of the invariant that does so itself is left out
//! of the summary, and the search runs it behind the others.
//!
//! An answer that refutes the invariant, as the caller has promised, is left out of the split: no valid value has such a
//! subtree there.
//!
//! # One run at a time
//!
//! If the answer to an observation is missing, the run that needs it ends, the answer is found, and the run is repeated. So
//! there is one heap and one run at any time, however deep the calls are.

mod audit;
mod evaluation;
mod frame;
mod helper;
mod jobs;
mod limits;
mod lists;
mod log;
mod store;
mod traces;

pub use crate::rules::{Natural, Population, Shape};
pub(crate) use audit::DIFFERS;
pub use helper::{Borrowed, Call, HelperSite, NoOutcome, NotSummarised, Outcome, Plain, Promised, YesOrNo};
pub(crate) use jobs::{Summary, TOO_MANY, summarise};
pub(crate) use limits::given as limits;
pub use limits::{Limits, with_limits};
pub use lists::{Folded, ListItems, Mapped, NotFolded, NotListed, Scalar, folded, mapped};
pub use log::{Group, Known, Node, Step, logged};

use crate::guard::CAN_UNWIND;
use crate::invariant::Structure;
use crate::options::{Engine, Options};
use crate::rules::NodeTypes;
use std::fmt;

/// What summaries have found out about an invariant, and what that took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Runs of the invariant or of one helper on one node.
    pub runs: u64,
    /// The helpers that are answered for groups of subtrees.
    pub helpers: Vec<&'static str>,
    /// The helpers that are read, because their results depend on more than the subtree and the arguments.
    pub read: Vec<&'static str>,
    /// The conjuncts that run on each candidate, and are not part of the summary.
    pub residual: Vec<&'static str>,
    /// How many rules all groups have together.
    pub rules: usize,
    /// Runs on whole subtrees that were compared with what their groups say.
    pub audited: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { runs, helpers, read, residual, rules, audited } = self;
        writeln!(f, "summarised helpers: {} ({runs} runs, {rules} rules)", helpers.join(", "))?;
        if !read.is_empty() {
            let why = "their results depend on open keys, or on more than the subtree and the arguments";
            writeln!(f, "helpers that are read: {} ({why})", read.join(", "))?;
        }
        if *audited > 0 {
            writeln!(f, "audited: {audited} answers of helpers on whole subtrees are those of their groups")?;
        }
        residual.iter().try_for_each(|text| writeln!(f, "runs on each candidate: {text}"))
    }
}

/// Whether the helpers of an invariant may be summarised, as far as the options say.
pub(crate) fn are_possible(structure: Structure, options: Options) -> Result<(), String> {
    if options.engine != Engine::Lazy {
        return Err(format!("they are for the engine `lazy`, and this is `{}`", options.engine));
    }
    if !CAN_UNWIND {
        return Err("panics do not unwind".into());
    }
    if options.order_types {
        return Err("order types are searched for".into());
    }
    NodeTypes::of(structure.heap.layout).map(|_| ())
}
