//! Runs tests, and finds the call after which something is wrong.

use smallscope_support::panics;

use super::habits::Habits;
use super::oracle::{Checks, Fault, Oracles};
use super::world::World;
use crate::context::{CallId, Context, Reply};
use crate::pulse::Beat;
use std::sync::Arc;

/// Runs tests and checks them after each call.
pub(crate) struct Examiner<'a> {
    checks: Checks<'a>,
    world: World,
    /// The call that is being made, counted from zero.
    at: usize,
    pub beat: Arc<Beat>,
    pub counts: Counts,
    /// What calls do, if that is noted.
    pub habits: Option<Box<Habits>>,
}

/// How calls ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Calls that were made or skipped.
    pub calls: u64,
    /// Calls that were skipped.
    pub skipped: u64,
    /// Calls that returned an `Err`.
    pub errors: u64,
    /// Calls that panicked.
    pub panics: u64,
    /// Calls whose result was put into a pool.
    pub stored: u64,
}

impl Counts {
    #[inline(always)]
    pub(crate) fn count(&mut self, reply: Reply) {
        self.calls += 1;
        match reply {
            Reply::Returned => {}
            Reply::Stored => self.stored += 1,
            Reply::Skipped => self.skipped += 1,
            Reply::Failed => self.errors += 1,
            Reply::Panicked => self.panics += 1,
        }
    }

    pub(crate) fn add(&mut self, other: Counts) {
        self.calls += other.calls;
        self.skipped += other.skipped;
        self.errors += other.errors;
        self.panics += other.panics;
        self.stored += other.stored;
    }
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(context: &'a Context, oracles: Oracles<'a>) -> Examiner<'a> {
        let checks = Checks::new(context, oracles);
        Examiner {
            world: checks.world(),
            beat: checks.beat(),
            checks,
            at: 0,
            counts: Counts::default(),
            habits: None,
        }
    }

    /// Notes from now on what calls do.
    pub(super) fn note_habits(&mut self) {
        self.habits = Some(Box::new(Habits::new(self.checks.context)));
    }

    /// Runs a test until a fault occurs. Returns the call, counted from zero, and the fault.
    pub(crate) fn run(&mut self, calls: &[CallId]) -> Option<(usize, Fault)> {
        self.beat.begin(calls);
        let fault = self.run_begun(calls);
        self.beat.rest();
        fault
    }

    /// Runs a test after `beat` was told that it begins.
    #[inline]
    pub(super) fn run_begun(&mut self, calls: &[CallId]) -> Option<(usize, Fault)> {
        // Destructors are a part of the test.
        let mut run = || {
            let fault = self.calls(calls);
            self.world.reset();
            fault
        };
        match panics::catch_silenced(&mut run) {
            Ok(None) => None,
            Ok(Some(fault)) => Some((self.at, *fault)),
            Err(panic) => {
                // Not in a call, so values may be lost: in a clone, a destructor, an invariant.
                let texts = self.world.values.attention.texts;
                self.world = self.checks.world();
                self.world.attend(texts);
                Some((self.at, Fault::Panic(*panic)))
            }
        }
    }

    /// Runs a test again, and keeps the texts for the report.
    pub(crate) fn describe(&mut self, calls: &[CallId]) -> Option<(usize, Fault)> {
        self.world.attend(true);
        let counts = self.counts;
        let found = self.run(calls);
        self.counts = counts;
        self.world.attend(false);
        found
    }

    fn calls(&mut self, calls: &[CallId]) -> Option<Box<Fault>> {
        let mut at = 0;
        if let Some(habits) = &mut self.habits {
            habits.begin(&self.world.values);
        }
        while at < calls.len() {
            self.at = at;
            let context = self.checks.context;
            if context.is_avoiding() && context.avoids(&calls[..at], calls[at]) {
                self.counts.count(Reply::Skipped);
                at += 1;
                continue;
            }
            self.beat.begin_call(at);
            let (reply, fault) = self.checks.call(calls[at], &mut self.world);
            self.counts.count(reply);
            if let Some(fault) = fault {
                return Some(fault);
            }
            if let Some(habits) = &mut self.habits {
                habits.note(self.checks.context, calls[at], at, reply, &self.world.values);
            }
            at += 1;
        }
        None
    }
}
