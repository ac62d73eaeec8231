//! The same tasks for quickcheck and proptest, with the generators that one writes first: random values of the types. Values
//! that are not valid are thrown away.

use crate::law::{Counterexample, Law};
use crate::maps::{self, OrderedMap};
use crate::red_black_tree::{self, RedBlackTree};
use crate::search_tree::{self, SearchTree};
use crate::task::{Task, Workload, named};
use crate::typed_terms::{self, Program};
use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use quickcheck::{Arbitrary, Gen};
use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Keys of random inputs are below this number.
pub(crate) const KEYS: u8 = 16;

/// Random values of a type.
pub(crate) trait Naive: Debug + Clone + 'static {
    fn is_valid(&self) -> bool;
    fn nodes(&self) -> usize;
    /// By quickcheck: each node is the last one with a chance that grows with the depth.
    fn arbitrary(g: &mut Gen) -> Self;
    /// Smaller values to try in its place.
    fn smaller(&self) -> Vec<Self>;
    /// By proptest.
    fn strategy() -> BoxedStrategy<Self>;
}

/// The inputs of any property of maps. A property uses the first ones of each kind.
#[derive(Debug, Clone)]
struct Inputs<M> {
    maps: Vec<M>,
    keys: [u8; 2],
    values: [u8; 2],
}

impl<M: OrderedMap<Key = u8>> Law<M> {
    fn maps(&self) -> usize {
        match self {
            Law::Two(_) | Law::TwoKey(_) | Law::TwoKeyValue(_) => 2,
            Law::Three(_) => 3,
            _ => 1,
        }
    }

    fn holds(&self, inputs: &Inputs<M>, mutant: M::Mutant) -> bool {
        let ([k, l], [v, x]) = (inputs.keys, inputs.values);
        match (self, &inputs.maps[..]) {
            (Law::One(holds), [m]) => holds(m, mutant),
            (Law::Key(holds), [m]) => holds(m, &k, mutant),
            (Law::Keys(holds), [m]) => holds(m, &k, &l, mutant),
            (Law::KeyValue(holds), [m]) => holds(m, &k, v, mutant),
            (Law::KeysValue(holds), [m]) => holds(m, &k, &l, v, mutant),
            (Law::KeysValues(holds), [m]) => holds(m, &k, &l, v, x, mutant),
            (Law::Two(holds), [a, b]) => holds(a, b, mutant),
            (Law::TwoKey(holds), [a, b]) => holds(a, b, &k, mutant),
            (Law::TwoKeyValue(holds), [a, b]) => holds(a, b, &k, v, mutant),
            (Law::Three(holds), [a, b, c]) => holds(a, b, c, mutant),
            _ => unreachable!("as many maps as the property has"),
        }
    }
}

/// What a tool has found within a time.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The input after shrinking; none if none was found.
    pub counterexample: Option<Counterexample>,
    /// Valid inputs that were tried.
    pub tried: u64,
    /// Inputs that were made, valid or not.
    pub made: u64,
    /// The time, with shrinking.
    pub time: Duration,
}

/// A property of inputs of one type, with a mutant.
struct Trial<'a, I> {
    holds: &'a dyn Fn(&I) -> bool,
    is_valid: fn(&I) -> bool,
    nodes: fn(&I) -> usize,
    limit: Duration,
    seed: u64,
}

impl<I: Debug + Clone + 'static> Trial<'_, I> {
    fn by_quickcheck(&self, arbitrary: &dyn Fn(&mut Gen) -> I, smaller: fn(&I) -> Vec<I>) -> Found {
        let (start, mut found) = (Instant::now(), Found::default());
        let mut g = Gen::from_size_and_seed(100, self.seed);
        let is_counterexample = |input: &I| (self.is_valid)(input) && !(self.holds)(input);
        while start.elapsed() < self.limit {
            let input = arbitrary(&mut g);
            found.made += 1;
            if !(self.is_valid)(&input) {
                continue;
            }
            found.tried += 1;
            if (self.holds)(&input) {
                continue;
            }
            let mut smallest = input;
            while let Some(next) = smaller(&smallest).into_iter().find(is_counterexample) {
                smallest = next;
            }
            found.counterexample = Some(self.describe(&smallest));
            break;
        }
        found.time = start.elapsed();
        found
    }

    fn by_proptest(&self, strategy: &dyn Fn() -> BoxedStrategy<I>) -> Found {
        let start = Instant::now();
        let (tried, made) = (Cell::new(0), Cell::new(0));
        let failed = RefCell::new(None);
        let mut seed = self.seed;
        while start.elapsed() < self.limit && failed.borrow().is_none() {
            let config = Config {
                rng_seed: RngSeed::Fixed(seed),
                max_local_rejects: u32::MAX,
                max_global_rejects: u32::MAX,
                failure_persistence: None,
                ..Config::default()
            };
            let result = TestRunner::new(config).run(&strategy(), |input| {
                made.set(made.get() + 1);
                if !(self.is_valid)(&input) {
                    if start.elapsed() >= self.limit {
                        return Ok(());
                    }
                    return Err(proptest::test_runner::TestCaseError::reject("not valid"));
                }
                tried.set(tried.get() + 1);
                proptest::prop_assert!((self.holds)(&input));
                Ok(())
            });
            if let Err(TestError::Fail(_, input)) = result {
                *failed.borrow_mut() = Some(self.describe(&input));
            }
            seed += 1;
        }
        let counterexample = failed.into_inner();
        Found { counterexample, tried: tried.get(), made: made.get(), time: start.elapsed() }
    }

    fn describe(&self, input: &I) -> Counterexample {
        Counterexample { text: format!("{input:?}"), nodes: (self.nodes)(input) }
    }
}

/// What both tools find.
#[derive(Debug, Clone)]
pub struct Both {
    /// By quickcheck.
    pub quickcheck: Found,
    /// By proptest.
    pub proptest: Found,
}

impl Task {
    /// Searches for a counterexample with both tools, each for this time at most.
    pub fn solve_at_random(&self, limit: Duration, seed: u64) -> Both {
        match self.workload {
            Workload::Bst => {
                let law = named(search_tree::laws(), self.property);
                of_maps::<SearchTree<u8>>(law, search_tree::mutant(self.mutant), limit, seed)
            }
            Workload::Rbt => {
                let law = named(maps::laws(), self.property);
                of_maps::<RedBlackTree<u8>>(law, red_black_tree::mutant(self.mutant), limit, seed)
            }
            Workload::Stlc => {
                let (holds, mutant) =
                    (typed_terms::property(self.property), typed_terms::mutant(self.mutant));
                let trial = Trial {
                    holds: &|program: &Program| holds(program, mutant),
                    is_valid: Naive::is_valid,
                    nodes: Naive::nodes,
                    limit,
                    seed,
                };
                Both {
                    quickcheck: trial.by_quickcheck(&Program::arbitrary, Program::smaller),
                    proptest: trial.by_proptest(&Program::strategy),
                }
            }
        }
    }
}

fn of_maps<M: OrderedMap<Key = u8> + Naive>(
    law: Law<M>,
    mutant: M::Mutant,
    limit: Duration,
    seed: u64,
) -> Both {
    let maps = law.maps();
    let trial = Trial {
        holds: &|inputs: &Inputs<M>| law.holds(inputs, mutant),
        is_valid: |inputs| inputs.maps.iter().all(Naive::is_valid),
        nodes: |inputs| inputs.maps.iter().map(Naive::nodes).sum(),
        limit,
        seed,
    };
    let key = |g: &mut Gen| u8::arbitrary(g) % KEYS;
    let value = |g: &mut Gen| u8::arbitrary(g) % 2;
    let arbitrary = |g: &mut Gen| Inputs {
        maps: (0..maps).map(|_| M::arbitrary(g)).collect(),
        keys: [key(g), key(g)],
        values: [value(g), value(g)],
    };
    let smaller = |inputs: &Inputs<M>| {
        let mut smaller = vec![];
        for (i, map) in inputs.maps.iter().enumerate() {
            for map in map.smaller() {
                let mut inputs = inputs.clone();
                inputs.maps[i] = map;
                smaller.push(inputs);
            }
        }
        smaller
    };
    let strategy = move || {
        let maps = proptest::collection::vec(M::strategy(), maps);
        (maps, [0..KEYS, 0..KEYS], [0..2_u8, 0..2_u8])
            .prop_map(|(maps, keys, values)| Inputs { maps, keys, values })
            .boxed()
    };
    Both { quickcheck: trial.by_quickcheck(&arbitrary, smaller), proptest: trial.by_proptest(&strategy) }
}
