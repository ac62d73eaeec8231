//! The experiment of section 6 of paper 004: which mutants of the units can be killed at all, then by what.
//!
//! The oracle is the original, run in lockstep: every call must end in the same way and return the same.

use crate::experiment::{Unfinished, Watch};
use crate::measure::processor_seconds;
use smallscope::mutation;
use smallscope::sequences::{Context, Error, Report, Runner, Strategy};
use smallscope_containers::contexts::{Mutant, Unit, units};
use smallscope_support::hash::Fnv;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Our names of the sixteen units, by the published ones.
pub(super) const UNITS: [(&str, &str); 16] = [
    ("ArrayList", "ArrayList"),
    ("EnumMap", "EnumMap"),
    ("HashMap", "HashMap"),
    ("HashSet", "HashSet"),
    ("Hashtable", "Hashtable"),
    ("IHashMap", "IdentityMap"),
    ("LHashMap", "LinkedHashMap"),
    ("LHashSet", "LinkedHashSet"),
    ("LinkedList", "LinkedList"),
    ("PQueue", "PriorityQueue"),
    ("Properties", "Properties"),
    ("Stack", "Stack"),
    ("TreeMap", "TreeMap"),
    ("TreeSet", "TreeSet"),
    ("Vector", "Vector"),
    ("WHashMap", "WeakHashMap"),
];

/// The tests of each length, as in the paper.
pub(super) const TESTS: u64 = 1000;

/// How many tests of a length are tried in tree order to find out whether a mutant can be killed. The paper: half an hour.
const EXHAUSTIVE_TESTS: u64 = 50_000;

/// What the published generator adds to the index: a large prime number. The paper does not say which.
const PRIME: u64 = 1_000_000_007;

/// Endless recursion takes many steps before it is stopped.
const STACK: usize = 256 << 20;

/// A unit, and what can be killed.
pub(super) struct Studied {
    pub(super) lines: usize,
    /// The mutants that were compiled and have an effect on the types.
    pub(super) mutants: usize,
    pub(super) killed: Vec<Pair>,
    /// Killed by tests in tree order and not by random ones.
    pub(super) only_exhaustive: usize,
}

/// A mutant next to the original.
pub(super) struct Pair {
    /// Each mutant has its own tests: with the same tests for all, chance would look like a difference between strategies.
    seed: u64,
    ours: Context,
    gold: Context,
}

/// What a strategy found.
pub(super) struct Found {
    /// The number of the first failing test, from one on.
    pub(super) first: Option<u64>,
    pub(super) failing: u64,
}

/// Which tests are run.
#[derive(Clone, Copy)]
pub(super) enum Which {
    /// The paper's *R*: methods are drawn, then their arguments.
    Paths,
    /// Calls are drawn.
    Random,
    Bobw,
    /// The published generator.
    Linear,
    Be,
}

impl Pair {
    /// Runs some tests of a length, up to the first one that fails unless all are counted.
    pub(super) fn run(&self, which: Which, length: usize, tests: u64, all: bool) -> Result<Found, Error> {
        let ours = &self.ours;
        let strategy = match which {
            Which::Paths => Strategy::random_paths(ours, length, tests, self.seed),
            Which::Random => Strategy::random(ours, length, tests, self.seed),
            Which::Bobw => Strategy::bobw(ours, length, self.seed),
            Which::Linear => Strategy::linear(ours, length, PRIME),
            Which::Be => Strategy::be(ours, length),
        };
        let runner = Runner::new(ours, strategy?).gold(&self.gold).without_shrinking().max_tests(tests);
        let report = if all { runner.keep_going() } else { runner }.run()?;
        Ok(Found { first: first_of(&report), failing: report.failing })
    }

    fn is_killed(&self, which: Which, lengths: [usize; 3], tests: u64) -> Result<bool, Error> {
        for length in lengths {
            if self.run(which, length, tests, false)?.first.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn first_of(report: &Report) -> Option<u64> {
    let position = &report.clusters.first()?.first.position;
    Some(u64::try_from(position).expect("not that many tests were run") + 1)
}

/// Studies a unit by its published name; once in a process.
pub(super) fn studied(published: &str, watch: &Watch<'_>) -> Result<Arc<Studied>, Unfinished> {
    type Place = Arc<Mutex<Option<Arc<Studied>>>>;
    static KNOWN: Mutex<BTreeMap<&str, Place>> = Mutex::new(BTreeMap::new());
    let name = UNITS.iter().find(|(name, _)| *name == published).map(|(_, ours)| *ours);
    let name = name.ok_or_else(|| Unfinished::because("there is no such unit"))?;
    let place = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default().clone();
    let mut known = place.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(studied) = &*known {
        return Ok(studied.clone());
    }
    let unit = units().into_iter().find(|unit| unit.name == name).expect("a unit of the containers");
    let studied = Arc::new(on_own_stack(|| study(unit, watch))?);
    *known = Some(studied.clone());
    Ok(studied)
}

fn study(unit: Unit, watch: &Watch<'_>) -> Result<Studied, Unfinished> {
    let ids = mutants(unit).map_err(Unfinished::because)?;
    let mut studied = Studied { lines: unit.lines(), mutants: ids.len(), killed: vec![], only_exhaustive: 0 };
    for id in ids {
        watch.check()?;
        let mutant = Mutant::of(&id).map_err(Unfinished::because)?;
        let contexts = unit.context(Some(mutant)).and_then(|ours| Ok((ours, unit.context(None)?)));
        let (ours, gold) = contexts.map_err(Unfinished::because)?;
        let pair = Pair { seed: Fnv::new().add_text(&id).value(), ours, gold };
        let by_chance = pair.is_killed(Which::Paths, [10, 100, 1000], TESTS).map_err(Unfinished::because)?;
        if by_chance || pair.is_killed(Which::Be, [3, 4, 5], EXHAUSTIVE_TESTS).map_err(Unfinished::because)? {
            studied.only_exhaustive += usize::from(!by_chance);
            studied.killed.push(pair);
        }
    }
    Ok(studied)
}

/// The mutants of a unit: those of its files, without changes that its types do not have. Its code runs for that.
fn mutants(unit: Unit) -> Result<Vec<String>, Error> {
    let (ours, gold) = (unit.context(None)?, unit.context(None)?);
    let strategy = Strategy::random_paths(&ours, 1024, 100, 1)?;
    let report = mutation::recording(|| Runner::new(&ours, strategy).gold(&gold).run())?;
    assert_eq!(report.failing, 0, "{} differs from itself: {report}", unit.name);
    let is_own = |file: &str| {
        let path = Path::new(file);
        unit.files.iter().any(|own| path.ends_with(own))
            && path.iter().any(|part| part.to_string_lossy().contains("containers"))
    };
    let known = mutation::mutants().into_iter().filter(|known| is_own(known.file) && known.is_suitable);
    Ok(known.map(|known| known.id).collect())
}

/// Runs a function on a thread with a large stack.
pub(super) fn on_own_stack<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread can be started").join().expect("panics of mutants are caught")
    })
}

/// Does something with every mutant that can be killed, one after the other.
pub(super) fn each<R: Send>(
    watch: &Watch<'_>,
    visit: impl Fn(&Pair) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Unfinished> {
    let mut results = vec![];
    for (name, _) in UNITS {
        let studied = studied(name, watch)?;
        let part: Result<Vec<R>, Unfinished> = on_own_stack(|| {
            let visit = |pair: &Pair| {
                watch.check()?;
                visit(pair).map_err(Unfinished::because)
            };
            studied.killed.iter().map(visit).collect()
        });
        results.extend(part?);
    }
    Ok(results)
}

/// Runs something, and returns the processor time that it took, in seconds.
pub(super) fn timed<R>(run: impl FnOnce() -> R) -> (R, f64) {
    let (clock, processor) = (std::time::Instant::now(), processor_seconds());
    let result = run();
    let used = processor_seconds().zip(processor).map(|(end, start)| end - start);
    (result, used.unwrap_or_else(|| clock.elapsed().as_secs_f64()))
}
