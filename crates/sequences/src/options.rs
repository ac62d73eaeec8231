//! The options that runs and explorations have in common.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use smallscope_support::memory;

use crate::context::{Context, Error};
use crate::pulse::Pulse;
use crate::run::{Assertion, Oracles, Panics, check_gold};

/// How calls are checked, and when to stop.
pub(crate) struct Options<'a> {
    pub panics: Panics,
    pub gold: Option<&'a Context>,
    pub assertions: Vec<Box<Assertion>>,
    pub budget: Option<Duration>,
    pub memory: memory::Limit,
    pub stops_at_failure: bool,
    pub threads: usize,
    pub interrupt: Option<&'a AtomicBool>,
    pub pulse: Option<&'a Pulse>,
}

impl<'a> Options<'a> {
    /// Stops at the first failure, and uses one thread and the oracles of the context.
    pub(crate) fn new(context: &'a Context) -> Options<'a> {
        Options {
            panics: context.panics,
            gold: context.gold.as_deref(),
            assertions: vec![],
            budget: None,
            memory: memory::Limit::Share,
            stops_at_failure: true,
            threads: 1,
            interrupt: None,
            pulse: None,
        }
    }

    /// Checks that the reference implementation fits a context.
    pub(crate) fn check(&self, context: &Context) -> Result<(), Error> {
        self.gold.map_or(Ok(()), |gold| check_gold(context, gold))
    }

    pub(crate) fn oracles(&self) -> Oracles<'_> {
        Oracles { panics: self.panics, gold: self.gold, assertions: &self.assertions, pulse: self.pulse }
    }

    /// Whether the caller requested a stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// The methods that set [`Options`], for a type that has them in its field `options`.
macro_rules! option_methods {
    ($type:ident) => {
        impl<'a> $type<'a> {
            /// Sets what a panic means.
            pub fn panics(mut self, panics: $crate::Panics) -> Self {
                self.options.panics = panics;
                self
            }

            /// Adds a reference implementation or a model: a context with the same calls, run in lockstep. Calls must
            /// end in the same way and return equal results; a panic is not a failure if both panic. In explorations
            /// its values are a part of the state, so their pools need linearizations, too.
            pub fn gold(mut self, gold: &'a $crate::Context) -> Self {
                self.options.gold = Some(gold);
                self
            }

            /// Adds a condition that must hold after each call.
            pub fn assert(
                mut self,
                assertion: impl Fn(&$crate::Values) -> Result<(), String> + Send + Sync + 'static,
            ) -> Self {
                self.options.assertions.push(Box::new(assertion));
                self
            }

            /// Limits the time.
            pub fn budget(mut self, time: ::std::time::Duration) -> Self {
                self.options.budget = Some(time);
                self
            }

            /// Limits the resident memory of this process, in bytes. By default, it is as much as the process leaves free,
            /// about half of what was free when it began.
            pub fn memory(mut self, bytes: u64) -> Self {
                self.options.memory = ::smallscope_support::memory::Limit::Bytes(bytes);
                self
            }

            /// Continues after failures, and counts them. In explorations, nothing is tried after a call that failed.
            pub fn keep_going(mut self) -> Self {
                self.options.stops_at_failure = false;
                self
            }

            /// Sets the number of threads. Except for time limits, what is run and reported does not depend on it.
            /// Explorations that are not breadth first, and coverage that belongs to the whole process, use one thread.
            pub fn threads(mut self, threads: usize) -> Self {
                self.options.threads = threads;
                self
            }

            /// Stops soon after the flag is set.
            pub fn interrupted_by(mut self, flag: &'a ::std::sync::atomic::AtomicBool) -> Self {
                self.options.interrupt = Some(flag);
                self
            }

            /// Tracks the threads there, so that a call that does not return is found.
            pub fn pulse(mut self, pulse: &'a $crate::Pulse) -> Self {
                self.options.pulse = Some(pulse);
                self
            }
        }
    };
}

pub(crate) use option_methods;
