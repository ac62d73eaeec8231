//! The tests of a context: their number and indices, calls in canonical form, and replay.

use num_bigint::BigUint;

use super::{CallId, Context, Error};
use crate::density::short;
use crate::index::{digits_of, power, value_of};
use crate::pulse::Pulse;
use crate::run::{Replayed, replay, shrink_by};
use crate::test::{Test, call_text};

impl Context {
    /// The number of tests of a length, *z* in the literature: the number of distinct calls to the power of the length.
    pub fn tests(&self, length: usize) -> BigUint {
        power(self.calls(), length)
    }

    /// The index of a test among the tests of its length.
    pub fn index_of(&self, test: &Test) -> BigUint {
        value_of(test.calls(), self.calls())
    }

    /// The test with an index among the tests of a length.
    pub fn test_at(&self, length: usize, index: &BigUint) -> Result<Test, Error> {
        let tests = self.tests(length);
        if *index >= tests {
            let (index, tests) = (short(index), short(&tests));
            return Err(Error::IndexOutOfRange { index, length, tests });
        }
        Ok(Test::of(&digits_of(index, self.calls(), length)))
    }

    /// A call in canonical form, such as `i32_[1] = map[0].get(i32_[0])`.
    ///
    /// # Panics
    ///
    /// If there is no such call.
    pub fn canonical_call(&self, call: CallId) -> String {
        call_text(self, call)
    }

    /// Runs one test with the oracles of the context: invariants, the reference implementation, assertions.
    ///
    /// ```
    /// # use smallscope_sequences::{Context, Pool, Test, by_mut, into, optional};
    /// # let context = Context::builder()
    /// #     .pool(Pool::empty(1).and(vec![5u8]).named("v"))
    /// #     .pool(Pool::<u8>::empty(1).shown().hashed())
    /// #     .method("pop", (by_mut::<Vec<u8>>(),), optional(into::<u8>()), |(v,)| v.pop())
    /// #     .build()?;
    /// let replayed = context.replay(&Test::parse(&context, "u8_[0] = v[0].pop()")?);
    /// assert_eq!(replayed.steps[0].text, "returned 5");
    /// assert!(replayed.fault.is_none());
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn replay(&self, test: &Test) -> Replayed {
        replay(self, test, None)
    }

    /// Returns the smallest test that was found to fail, with at most so many runs. `fails` runs a test, and returns the
    /// place of the call that fails, if one does.
    #[doc(hidden)]
    pub fn shrink_by(&self, test: &Test, runs: usize, fails: &mut dyn FnMut(&Test) -> Option<usize>) -> Test {
        Test::of(&shrink_by(self, test.calls(), runs, &mut |calls| fails(&Test::of(calls))))
    }

    /// Runs one test like [`Context::replay`], and tracks the thread, so that a call that does not return is found.
    pub fn replay_watched(&self, test: &Test, pulse: &Pulse) -> Replayed {
        replay(self, test, Some(pulse))
    }
}
