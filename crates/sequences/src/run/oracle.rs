//! Oracles: check the values after each call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use smallscope_support::panics::Panic;

use super::world::World;
use crate::context::{CallId, Context, Error, Reply, Values, short_name};
use crate::pulse::{Beat, Pulse};

/// What a panic of a call means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Panics {
    /// The test fails. With a reference implementation: unless that panics, too.
    #[default]
    Fail,
    /// The method may panic, and the test continues with the values that are left.
    Allowed,
}

/// What is wrong after a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The call, the invariant or an assertion panicked.
    Panic(Panic),
    /// The invariant of a value does not hold.
    Invariant {
        /// The type of the value.
        type_name: String,
    },
    /// The reference implementation did something different.
    Gold {
        /// What the code under test did.
        ours: String,
        /// What the reference implementation did.
        gold: String,
    },
    /// A user's assertion does not hold.
    Assertion {
        /// Its message.
        message: String,
    },
    /// Cloning or linearizing the state panicked.
    State(Panic),
    /// The call, or an oracle after it, did not return within a limit.
    Endless {
        /// The limit.
        after: Duration,
    },
    /// The process ended.
    Died {
        /// How, in words.
        how: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Panic(panic) => write!(f, "panicked: {panic}"),
            Fault::Invariant { type_name } => write!(f, "the invariant of `{type_name}` does not hold"),
            Fault::Gold { ours, gold } => write!(f, "{ours}, but the reference implementation: {gold}"),
            Fault::Assertion { message } => write!(f, "assertion failed: {message}"),
            Fault::State(panic) => {
                write!(f, "cloning or comparing the state panicked: {panic}")
            }
            Fault::Died { how } => f.write_str(how),
            Fault::Endless { after } => write!(f, "does not return: it was given up after {after:?}"),
        }
    }
}

/// A user's assertion about the values after a call.
pub(crate) type Assertion = dyn Fn(&Values) -> Result<(), String> + Send + Sync;

/// What is checked after each call.
#[derive(Clone, Copy)]
pub(crate) struct Oracles<'a> {
    pub panics: Panics,
    pub gold: Option<&'a Context>,
    pub assertions: &'a [Box<Assertion>],
    /// Tracks calls that do not return.
    pub pulse: Option<&'a Pulse>,
}

/// Makes calls and checks the values after them.
pub(crate) struct Checks<'a> {
    pub(super) context: &'a Context,
    oracles: Oracles<'a>,
    /// Whether there are invariants to check after a method.
    has_invariants: Vec<bool>,
    has_any_invariant: bool,
    /// Whether something besides panics is checked.
    has_any_check: bool,
}

impl<'a> Checks<'a> {
    pub(crate) fn new(context: &'a Context, oracles: Oracles<'a>) -> Checks<'a> {
        let values = context.initial_values();
        let has_invariant = |pool: u32| values.pool(pool).has_invariant();
        let methods = context.methods.iter();
        let has_invariants: Vec<_> =
            methods.map(|m| (0..m.order.len()).any(|position| has_invariant(m.pool_at(position)))).collect();
        let has_any_invariant = has_invariants.contains(&true);
        let has_any_check = has_any_invariant
            || oracles.gold.is_some()
            || !oracles.assertions.is_empty()
            || !context.assertions.is_empty();
        Checks { context, oracles, has_any_check, has_any_invariant, has_invariants }
    }

    /// A beat for this thread.
    pub(crate) fn beat(&self) -> Arc<Beat> {
        self.oracles.pulse.map_or_else(Arc::default, Pulse::beat)
    }

    /// Returns the initial values.
    pub(crate) fn world(&self) -> World {
        World::new(self.context, self.oracles.gold)
    }

    /// Makes a call and checks it.
    #[inline]
    pub(crate) fn call(&self, call: CallId, world: &mut World) -> (Reply, Option<Box<Fault>>) {
        self.call_and_look(call, world, || {})
    }

    /// Makes a call and checks it. A function sees the values before they are checked.
    #[inline]
    pub(crate) fn call_and_look(
        &self,
        call: CallId,
        world: &mut World,
        look: impl FnOnce(),
    ) -> (Reply, Option<Box<Fault>>) {
        let reply = self.context.call(call, &mut world.values);
        look();
        if !self.has_any_check && !matches!(reply, Reply::Panicked) {
            return (reply, None);
        }
        (reply, self.check(call, reply, world).map(Box::new))
    }

    /// Checks the values after a call.
    #[inline(never)]
    fn check(&self, call: CallId, reply: Reply, world: &mut World) -> Option<Fault> {
        if let (Some(gold), Some(context)) = (&mut world.gold, self.oracles.gold) {
            let theirs = context.call(call, gold);
            if theirs != reply || world.values.result.bytes() != gold.result.bytes() {
                let (ours, gold) = (words(reply, &world.values), words(theirs, gold));
                return Some(Fault::Gold { ours, gold });
            }
        }
        if reply == Reply::Skipped {
            return None;
        }
        self.fault(call, reply, &mut world.values)
    }

    /// Makes calls that are known to be without faults. Tells `beat` about each.
    pub(crate) fn replay(&self, calls: &[CallId], world: &mut World, beat: &Beat) {
        for (at, call) in calls.iter().enumerate() {
            beat.begin_again(at);
            self.context.call(*call, &mut world.values);
            if let (Some(gold), Some(context)) = (&mut world.gold, self.oracles.gold) {
                context.call(*call, gold);
            }
        }
    }

    /// What is wrong after a call.
    #[inline]
    fn fault(&self, call: CallId, reply: Reply, values: &mut Values) -> Option<Fault> {
        if reply == Reply::Panicked && self.oracles.panics == Panics::Fail && self.oracles.gold.is_none() {
            let message = std::mem::take(&mut values.text);
            return Some(Fault::Panic(Panic { message, place: values.place.take() }));
        }
        if self.has_any_invariant {
            let decoded = self.context.decode(call);
            if self.has_invariants[decoded.method] {
                let mut places = decoded.places().iter();
                if let Some(broken) = places.find(|place| !values.pool(place.pool).holds(place.slot as usize))
                {
                    let type_name = short_name(self.context.pools[broken.pool as usize].type_name);
                    return Some(Fault::Invariant { type_name });
                }
            }
        }
        for assertion in self.context.assertions.iter().chain(self.oracles.assertions) {
            if let Err(message) = assertion(values) {
                return Some(Fault::Assertion { message });
            }
        }
        None
    }
}

/// Describes how a call ended.
pub(super) fn words(reply: Reply, values: &Values) -> String {
    let text = &values.text;
    match reply {
        Reply::Returned | Reply::Stored if text.is_empty() => "returned".to_owned(),
        Reply::Returned | Reply::Stored => format!("returned {text}"),
        Reply::Failed => format!("returned an error {text}").trim_end().to_owned(),
        Reply::Panicked => format!("panicked: {text}"),
        Reply::Skipped => "could not be called".to_owned(),
    }
}

/// A name without its type, which differs in a reference implementation: `new` of `Map::new`.
fn own_name(name: &str) -> (&str, Option<&str>) {
    let (path, types) = name.split_once("::<").map_or((name, None), |(path, types)| (path, Some(types)));
    (path.rsplit("::").next().unwrap_or(path), types)
}

/// Checks that a reference implementation has the same calls.
pub(crate) fn check_gold(context: &Context, gold: &Context) -> Result<(), Error> {
    let differ = |what: String| Err(Error::DifferentContexts { what });
    if context.methods.len() != gold.methods.len() {
        return differ(format!(
            "there are {} calls, and {} in it",
            context.methods.len(),
            gold.methods.len()
        ));
    }
    for (ours, theirs) in context.methods.iter().zip(&gold.methods) {
        let shape = |c: &Context, m: &crate::context::Method| {
            m.order.iter().map(|i| c.pools[m.pool_at(*i) as usize].size).collect::<Vec<_>>()
        };
        let is_same = ours.kind == theirs.kind && own_name(&ours.name) == own_name(&theirs.name);
        if !is_same || shape(context, ours) != shape(gold, theirs) {
            let (ours, theirs) = (context.canonical_call(ours.first), gold.canonical_call(theirs.first));
            return differ(format!("`{ours}` is `{theirs}` in it, or pools have other sizes"));
        }
    }
    Ok(())
}
