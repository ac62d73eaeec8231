//! Which mutants of an operation which suites kill, in this process.
//!
//! The code of the operations has no `unsafe`, does not exit, and its mutants have limited steps, so they cannot take the
//! process down. Each thread searches for all values and runs some of the mutants on them.

use crate::Operation;
use smallscope::Bounds;
use smallscope::mutation::{self, Known, Switch};
use smallscope::search::Options;
use smallscope_catalogue::registry::CountError;
use smallscope_support::mutation::{begin_case, forget_reached};
use smallscope_support::panics;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The steps of a mutant on one value, besides a multiple of those of the original.
const STEPS: u64 = 10_000;
/// That multiple.
const TIMES: u64 = 20;
/// Mutants that recurse end by their steps, not by the stack.
const STACK: usize = 256 << 20;

/// A mutant, and which suites kill it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The mutant.
    pub known: Known,
    /// Why it does the same as the original, if that is known.
    pub equivalent: Option<&'static str>,
    /// For each suite, the number of its first value on which the test fails.
    pub first: Vec<Option<u64>>,
}

/// Runs the mutants of an operation on suites, each up to the first value of a suite that kills it. A suite is the set of
/// the numbers of its values, from 1. Mutants that are marked as equivalent are listed, but not run.
///
/// Returns the number of values, and the mutants whose code some value reaches, by file and line.
///
/// # Errors
///
/// If the bounds do not fit the structure, or its invariant panics.
pub fn measure(
    operation: &Operation,
    bounds: &Bounds,
    options: Options,
    suites: &[BTreeSet<u64>],
    threads: usize,
) -> Result<(u64, Vec<Measured>), CountError> {
    // What is reached is recorded for the whole process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let own = bounds.clone();
    let (values, steps, known) = on_own_stack(move || reach(operation, &own, options))?;
    let mut all: Vec<Measured> = known
        .into_iter()
        .filter(|known| known.is_suitable && known.is_reached)
        .map(|known| {
            let equivalent = known.mutant.equivalent.or_else(|| operation.reason(&known.id));
            Measured { known, equivalent, first: vec![None; suites.len()] }
        })
        .collect();
    let mut parts: Vec<Vec<&mut Measured>> = vec![];
    parts.resize_with(threads.max(1), Vec::new);
    for (place, measured) in all.iter_mut().filter(|measured| measured.equivalent.is_none()).enumerate() {
        parts[place % threads.max(1)].push(measured);
    }
    let limit = STEPS + TIMES * steps;
    let ends: Vec<Result<(), CountError>> = std::thread::scope(|scope| {
        let mut threads = vec![];
        for part in parts {
            let own = bounds.clone();
            let run = move || kill(operation, &own, options, suites, limit, part);
            threads.push(scope.spawn(move || on_own_stack(run)));
        }
        threads.into_iter().map(|thread| thread.join().expect("panics of mutants are caught")).collect()
    });
    ends.into_iter().collect::<Result<(), _>>()?;
    Ok((values, all))
}

/// Runs the original on all values. Returns how many there are, the most steps on one of them, and the mutants.
fn reach(
    operation: &Operation,
    bounds: &Bounds,
    options: Options,
) -> Result<(u64, u64, Vec<Known>), CountError> {
    forget_reached();
    let mut steps = 0;
    let values = (operation.each)(bounds, options, &mut |_, test| {
        begin_case(u64::MAX);
        mutation::recording(test);
        steps = steps.max(begin_case(u64::MAX));
        true
    })?;
    // Other code of the process may have mutants, too.
    let folder = Path::new(file!()).parent();
    let own = mutation::mutants().into_iter().filter(|known| Path::new(known.file).parent() == folder);
    Ok((values, steps, own.collect()))
}

/// Runs mutants on the values of the suites.
fn kill(
    operation: &Operation,
    bounds: &Bounds,
    options: Options,
    suites: &[BTreeSet<u64>],
    limit: u64,
    mutants: Vec<&mut Measured>,
) -> Result<(), CountError> {
    let mut left: Vec<(Switch, &mut Measured)> = vec![];
    for measured in mutants {
        let switch = Switch::of(&measured.known.id).expect("the mutant is listed");
        left.push((switch, measured));
    }
    (operation.each)(bounds, options, &mut |number, test| {
        let within: Vec<usize> = (0..suites.len()).filter(|suite| suites[*suite].contains(&number)).collect();
        if within.is_empty() {
            return true;
        }
        for (switch, measured) in &mut left {
            if within.iter().all(|suite| measured.first[*suite].is_some()) {
                continue;
            }
            begin_case(limit);
            if panics::catch(|| switch.run(test)).is_err() {
                within.iter().for_each(|suite| {
                    measured.first[*suite].get_or_insert(number);
                });
            }
        }
        left.retain(|(_, measured)| measured.first.iter().any(Option::is_none));
        !left.is_empty()
    })?;
    begin_case(u64::MAX);
    Ok(())
}

/// Runs a function on a thread with a large stack.
fn on_own_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread can be started").join().expect("panics of mutants are caught")
    })
}
