//! What calls of each method do in random sequences: how many cannot be made, and how many undo everything.
//!
//! It is found out in the first sequences of a run, so weights that follow from it follow from the seed.

use crate::context::{CallId, Context, Reply, Values};
use crate::explore::changing_pools;
use crate::sink::Sink;

/// Calls of which at least nine in ten do nothing are this many times rarer.
const SKIPPED: u32 = 4;

/// Calls of which at least nine in ten lead back to where a sequence begins are this many times rarer. They do harm.
const UNDOING: u32 = 16;

/// Fewer calls show nothing.
const FEWEST: u64 = 20;

/// What calls of each method do.
#[derive(Clone, Default)]
pub(crate) struct Habits {
    methods: Vec<Habit>,
    /// The pools that are compared. None if they cannot be compared.
    pools: Option<Vec<u32>>,
    /// The states in which the current sequence began: before any call, and after it has made a value.
    beginnings: Vec<Vec<u8>>,
    /// The state before the next call is one of them.
    is_at_beginning: bool,
    sink: Sink,
}

#[derive(Clone, Copy, Default)]
struct Habit {
    calls: u64,
    skipped: u64,
    /// Calls in a state that is no beginning, and how many of them led to a beginning.
    inside: u64,
    undone: u64,
}

impl Habits {
    pub(crate) fn new(context: &Context) -> Habits {
        Habits {
            methods: vec![Habit::default(); context.methods.len()],
            pools: changing_pools(context),
            ..Habits::default()
        }
    }

    /// A sequence begins.
    pub(crate) fn begin(&mut self, values: &Values) {
        self.beginnings.clear();
        if self.write(values) {
            self.beginnings.push(self.sink.bytes().to_vec());
        }
        self.is_at_beginning = true;
    }

    /// Notes how a call of the sequence has ended.
    pub(crate) fn note(&mut self, context: &Context, call: CallId, at: usize, reply: Reply, values: &Values) {
        let method = context.method_of(call);
        self.methods[method].calls += 1;
        if reply == Reply::Skipped {
            self.methods[method].skipped += 1;
            return;
        }
        if !self.write(values) {
            return;
        }
        let state = self.sink.bytes();
        if at == 0 && context.methods[method].makes(context) {
            self.beginnings.push(state.to_vec());
            return;
        }
        let is_beginning = self.beginnings.iter().any(|known| known == state);
        let habit = &mut self.methods[method];
        if !self.is_at_beginning {
            habit.inside += 1;
            habit.undone += u64::from(is_beginning);
        }
        self.is_at_beginning = is_beginning;
    }

    /// Writes the state into the sink. False if it cannot be compared.
    fn write(&mut self, values: &Values) -> bool {
        let Some(pools) = &self.pools else { return false };
        self.sink.clear();
        for pool in pools {
            values.pool(*pool).linearize_all(&mut self.sink);
        }
        true
    }

    /// Adds what another thread has noted.
    pub(crate) fn add(&mut self, other: &Habits) {
        if self.methods.is_empty() {
            self.methods.clone_from(&other.methods);
            return;
        }
        for (habit, other) in self.methods.iter_mut().zip(&other.methods) {
            habit.calls += other.calls;
            habit.skipped += other.skipped;
            habit.inside += other.inside;
            habit.undone += other.undone;
        }
    }

    /// How many times rarer the calls of each method are to be.
    pub(crate) fn rarer(&self) -> Vec<u32> {
        let most = |part: u64, all: u64| all >= FEWEST && part * 10 >= all * 9;
        let rarer = |habit: &Habit| match habit {
            habit if most(habit.skipped, habit.calls) => SKIPPED,
            habit if most(habit.undone, habit.inside) => UNDOING,
            _ => 1,
        };
        self.methods.iter().map(rarer).collect()
    }
}
