//! Compares an invariant with the methods of its type, in both directions: every state that calls reach must satisfy the
//! invariant, and every value within bounds that the invariant accepts should be reached by calls.
//!
//! Values are compared by their linearizations. States are explored breadth first, so the first state that the invariant
//! rejects has the fewest calls. Of the values that are not reached, the one with the shortest linearization is shown.

mod example;
mod records;
mod run;
#[cfg(feature = "suites")]
mod serve;

pub use example::Example;
#[cfg(feature = "html")]
pub(crate) use example::Picture;
pub use run::run_agree;

use crate::show::type_text;
use crate::values::try_all;
use smallscope_core::{Bounded, Bounds};
use smallscope_sequences::{Context, Exploration, Explorer, IntoContext, Linearize, Sink, Stop, Values};
use smallscope_support::panics;
use std::collections::HashSet;
use std::fmt::{self, Debug, Write as _};
use std::time::Duration;

/// The time for the exploration, if no other is given.
const TIME: Duration = Duration::from_secs(30);

/// At most so many values are compared.
const MOST_VALUES: u64 = 2_000_000;

/// How an invariant is compared with the methods of its type. See [`agree`].
#[derive(Debug, Clone)]
pub struct Agree {
    /// The bounds of the values that the invariant accepts.
    pub bounds: Bounds,
    /// The largest number of calls. Without it, states are explored until no call leads to a new one.
    pub length: Option<usize>,
    /// The time for the exploration.
    pub budget: Duration,
    /// Passes if values are not reached, and only prints one.
    pub allows_unreached: bool,
}

/// The result of comparing an invariant with the methods of its type.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Agreement {
    /// The name of the type.
    pub type_name: String,
    /// Distinct values that calls reach.
    pub reached: u64,
    /// How many of them the invariant rejects.
    pub rejected: u64,
    /// Distinct values within the bounds that the invariant accepts.
    pub accepted: u64,
    /// How many of them are not reached.
    pub unreached: u64,
    /// Reached values that the invariant accepts and that are outside the bounds.
    pub outside: u64,
    /// A rejected value that the fewest calls lead to.
    pub first_rejected: Option<Example>,
    /// The smallest value that is not reached.
    pub first_unreached: Option<Example>,
    /// Which sequences were run, in words.
    pub sequences: String,
    /// Whether all sequences within the length were run. If not, a value that is not reached proves nothing.
    pub is_whole: bool,
    /// Whether all values within the bounds were compared.
    pub has_all_values: bool,
}

impl Agree {
    /// Compares within bounds, with sequences of any length.
    pub fn new(bounds: impl Into<Bounds>) -> Agree {
        Agree { bounds: bounds.into(), length: None, budget: TIME, allows_unreached: false }
    }

    /// Limits the number of calls.
    pub fn length(mut self, calls: usize) -> Agree {
        self.length = Some(calls);
        self
    }

    /// Sets the time for the exploration.
    pub fn budget(mut self, time: Duration) -> Agree {
        self.budget = time;
        self
    }

    /// Passes if values are not reached.
    pub fn allow_unreached(mut self) -> Agree {
        self.allows_unreached = true;
        self
    }

    /// Compares, and returns what was found. An error says why nothing could be compared.
    pub fn compare<T>(&self, context: impl IntoContext) -> Result<Agreement, String>
    where
        T: Bounded + Linearize + Debug,
    {
        let context = context.into_context().map_err(|error| format!("the context is wrong: {error}"))?;
        let reached = Reached::by_calls::<T>(self, &context)?;
        reached.compare_values::<T>(&self.bounds)
    }
}

/// The values that calls reach.
#[derive(Default)]
struct Reached {
    /// The linearizations of those that the invariant accepts, and of the others.
    valid: HashSet<Vec<u8>>,
    rejected: HashSet<Vec<u8>>,
    /// The state of the first that is rejected, and the value.
    first_rejected: Option<(usize, Example)>,
    /// Which sequences were run, in words.
    sequences: String,
    /// Whether all sequences within the length were run.
    is_whole: bool,
}

/// The slots of the pool of a type.
fn slots_of<T: 'static>(context: &Context) -> Result<usize, String> {
    let name = type_text(std::any::type_name::<T>());
    context.slots_of::<T>().ok_or_else(|| {
        format!("the context has no pool of `{name}`: add `.pool(Pool::<{name}>::empty(1)..)`")
    })
}

impl Reached {
    /// Explores the states that calls lead to.
    fn by_calls<T: Bounded + Linearize + Debug>(
        settings: &Agree,
        context: &Context,
    ) -> Result<Reached, String> {
        let slots = slots_of::<T>(context)?;
        let bounds = &settings.bounds;
        let mut reached = Reached::default();
        reached.look::<T>(&context.initial_values(), slots, 0, bounds);
        let mut state = 0;
        let mut explorer = Explorer::new(context).budget(settings.budget).keep_sequences();
        if let Some(length) = settings.length {
            explorer = explorer.max_length(length);
        }
        let explorer = explorer.on_state(|values, _| {
            state += 1;
            reached.look::<T>(values, slots, state, bounds);
        });
        let found = explorer.explore().map_err(|error| error.to_string())?;
        if let Some(cluster) = found.clusters.first() {
            return Err(format!(
                "a call fails, so the states behind it are not known:\n\n{}\n\nTest the methods with \
                 `#[smallscope::sequences]` first",
                cluster.first
            ));
        }
        reached.is_whole = matches!(found.stop, Stop::Exhausted);
        reached.sequences = in_words(&found, settings.length);
        if let Some((state, example)) = &mut reached.first_rejected {
            if let Some(test) = state.checked_sub(1).and_then(|state| found.sequences.get(state)) {
                example.after(test, context);
            }
        }
        Ok(reached)
    }

    fn look<T: Bounded + Linearize + Debug>(
        &mut self,
        values: &Values,
        slots: usize,
        state: usize,
        bounds: &Bounds,
    ) {
        for value in (0..slots).filter_map(|slot| values.get::<T>(slot)) {
            let key = linearized(value);
            if self.valid.contains(&key) || self.rejected.contains(&key) {
                continue;
            }
            let verdict = panics::catch_silenced(|| value.rep_ok());
            if verdict == Ok(true) {
                self.valid.insert(key);
                continue;
            }
            self.rejected.insert(key);
            if self.first_rejected.is_none() {
                let panic = verdict.err().map(|panic| panic.to_string());
                self.first_rejected = Some((state, Example::rejected(value, panic, bounds)));
            }
        }
    }

    fn has<T: Linearize>(&self, value: &T) -> bool {
        self.valid.contains(&linearized(value))
    }

    /// Looks up every value that the invariant accepts.
    fn compare_values<T: Bounded + Linearize + Debug>(self, bounds: &Bounds) -> Result<Agreement, String> {
        let (reached, mut agreement) = self.into_agreement::<T>();
        let name = agreement.type_name.clone();
        let values =
            try_all::<T>(bounds.clone()).map_err(|error| format!("no values of `{name}`: {error}"))?;
        let mut known = HashSet::new();
        let mut smallest: Option<(usize, T)> = None;
        let mut inside = 0;
        for value in values {
            let value = value.map_err(|failure| format!("no more values of `{name}`: {failure}"))?;
            let key = linearized(&value);
            if known.contains(&key) {
                continue;
            }
            if agreement.accepted == MOST_VALUES {
                agreement.has_all_values = false;
                break;
            }
            agreement.accepted += 1;
            if reached.contains(&key) {
                inside += 1;
            } else {
                agreement.unreached += 1;
                if smallest.as_ref().is_none_or(|(size, _)| key.len() < *size) {
                    smallest = Some((key.len(), value));
                }
            }
            known.insert(key);
        }
        agreement.outside = reached.len() as u64 - inside;
        agreement.first_unreached = smallest.map(|(_, value)| Example::unreached(&value, bounds));
        Ok(agreement)
    }

    /// What is known before values are looked up, and the linearizations of the values that are reached and accepted.
    fn into_agreement<T>(self) -> (HashSet<Vec<u8>>, Agreement) {
        let agreement = Agreement {
            type_name: type_text(std::any::type_name::<T>()),
            reached: self.valid.len() as u64 + self.rejected.len() as u64,
            rejected: self.rejected.len() as u64,
            accepted: 0,
            unreached: 0,
            outside: 0,
            first_rejected: self.first_rejected.map(|(_, example)| example),
            first_unreached: None,
            sequences: self.sequences,
            is_whole: self.is_whole,
            has_all_values: true,
        };
        (self.valid, agreement)
    }
}

fn linearized<T: Linearize>(value: &T) -> Vec<u8> {
    let mut sink = Sink::new();
    value.linearize(&mut sink);
    sink.bytes().to_vec()
}

fn in_words(found: &Exploration, length: Option<usize>) -> String {
    match (found.stop, length) {
        (Stop::Exhausted, _) if found.is_closed => "sequences of any length".to_owned(),
        (Stop::Exhausted, Some(1)) => "sequences of one call".to_owned(),
        (Stop::Exhausted, Some(length)) => format!("sequences of up to {length} calls"),
        (stop, _) => format!("some sequences ({stop}; all of up to {} calls)", found.whole_length),
    }
}

impl Agreement {
    /// Whether neither direction shows a difference.
    pub fn agrees(&self) -> bool {
        self.rejected == 0 && self.unreached == 0
    }

    /// Whether a test with these settings fails.
    fn fails(&self, settings: &Agree) -> bool {
        let fails_by_unreached = self.unreached > 0 && self.is_whole && !settings.allows_unreached;
        self.rejected > 0 || fails_by_unreached
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreement { type_name, reached, rejected, accepted, unreached, outside, sequences, .. } = self;
        writeln!(
            f,
            "reached:  {reached} values of `{type_name}`, by {sequences}; the invariant rejects {rejected}"
        )?;
        let all = if self.has_all_values { "" } else { "the first " };
        write!(f, "accepted: {all}{accepted} values within the bounds; {unreached} are not reached")?;
        if *outside > 0 {
            write!(f, "; {outside} are reached outside the bounds")?;
        }
        if let Some(example) = &self.first_rejected {
            let calls = example.calls.as_deref().unwrap_or_default();
            write!(f, "\n\nreachable but rejected: after\n\n{}\nthe value is\n\n{example}", indented(calls))?;
        }
        if let Some(example) = &self.first_unreached {
            let lines = if self.first_rejected.is_some() { "\n" } else { "\n\n" };
            write!(f, "{lines}accepted but not reached within the bounds; the smallest is\n\n{example}")?;
            if !self.is_whole {
                write!(
                    f,
                    "\nNot all sequences were run, so more time or another comparison of states may reach it."
                )?;
            }
        }
        Ok(())
    }
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let _ = writeln!(out, "    {line}");
    }
    if out.is_empty() { "    // no call\n".to_owned() } else { out }
}

/// Compares an invariant with the methods of its type, and panics with a report if they do not agree.
/// `#[smallscope::agree]` makes a test of it. With the feature `sequences`.
///
/// Fails if calls reach a value that the invariant rejects. Fails if the invariant accepts a value within the bounds that no
/// sequence reaches, unless not all sequences were run, or this is [allowed](Agree::allow_unreached).
///
/// # Panics
///
/// If they do not agree, or if nothing can be compared.
#[track_caller]
pub fn agree<T>(settings: Agree, context: impl IntoContext)
where
    T: Bounded + Linearize + Debug,
{
    let name = type_text(std::any::type_name::<T>());
    let agreement = match settings.compare::<T>(context) {
        Ok(agreement) => agreement,
        Err(error) => panic!("{}", cannot_be_compared(&name, &error)),
    };
    if agreement.fails(&settings) {
        panic!("{}", do_not_agree(&name, &agreement));
    }
    println!("{agreement}");
}

fn cannot_be_compared(type_name: &str, error: &str) -> String {
    format!("the invariant and the methods of `{type_name}` cannot be compared: {error}")
}

fn do_not_agree(type_name: &str, agreement: &dyn fmt::Display) -> String {
    format!("the invariant and the methods of `{type_name}` do not agree\n\n{agreement}")
}
