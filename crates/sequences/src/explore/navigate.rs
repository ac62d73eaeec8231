//! States on demand: calls are made in a state when they are asked for.

use super::abstraction::changes;
use super::walker::{Limits, Listeners, Step, Walker};
use super::{Explorer, Omissions, Setting};
use crate::context::{CallId, Context, Error, Place};
use crate::run::Fault;
use crate::test::{Test, call_text};
use smallscope_support::panics;

/// The states that were met so far, and what calls do in them. See [`Explorer::navigate`].
pub struct Navigator<'e> {
    context: &'e Context,
    walker: Walker<'e>,
}

/// A call in a state, and where it led.
#[derive(Debug, Clone)]
pub struct Transition {
    /// The call.
    pub call: CallId,
    /// The number of the state that it led to, or what went wrong.
    pub to: Result<u32, Fault>,
}

/// Lets a function look at the states of an explorer.
pub(super) fn navigate<R>(
    explorer: &Explorer<'_>,
    look: impl FnOnce(&mut Navigator<'_>) -> R,
) -> Result<R, Error> {
    let Explorer { context, options, .. } = explorer;
    options.check(context)?;
    let omissions = Omissions::default();
    let limits = Limits {
        length: usize::MAX,
        states: explorer.max_states,
        budget: None,
        memory: options.memory,
        keeps_sequences: false,
        interrupt: None,
    };
    let listeners = Listeners { coverage: None, on_state: None };
    let walker = Walker::new(Setting::new(explorer, &omissions), limits, listeners)?;
    Ok(look(&mut Navigator { context, walker }))
}

impl Navigator<'_> {
    /// How many states were met so far. They are numbered from 0, which is the state before any call.
    pub fn len(&self) -> u32 {
        self.walker.states.len() as u32
    }

    /// Whether no state was met. There is always the first.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The calls by which a state was met first.
    pub fn path(&self, state: u32) -> Option<Test> {
        let mut path = vec![];
        (state < self.len()).then(|| self.walker.states.path(state, &mut path))?;
        Some(Test::of(&path))
    }

    /// The states on that path: the first one, and those after each call.
    pub fn states_on_path(&self, state: u32) -> Vec<u32> {
        let mut on_path = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.walker.states.entry(at).1;
            on_path.push(at);
        }
        on_path.reverse();
        on_path
    }

    /// Follows calls from the first state, and returns the state at the end. None if a call cannot be made, or fails.
    pub fn follow(&mut self, calls: &[CallId]) -> Option<u32> {
        let mut at = 0;
        for call in calls {
            let made = self.transitions(at).into_iter().find(|made| made.call == *call)?;
            at = made.to.ok()?;
        }
        Some(at)
    }

    /// Makes every call in a state. Calls that cannot be made are left out.
    pub fn transitions(&mut self, state: u32) -> Vec<Transition> {
        if state >= self.len() {
            return vec![];
        }
        panics::silently(|| {
            self.walker.go_to(state);
            let mut made = vec![];
            for call in 0..self.walker.calls() {
                let to = match self.walker.step(call) {
                    Step::To { id, .. } => Ok(id),
                    Step::Skipped => continue,
                    Step::Failed => match self.walker.failures.pop() {
                        Some((_, fault)) => Err(fault),
                        None => continue,
                    },
                };
                made.push(Transition { call, to });
            }
            made
        })
    }

    /// The values of the pools in a state, as far as they are filled and can be shown.
    pub fn values(&self, state: u32) -> Vec<(String, String)> {
        self.path(state).map_or(vec![], |path| self.values_at(path.calls()))
    }

    /// The values after a call in a state, even if the call fails.
    pub fn values_after(&self, state: u32, call: CallId) -> Vec<(String, String)> {
        self.path(state).map_or(vec![], |path| self.values_at(&[path.calls(), &[call]].concat()))
    }

    fn values_at(&self, calls: &[CallId]) -> Vec<(String, String)> {
        panics::silently(|| {
            let mut values = self.context.initial_values();
            for call in calls {
                self.context.call(*call, &mut values);
            }
            let mut shown = vec![];
            for (pool, entry) in (0..).zip(&self.context.pools) {
                for slot in 0..entry.size as u32 {
                    let text = panics::catch(|| values.show(Place { pool, slot })).ok().flatten();
                    if let Some(text) = text.filter(|_| changes(self.context, pool)) {
                        shown.push((format!("{}[{slot}]", entry.variable), text));
                    }
                }
            }
            shown
        })
    }

    /// A call in canonical form.
    pub fn call_text(&self, call: CallId) -> String {
        call_text(self.context, call)
    }
}
