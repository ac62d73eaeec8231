//! Runs one test again, call by call.

use smallscope_support::panics;

use super::oracle::{Checks, Fault, Oracles, words};
use crate::context::{CallId, Context, Reply};
use crate::pulse::Pulse;
use crate::test::Test;

/// What one test did.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// Its calls, up to the one with a fault.
    pub steps: Vec<Step>,
    /// The fault, if there is one.
    pub fault: Option<Fault>,
}

/// What one call did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The call.
    pub call: CallId,
    /// How it ended.
    pub reply: Reply,
    /// Describes how it ended, with its result if it can be shown.
    pub text: String,
}

impl Context {
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
        self.replay_with(test, None)
    }

    /// Runs one test like [`Context::replay`], and tracks the thread, so that a call that does not return is found.
    pub fn replay_watched(&self, test: &Test, pulse: &Pulse) -> Replayed {
        self.replay_with(test, Some(pulse))
    }

    fn replay_with(&self, test: &Test, pulse: Option<&Pulse>) -> Replayed {
        let oracles = Oracles { panics: self.panics, gold: self.gold.as_deref(), assertions: &[], pulse };
        let checks = Checks::new(self, oracles);
        let beat = checks.beat();
        beat.begin(test.calls());
        let mut world = checks.world();
        world.attend(true);
        let mut replayed = Replayed { steps: vec![], fault: None };
        panics::silently(|| {
            for (at, &call) in test.calls().iter().enumerate() {
                beat.begin_call(at);
                match panics::catch_silenced(|| checks.call(call, &mut world)) {
                    Ok((reply, fault)) => {
                        let text = match &fault {
                            Some(fault) => fault.to_string(),
                            None => words(reply, &world.values),
                        };
                        replayed.steps.push(Step { call, reply, text });
                        replayed.fault = fault;
                    }
                    // In a clone, a destructor, an invariant or an assertion.
                    Err(panic) => replayed.fault = Some(Fault::Panic(panic)),
                }
                if replayed.fault.is_some() {
                    return;
                }
            }
            // Destructors are a part of the test.
            replayed.fault = panics::catch_silenced(|| world.reset()).err().map(Fault::Panic);
        });
        replayed
    }
}
