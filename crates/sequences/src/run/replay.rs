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
    /// How it ended as text, with its result if it can be shown.
    pub text: String,
}

/// Runs one test with the oracles of the context.
pub(crate) fn replay(context: &Context, test: &Test, pulse: Option<&Pulse>) -> Replayed {
    let oracles = Oracles { panics: context.panics, gold: context.gold.as_deref(), assertions: &[], pulse };
    let checks = Checks::new(context, oracles);
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
                    replayed.fault = fault.map(|fault| *fault);
                }
                // In a clone, a destructor, an invariant or an assertion.
                Err(panic) => replayed.fault = Some(Fault::Panic(*panic)),
            }
            if replayed.fault.is_some() {
                return;
            }
        }
        // Destructors are a part of the test.
        replayed.fault = panics::catch_silenced(|| world.reset()).err().map(|panic| Fault::Panic(*panic));
    });
    replayed
}
