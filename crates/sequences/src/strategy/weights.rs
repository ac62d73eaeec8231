//! How often calls occur in random sequences.

use smallscope_support::random::SplitMix;

use crate::context::{CallId, Context, Method};

/// How much more often a call occurs than one that makes a value anew, which undoes what was done with it.
const USUAL: u64 = 8;

/// Methods with weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Weights {
    /// The first call of each method, how many there are, and the sum of the weights up to it.
    methods: Vec<(u32, u32, u32)>,
    total: u32,
}

impl Weights {
    /// All methods with the same weight, or with that which was given.
    pub fn of_methods(context: &Context) -> Weights {
        Weights::new(context.methods.iter().map(|method| (method, u64::from(method.weight.unwrap_or(1)))))
    }

    /// All methods, by how many calls they have. Calls of methods without a given weight are so many times `rarer`, if that is
    /// known.
    pub fn of_calls(context: &Context, rarer: Option<&[u32]>) -> Weights {
        Weights::new(context.methods.iter().enumerate().map(|(i, method)| {
            // So that a rare one is no fraction.
            let unit = rarer.map_or(1, |rarer| rarer.iter().copied().max().unwrap_or(1));
            let of_method = |method: usize| u64::from(rarer.map_or(1, |rarer| rarer[method]));
            let weight = match method.weight {
                Some(weight) => USUAL * u64::from(weight) * u64::from(unit),
                None if method.makes(context) => u64::from(unit),
                None => USUAL * u64::from(unit) / of_method(i),
            };
            (method, weight.saturating_mul(method.calls.into()))
        }))
    }

    /// The methods that make a value out of initial ones; all of them, if there are none.
    pub fn of_makers(context: &Context) -> Weights {
        let makers: Vec<&Method> = context.methods.iter().filter(|method| method.makes(context)).collect();
        if makers.is_empty() {
            return Weights::of_calls(context, None);
        }
        Weights::new(makers.into_iter().map(|method| (method, u64::from(method.calls))))
    }

    fn new<'m>(weights: impl Iterator<Item = (&'m Method, u64)>) -> Weights {
        let weights: Vec<(&Method, u64)> = weights.collect();
        let sum = weights.iter().fold(0_u64, |sum, (_, weight)| sum.saturating_add(*weight));
        // Large weights are rounded, so that sums are numbers that can be drawn.
        let divisor = sum / (u64::from(u32::MAX) / 2) + 1;
        let mut total = 0;
        let methods = weights.into_iter().map(|(method, weight)| {
            total += (weight / divisor).max(1) as u32;
            (method.first, method.calls, total)
        });
        let methods = methods.collect();
        Weights { methods, total }
    }

    /// Draws a method by its weight, and one of its calls.
    pub fn draw(&self, random: &mut SplitMix) -> CallId {
        let number = random.below(self.total);
        let at = self.methods.partition_point(|(.., end)| *end <= number);
        let (first, calls, _) = self.methods[at];
        first + random.below(calls)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, Pool, Runner, Strategy, by_mut, into, nothing, value};

    /// Vectors of four numbers, of which one with 30 numbers is a failure. `Vec::new` begins anew.
    fn vectors() -> Context {
        let builder = Context::builder()
            .pool(Pool::<Vec<u8>>::empty(1))
            .pool(Pool::of([0u8, 1, 2, 3]))
            .function("Vec::new", (), into(), |()| Vec::<u8>::new())
            .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| {
                v.push(x);
                assert!(v.len() < 30, "too long");
            });
        builder.build().unwrap()
    }

    fn tests_until_failure(context: &Context, strategy: Strategy) -> u64 {
        let report = Runner::new(context, strategy).max_tests(100_000).run().unwrap();
        assert_eq!(report.clusters.len().min(1) as u64, u64::from(report.failing > 0));
        report.tests
    }

    #[test]
    fn a_deep_failure_takes_fewer_sequences() {
        let context = vectors();
        for seed in 0..6 {
            let plain = tests_until_failure(&context, Strategy::bobw(&context, 50, seed).unwrap());
            let weighted =
                tests_until_failure(&context, Strategy::weighted(&context, 50, 100_000, seed).unwrap());
            assert!(weighted * 10 <= plain, "{weighted} and {plain} sequences with seed {seed}");
        }
    }

    /// A stack that fails with 60 numbers. `clear` empties it. `swap` is for exactly 7 numbers, and `grow` for few.
    fn stacks() -> Context {
        let builder = Context::builder()
            .pool(Pool::<Vec<u8>>::empty(1).cloned().hashed())
            .pool(Pool::of([0u8, 1]))
            .function("Vec::new", (), into(), |()| Vec::<u8>::new())
            .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| {
                v.push(x);
                assert!(v.len() < 60, "too long");
            })
            .method("clear", (by_mut::<Vec<u8>>(),), nothing(), |(v,)| v.clear())
            .method("swap", (by_mut::<Vec<u8>>(), value::<u8>(), value::<u8>()), nothing(), |(v, a, b)| {
                if v.len() != 7 {
                    crate::refuse_call();
                }
                v.swap(a.into(), b.into());
            });
        builder.build().unwrap()
    }

    #[test]
    fn calls_that_achieve_little_become_rare() {
        let context = stacks();
        let found = |adapts, seed, threads| {
            let strategy = Strategy::weighted(&context, 100, 200_000, seed).unwrap();
            let mut runner = Runner::new(&context, strategy).without_shrinking().threads(threads);
            runner.adapts = adapts;
            let report = runner.run().unwrap();
            (report.failing > 0, report.tests, report.clusters.first().map(|c| c.first.test.clone()))
        };
        for seed in 0..3 {
            let plain = Runner::new(&context, Strategy::weighted(&context, 100, 1_000, seed).unwrap());
            assert_eq!(plain.without_shrinking().run().unwrap().failing, 0, "seed {seed}");
            let (has_failed, tests, first) = found(true, seed, 1);
            assert!(has_failed && tests < 500, "{tests} sequences with seed {seed}");
            // The same seed gives the same sequences, whatever the number of threads.
            assert_eq!(found(true, seed, 2), (has_failed, tests, first));
        }
    }

    #[test]
    fn sequences_begin_with_a_value_and_follow_from_the_seed() {
        let context = vectors();
        let tests = |seed| Strategy::weighted(&context, 20, 50, seed).unwrap().tests().collect::<Vec<_>>();
        assert!(tests(1).iter().all(|test| test.calls()[0] == 0));
        assert_eq!(tests(1), tests(1));
        assert_ne!(tests(1), tests(2));
        // Call 0 makes a vector anew. Its weight is 1 of 33.
        let anew =
            tests(3).iter().flat_map(|test| test.calls()[1..].to_vec()).filter(|call| *call == 0).count();
        assert!((10..60).contains(&anew), "{anew} of 950");
    }

    #[test]
    fn weights_are_as_given() {
        let builder = Context::builder()
            .pool(Pool::of([0u8]))
            .function("rare", (value::<u8>(),), nothing(), |_| ())
            .function("frequent", (value::<u8>(),), nothing(), |_| ());
        let context = builder.weight(19).build().unwrap();
        for strategy in [
            Strategy::weighted(&context, 1000, 1, 0).unwrap(),
            Strategy::random_paths(&context, 1000, 1, 0).unwrap(),
        ] {
            let rare =
                strategy.tests().flat_map(|test| test.calls().to_vec()).filter(|call| *call == 0).count();
            assert!((25..80).contains(&rare), "about 50 of 1000: {rare}");
        }
        let none =
            Context::builder().pool(Pool::of([0u8])).function("f", (value::<u8>(),), nothing(), |_| ());
        assert!(none.weight(0).build().unwrap_err().to_string().contains("weight 0"));
    }
}
