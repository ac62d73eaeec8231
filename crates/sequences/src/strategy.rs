//! Strategies: which tests are run, and in which order.
//!
//! A strategy is a list of tests by position. It has no state but the position, so a run can be stopped and resumed, or
//! divided into ranges for several threads or machines, and runs the same tests.

mod cursor;
mod permutation;
mod weights;

use std::ops::Range;
use std::sync::Arc;

use num_bigint::BigUint;

pub(crate) use cursor::Cursor;
use weights::Weights;

use crate::context::{Context, Error};
use crate::density::short;
use crate::index::power;
use crate::test::Test;

/// Which tests are run, and in which order.
///
/// ```
/// # use smallscope_sequences::{Context, Pool, into, nothing, value};
/// # let context = Context::builder()
/// #     .pool(Pool::of([0u8, 1, 2]))
/// #     .function("f", (value::<u8>(),), nothing(), |_| ())
/// #     .build()?;
/// use smallscope_sequences::Strategy;
///
/// // Three calls, so nine tests of length two: each of them once, in an order that looks random.
/// let strategy = Strategy::bobw(&context, 2, 42)?;
/// let mut tests: Vec<_> = strategy.tests().collect();
/// assert_eq!(tests.len(), 9);
///
/// // The same in three parts.
/// let parts = (1..=3).flat_map(|k| strategy.shard(k, 3).unwrap().tests().collect::<Vec<_>>());
/// assert_eq!(parts.collect::<Vec<_>>(), tests);
///
/// tests.sort();
/// assert_eq!(tests, Strategy::be(&context, 2)?.tests().collect::<Vec<_>>());
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy {
    order: Traversal,
    calls: u32,
    length: usize,
    /// The number of all tests.
    total: BigUint,
    range: Range<BigUint>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Traversal {
    Tree,
    Sample { seed: u64, drawn: Drawn },
    Permuted { seed: u64 },
    Linear { step: u64 },
    Listed { tests: Arc<[Test]> },
}

/// What is drawn with equal probability.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Drawn {
    Calls,
    /// Methods by their weights, and then their arguments.
    Methods(Weights),
    /// Calls by the weights of their methods. The first call makes something, if one can.
    Weighted {
        first: Weights,
        others: Weights,
        /// Whether weights depend on what calls have done, so that the strategy alone does not know its tests.
        is_adapted: bool,
    },
}

impl Strategy {
    /// All tests of a length, in the order of the tree of choices: calls in the order of their numbers, the last call
    /// varying fastest.
    pub fn be(context: &Context, length: usize) -> Result<Strategy, Error> {
        Strategy::new(context, length, Traversal::Tree, None)
    }

    /// A random sample of the tests of a length, with replacement: a test can occur twice. All have the same
    /// probability.
    pub fn random(context: &Context, length: usize, tests: u64, seed: u64) -> Result<Strategy, Error> {
        Strategy::new(context, length, Traversal::Sample { seed, drawn: Drawn::Calls }, Some(tests))
    }

    /// A random sample that draws a method first and then its arguments, so that a method with many arguments is not
    /// more frequent. This is *R* as Andrews, Zhang and Groce define it: a random path down the tree of choices. Methods with
    /// a weight ([`Builder::weight`](crate::Builder::weight)) are drawn accordingly.
    pub fn random_paths(context: &Context, length: usize, tests: u64, seed: u64) -> Result<Strategy, Error> {
        let methods = Weights::of_methods(context);
        Strategy::new(
            context,
            length,
            Traversal::Sample { seed, drawn: Drawn::Methods(methods) },
            Some(tests),
        )
    }

    /// A random sample of the tests of a length, with replacement, weighted away from calls that achieve little: the first call
    /// makes a value if some call can, and calls that would make it anew, which undoes what was done with it, are rare. Weights
    /// that were given ([`Builder::weight`](crate::Builder::weight)) go over that.
    pub fn weighted(context: &Context, length: usize, tests: u64, seed: u64) -> Result<Strategy, Error> {
        let (first, others) = (Weights::of_makers(context), Weights::of_calls(context, None));
        let drawn = Drawn::Weighted { first, others, is_adapted: false };
        Strategy::new(context, length, Traversal::Sample { seed, drawn }, Some(tests))
    }

    /// The strategy with calls of each method so many times rarer. Only weighted strategies change.
    pub(crate) fn adapted(&self, context: &Context, rarer: &[u32]) -> Strategy {
        let mut strategy = self.clone();
        if let Traversal::Sample { drawn: Drawn::Weighted { others, is_adapted, .. }, .. } =
            &mut strategy.order
        {
            *others = Weights::of_calls(context, Some(rarer));
            *is_adapted = true;
        }
        strategy
    }

    /// Whether weights depend on what calls have done.
    pub(crate) fn is_adapted(&self) -> bool {
        matches!(&self.order, Traversal::Sample { drawn: Drawn::Weighted { is_adapted: true, .. }, .. })
    }

    /// All tests of a length, each exactly once, in pseudo-random order.
    pub fn bobw(context: &Context, length: usize, seed: u64) -> Result<Strategy, Error> {
        Strategy::new(context, length, Traversal::Permuted { seed }, None)
    }

    /// All tests of a length, each exactly once: the index of a test is that of the one before it plus a step, modulo the number
    /// of tests. This is the generator that Andrews, Zhang and Groce published for *BOBW*, with a large prime number as step. It
    /// is here to compare with: if there are many more tests than the step, the first ones differ in their first calls only. Use
    /// [`bobw`](Strategy::bobw).
    ///
    /// # Errors
    ///
    /// If the step has a divisor in common with the number of calls, so that some tests would never come.
    pub fn linear(context: &Context, length: usize, step: u64) -> Result<Strategy, Error> {
        let common = common_divisor(step, context.calls());
        if common != 1 {
            return Err(Error::BadRequest {
                what: format!(
                    "the step {step} and the {} calls have the divisor {common} in common, so some tests would never come; take \
                     a prime number that is larger",
                    context.calls()
                ),
            });
        }
        Strategy::new(context, length, Traversal::Linear { step }, None)
    }

    /// The tests of a list, in its order, such as tests that failed before. They may have different lengths.
    ///
    /// ```
    /// # use smallscope_sequences::{Context, Pool, Strategy, Test, nothing, value};
    /// # let context = Context::builder()
    /// #     .pool(Pool::of([0u8, 1, 2]))
    /// #     .function("f", (value::<u8>(),), nothing(), |_| ())
    /// #     .build()?;
    /// let tests = [Test::new(&context, [0, 2])?, Test::new(&context, [1])?];
    /// assert_eq!(Strategy::listed(&context, tests.clone())?.tests().collect::<Vec<_>>(), tests);
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn listed(context: &Context, tests: impl IntoIterator<Item = Test>) -> Result<Strategy, Error> {
        let tests: Arc<[Test]> = tests.into_iter().collect();
        // They may come from another context.
        let calls = tests.iter().flat_map(Test::calls).map(|call| u64::from(*call));
        if let Some(call) = calls.max().filter(|call| *call >= context.calls()) {
            return Err(Error::CallOutOfRange { call, calls: context.calls() });
        }
        if tests.iter().any(Test::is_empty) {
            return Err(Error::BadRequest {
                what: "a test has at least one call; leave empty tests out".into(),
            });
        }
        let (longest, count) = (tests.iter().map(Test::len).max().unwrap_or(1), tests.len() as u64);
        Strategy::new(context, longest, Traversal::Listed { tests }, Some(count))
    }

    fn new(
        context: &Context,
        length: usize,
        order: Traversal,
        tests: Option<u64>,
    ) -> Result<Strategy, Error> {
        if length == 0 {
            return Err(Error::BadRequest {
                what: "a test has at least one call; ask for a length of 1 or more".into(),
            });
        }
        if length > u32::MAX as usize {
            return Err(Error::BadRequest { what: format!("a test has at most {} calls", u32::MAX) });
        }
        let total = tests.map_or_else(|| power(context.calls(), length), BigUint::from);
        let calls = u32::try_from(context.calls()).expect("contexts have no more calls than that");
        Ok(Strategy { order, calls, length, range: BigUint::ZERO..total.clone(), total })
    }

    /// The length of the tests; for a list, the longest length.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The number of tests in all ranges together.
    pub fn tests_in_all(&self) -> &BigUint {
        &self.total
    }

    /// The range of positions.
    pub fn range(&self) -> &Range<BigUint> {
        &self.range
    }

    /// Whether the range contains all tests of the length.
    pub fn is_exhaustive(&self) -> bool {
        !matches!(self.order, Traversal::Sample { .. } | Traversal::Listed { .. })
            && self.range == (BigUint::ZERO..self.total.clone())
    }

    /// Whether tests are a random sample, with replacement.
    pub(crate) fn is_sample(&self) -> bool {
        matches!(self.order, Traversal::Sample { .. })
    }

    /// Restricts the strategy to a range of positions, to resume or divide a run.
    pub fn within(&self, range: Range<BigUint>) -> Result<Strategy, Error> {
        if range.start > range.end || range.end > self.total {
            let (start, end, total) = (short(&range.start), short(&range.end), short(&self.total));
            return Err(Error::BadRequest {
                what: format!("there is no range from {start} to {end}: positions go from 0 to {total}"),
            });
        }
        Ok(Strategy { range, ..self.clone() })
    }

    /// Shard `k` of `n` of the range, counted from 1.
    pub fn shard(&self, k: u64, n: u64) -> Result<Strategy, Error> {
        if k == 0 || k > n {
            return Err(Error::BadRequest {
                what: format!("there is no part {k} of {n}: parts go from 1 to {n}"),
            });
        }
        let size = &self.range.end - &self.range.start;
        let cut = |k: u64| &self.range.start + &size * k / n;
        self.within(cut(k - 1)..cut(k))
    }

    /// The tests, in order.
    pub fn tests(&self) -> impl Iterator<Item = Test> {
        let mut cursor = self.cursor(0);
        std::iter::from_fn(move || cursor.next().map(Test::of))
    }

    /// A cursor that starts a number of tests after the beginning of the range.
    pub(crate) fn cursor(&self, offset: u64) -> Cursor {
        Cursor::new(self, offset)
    }

    /// The number of tests in the range, if it fits.
    pub(crate) fn remaining(&self) -> Option<u64> {
        u64::try_from(&self.range.end - &self.range.start).ok()
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
