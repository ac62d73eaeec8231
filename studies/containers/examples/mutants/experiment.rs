//! The experiment of section 6 of the paper: first which mutants can be killed at all, then by what.
//!
//! The oracle is the original, run in lockstep: every call must end in the same way and return the same.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use smallscope_containers::contexts::{MutatedContainer, mutated_containers};
use smallscope_containers::mutation::Mutant;
use smallscope_sequences::{BigUint, Context, Error, Report, Runner, Strategy, Test};

/// The lengths of tests, as in the paper.
pub const LENGTHS: [usize; 15] = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256, 512, 1024];

/// The paper runs the bounded-exhaustive strategy up to this length.
pub const LONGEST_EXHAUSTIVE: usize = 8;

/// How many tests of a length are tried in tree order to find out whether a mutant can be killed.
const EXHAUSTIVE_TESTS: u64 = 200_000;

/// For this many seeds, all failing tests are counted. A density is a mean over many mutants and tests, so it hardly
/// depends on seeds.
const COUNTED_SEEDS: u64 = 1;

/// What the published generator adds to the index: a large prime number. The paper does not say which.
const PRIME: u64 = 1_000_000_007;

pub struct Settings {
    pub seeds: u64,
    pub tests: u64,
}

/// The ways to choose tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Technique {
    /// `random`: calls are drawn.
    Random,
    /// `random_paths`, the paper's *R*: methods are drawn, then their arguments.
    Paths,
    /// `bobw`.
    Bobw,
    /// The generator of the paper: the index grows by a prime number.
    Published,
    /// `be`.
    Be,
}

/// The result of one technique on one mutant, with one length and one seed.
#[derive(Debug, Clone, Copy)]
pub struct Trial {
    pub technique: Technique,
    pub length: usize,
    pub seed: u64,
    /// The number of the first failing test, from one on.
    pub first: Option<u64>,
    pub tests: u64,
    /// How many failed, if that was counted.
    pub failing: Option<u64>,
}

/// A mutant that can be killed, and everything that was tried on it.
pub struct Killed {
    pub trials: Vec<Trial>,
}

/// What was found for a container.
pub struct PerContainer {
    pub name: &'static str,
    pub calls: u64,
    pub mutants: usize,
    pub killed: usize,
    /// Killed by tests in tree order and not by random ones.
    pub only_exhaustive: usize,
}

pub struct Findings {
    pub containers: Vec<PerContainer>,
    pub killed: Vec<Killed>,
    /// Mutants that no test killed.
    pub alive: Vec<Mutant>,
    pub seeds: u64,
    pub tests: u64,
}

impl Findings {
    pub fn collect(mutants: &[Mutant], settings: &Settings) -> Result<Findings, Error> {
        let containers = mutated_containers();
        // The tests of the published generator are the same for all mutants of a container.
        let mut listed = HashMap::new();
        for container in
            containers.iter().filter(|container| mutants.iter().any(|m| m.container == container.name))
        {
            agrees_with_itself(*container)?;
            let context = container.context(0)?;
            let tests = LENGTHS.map(|length| published(&context, length, settings.tests));
            listed.insert(container.name, tests.into_iter().collect::<Result<Vec<_>, _>>()?);
        }
        let next = AtomicUsize::new(0);
        let found = Mutex::new(vec![]);
        let work = || {
            while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                let container = containers.iter().find(|container| container.name == mutant.container);
                let container = container.expect("each mutant belongs to a container");
                let examined = examine(*container, mutant, settings, &listed[container.name]);
                let mut found = found.lock().expect("no thread panics");
                found.push((*mutant, examined));
                if found.len() % 50 == 0 {
                    eprintln!("{} of {} mutants", found.len(), mutants.len());
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                // Endless recursion takes many steps before it is stopped.
                let thread = std::thread::Builder::new().stack_size(256 << 20);
                thread.spawn_scoped(scope, work).expect("threads can be started");
            }
        });
        let mut found = found.into_inner().expect("no thread panics");
        found.sort_by_key(|(mutant, _)| mutant.number);
        let mut findings = Findings {
            containers: vec![],
            killed: vec![],
            alive: vec![],
            seeds: settings.seeds,
            tests: settings.tests,
        };
        for container in containers {
            let calls = container.context(0)?.calls();
            let per = PerContainer { name: container.name, calls, mutants: 0, killed: 0, only_exhaustive: 0 };
            findings.containers.push(per);
        }
        for (mutant, examined) in found {
            let container =
                findings.containers.iter_mut().find(|container| container.name == mutant.container);
            let container = container.expect("each mutant belongs to a container");
            container.mutants += 1;
            match examined? {
                Examined::Alive => findings.alive.push(mutant),
                Examined::Killed { trials, is_only_exhaustive } => {
                    container.killed += 1;
                    container.only_exhaustive += usize::from(is_only_exhaustive);
                    findings.killed.push(Killed { trials });
                }
            }
        }
        Ok(findings)
    }

    pub fn trials(&self, technique: Technique, length: usize) -> impl Iterator<Item = &Trial> {
        let trials = self.killed.iter().flat_map(|killed| &killed.trials);
        trials.filter(move |trial| trial.technique == technique && trial.length == length)
    }
}

/// Compares the original with itself, by long tests.
fn agrees_with_itself(container: MutatedContainer) -> Result<(), Error> {
    let (ours, gold) = (container.context(0)?, container.context(0)?);
    let report = Runner::new(&ours, Strategy::random(&ours, 1024, 200, 1)?).gold(&gold).run()?;
    assert_eq!(report.failing, 0, "{}: {report}", container.name);
    Ok(())
}

enum Examined {
    Alive,
    Killed { trials: Vec<Trial>, is_only_exhaustive: bool },
}

fn examine(
    container: MutatedContainer,
    mutant: &Mutant,
    settings: &Settings,
    published: &[Vec<Test>],
) -> Result<Examined, Error> {
    let pair = Pair { ours: container.context(mutant.number)?, gold: container.context(0)? };
    let mut is_killed = false;
    for length in [10, 100, 1000] {
        is_killed = is_killed
            || pair.first_failure(Strategy::random_paths(&pair.ours, length, 1000, 0)?, 1000)?.is_some();
    }
    let mut is_only_exhaustive = false;
    for length in [3, 4, 5] {
        if !is_killed && !is_only_exhaustive {
            let strategy = Strategy::be(&pair.ours, length)?;
            is_only_exhaustive = pair.first_failure(strategy, EXHAUSTIVE_TESTS)?.is_some();
        }
    }
    if !is_killed && !is_only_exhaustive {
        return Ok(Examined::Alive);
    }
    let mut trials = vec![];
    for (length, published) in LENGTHS.into_iter().zip(published) {
        for seed in 1..=settings.seeds {
            pair.trials(length, (seed, mutant.number), settings.tests, &mut trials)?;
        }
        let tests = settings.tests;
        let first = pair.first_failure(Strategy::listed(&pair.ours, published.iter().cloned())?, tests)?;
        trials.push(Trial { technique: Technique::Published, length, seed: 1, first, tests, failing: None });
    }
    Ok(Examined::Killed { trials, is_only_exhaustive })
}

/// A mutant next to the original.
struct Pair {
    ours: Context,
    gold: Context,
}

impl Pair {
    /// One trial with each technique. Each mutant has its own tests: with the same tests for all, chance would look
    /// like a difference between techniques.
    fn trials(
        &self,
        length: usize,
        (seed, mutant): (u64, u32),
        tests: u64,
        trials: &mut Vec<Trial>,
    ) -> Result<(), Error> {
        let own_seed = seed << 32 | u64::from(mutant);
        let strategies = [
            (Technique::Random, Strategy::random(&self.ours, length, tests, own_seed)?),
            (Technique::Paths, Strategy::random_paths(&self.ours, length, tests, own_seed)?),
        ];
        let mut first_by_paths = None;
        for (technique, strategy) in strategies {
            let is_counted = seed <= COUNTED_SEEDS;
            let runner = self.runner(strategy);
            let report = if is_counted { runner.keep_going() } else { runner }.run()?;
            let first = first_of(&report);
            first_by_paths = first;
            let failing = is_counted.then_some(report.failing);
            trials.push(Trial { technique, length, seed, first, tests, failing });
        }
        let first = self.first_failure(Strategy::bobw(&self.ours, length, own_seed)?, tests)?;
        trials.push(Trial { technique: Technique::Bobw, length, seed, first, tests, failing: None });
        // As far as the other one had to go.
        if let Some(most) = first_by_paths.filter(|_| length <= LONGEST_EXHAUSTIVE) {
            let first = self.first_failure(Strategy::be(&self.ours, length)?, most)?;
            trials.push(Trial { technique: Technique::Be, length, seed, first, tests: most, failing: None });
        }
        Ok(())
    }

    fn runner(&self, strategy: Strategy) -> Runner<'_> {
        Runner::new(&self.ours, strategy).gold(&self.gold).without_shrinking()
    }

    /// The number of the first failing test among so many, from one on.
    fn first_failure(&self, strategy: Strategy, tests: u64) -> Result<Option<u64>, Error> {
        Ok(first_of(&self.runner(strategy).max_tests(tests).run()?))
    }
}

fn first_of(report: &Report) -> Option<u64> {
    let position = &report.clusters.first()?.first.position;
    Some(u64::try_from(position).expect("not that many tests were run") + 1)
}

/// The tests of the paper's own generator.
fn published(context: &Context, length: usize, tests: u64) -> Result<Vec<Test>, Error> {
    let all = context.tests(length);
    // After that, they come again.
    let tests = u64::try_from(&all).map_or(tests, |all| all.min(tests));
    let index = |i: u64| BigUint::from(i) * PRIME % &all;
    (0..tests).map(|i| context.test_at(length, &index(i))).collect()
}
