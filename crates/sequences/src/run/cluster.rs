//! Groups similar failures.

use std::fmt;

use num_bigint::BigUint;
use smallscope_support::panics;

use super::Runner;
use super::examiner::Examiner;
use super::oracle::{Fault, Oracles};
use super::shrink::shrink;
use crate::context::{CallId, Context, Error};
use crate::test::Test;

/// What the failures of a cluster have in common: the method, the kind of fault, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    method: usize,
    kind: u8,
    detail: String,
}

impl Key {
    pub(crate) fn of(context: &Context, call: CallId, fault: &Fault) -> Key {
        let (kind, detail) = match fault {
            Fault::Panic(panic) => (0, panic.location().unwrap_or(&panic.message).to_owned()),
            Fault::Invariant { type_name } => (1, type_name.clone()),
            // The values depend on the test, so only the kind of result counts.
            Fault::Gold { ours, gold } => {
                let word = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
                (2, format!("{} {}", word(ours), word(gold)))
            }
            Fault::Assertion { message } => (3, message.clone()),
            Fault::Endless { .. } => (4, String::new()),
            Fault::Died { how } => (6, how.clone()),
            Fault::State(panic) => (5, panic.location().unwrap_or(&panic.message).to_owned()),
        };
        Key { method: context.decode(call).method, kind, detail }
    }
}

/// Similar failures.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// The number of tests that failed in this way.
    pub failing: u64,
    /// The first of them.
    pub first: Failure,
}

/// A failing test.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Its position in the strategy; for explorations, its number among the failures.
    pub position: BigUint,
    /// The test as it was found.
    pub test: Test,
    /// The smallest test that was found to fail in the same way.
    pub shrunk: Test,
    /// What is wrong after the last call of the shrunk test.
    pub fault: Fault,
    /// The shrunk test in Rust.
    pub source: String,
}

impl Failure {
    /// Describes a failing test, and reduces it if `key` is given.
    pub(crate) fn new<'a>(
        context: &'a Context,
        examiner: &mut Examiner<'a>,
        position: BigUint,
        calls: &[CallId],
        key: Option<&Key>,
    ) -> Failure {
        let shrunk = key.map_or_else(|| calls.to_vec(), |key| shrink(context, examiner, calls, key));
        let described = examiner.describe(&shrunk).or_else(|| examiner.describe(calls));
        let fault = described.map(|(_, fault)| fault).unwrap_or_else(|| Fault::Assertion {
            message: "failed once, but not when it was run again: the code under test is not deterministic"
                .into(),
        });
        let (test, shrunk) = (Test::of(calls), Test::of(&shrunk));
        let source = shrunk.to_source(context);
        Failure { position, test, shrunk, fault, source }
    }

    /// A state that cannot be cloned or linearized, which only an exploration finds. Breadth first, its sequence is a
    /// shortest one.
    fn of_state(context: &Context, position: BigUint, calls: &[CallId], fault: Fault) -> Failure {
        let test = Test::of(calls);
        Failure { position, shrunk: test.clone(), fault, source: test.to_source(context), test }
    }
}

/// Groups failures in the order in which they were found, and reduces the first of each group.
pub(crate) fn clusters_of(
    context: &Context,
    oracles: Oracles<'_>,
    failures: Vec<(Vec<CallId>, Fault)>,
) -> Vec<Cluster> {
    let mut keys: Vec<Key> = vec![];
    let mut clusters: Vec<Cluster> = vec![];
    let mut examiner = Examiner::new(context, oracles);
    panics::silently(|| {
        for (position, (calls, fault)) in failures.into_iter().enumerate() {
            let Some(last) = calls.last() else { continue };
            let key = Key::of(context, *last, &fault);
            if let Some(known) = keys.iter().position(|other| *other == key) {
                clusters[known].failing += 1;
                continue;
            }
            let position = BigUint::from(position);
            let first = match &fault {
                Fault::State(_) => Failure::of_state(context, position, &calls, fault),
                _ => Failure::new(context, &mut examiner, position, &calls, Some(&key)),
            };
            clusters.push(Cluster { failing: 1, first });
            keys.push(key);
        }
    });
    clusters
}

/// Groups failures that are known by the positions of their tests, with how many each stands for, and reduces the first of
/// each group.
pub(crate) fn clusters_at(runner: &Runner<'_>, failures: &[(u64, BigUint)]) -> Result<Vec<Cluster>, Error> {
    let context = runner.context;
    let mut examiner = Examiner::new(context, runner.options.oracles());
    let mut keys: Vec<Key> = vec![];
    let mut clusters: Vec<Cluster> = vec![];
    for (failing, position) in failures {
        let strategy = runner.strategy.within(position.clone()..position + 1u8)?;
        let mut cursor = strategy.cursor(0);
        let calls = cursor.next().unwrap_or_default();
        let Some((at, fault)) = examiner.run(calls) else {
            return Err(Error::BadRequest {
                what: format!(
                    "the test at position {position} failed in a shard and does not fail here: the code under test is not \
                     deterministic"
                ),
            });
        };
        let key = Key::of(context, calls[at], &fault);
        if let Some(known) = keys.iter().position(|other| *other == key) {
            clusters[known].failing += failing;
            continue;
        }
        let first = Failure::new(context, &mut examiner, position.clone(), calls, Some(&key));
        clusters.push(Cluster { failing: *failing, first });
        keys.push(key);
    }
    Ok(clusters)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.source.lines() {
            writeln!(f, "    {line}")?;
        }
        // A message may have several lines.
        write!(f, "    // {}", self.fault.to_string().replace('\n', "\n    // "))
    }
}
