//! The settings of a run that are given: by a test, by variables, or by options of the tool.
//!
//! The table of [`smallscope_support::settings`] has the names and which values each setting accepts. Here each setting
//! has its type; variables, options and requests are read and written through it.

mod value;
mod variables;

pub(crate) use variables::distance;

use crate::criteria::{Criterion, Ratio};
use crate::runner::budget::Shard;
use crate::runner::replay::Replay;
use smallscope_core::{Classes, Disjoint, Engine, Summaries};
use smallscope_support::memory::Bytes;
use smallscope_support::miri;
use smallscope_support::settings::{MOST_THREADS, Setting};
use std::path::PathBuf;
use std::time::Duration;
use value::Value;

/// Sets a setting from text.
fn read_into<T: Value>(value: &mut Option<T>, setting: &Setting, text: &str) -> Result<(), String> {
    *value = Some(T::read(setting, text)?);
    Ok(())
}

/// Gives a setting the other value, if it has none.
fn fill<T>(value: &mut Option<T>, other: &mut Option<T>) {
    if value.is_none() {
        *value = other.take();
    }
}

macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// The settings that are given. All others are as the test says, or have a default.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct Settings {
            $($(#[$doc])* pub $name: Option<$type>,)*
        }

        impl Settings {
            /// The names of all fields.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// Sets a setting from text, as variables and options write it.
            pub fn set(&mut self, setting: &Setting, text: &str) -> Result<(), String> {
                match setting.name {
                    $(stringify!($name) => read_into(&mut self.$name, setting, text),)*
                    other => Err(format!("`{other}` is given by the test itself only")),
                }
            }

            /// Returns the value of a setting, as [`Settings::set`] reads it.
            #[inline]
            pub fn get(&self, name: &str) -> Option<String> {
                match name {
                    $(stringify!($name) => self.$name.as_ref().map(Value::write),)*
                    _ => None,
                }
            }

            /// Returns these settings, with those of `other` where nothing is given here.
            #[must_use]
            pub fn or(mut self, mut other: Settings) -> Settings {
                $(fill(&mut self.$name, &mut other.$name);)*
                self
            }
        }
    };
}

settings! {
    /// The scope number.
    scope: u32,
    /// The largest number of objects and elements in a value.
    size: u32,
    /// The lengths of fields, each with its name before the first: `items=0..=3`, `64..=65`.
    len: Vec<String>,
    /// How many calls a sequence has.
    length: u32,
    /// The strategy of call sequences, by its name.
    strategy: String,
    /// The largest number of call sequences.
    tests: u64,
    /// The suite to run on.
    suite: PathBuf,
    /// The engine.
    engine: Engine,
    /// The order of values, or that of states, by its name.
    order: String,
    /// The treatment of classes.
    classes: Classes,
    /// One value per order type of the keys.
    order_types: bool,
    /// One value per path.
    one_per_path: bool,
    /// How many values are tried before the search.
    sparse: u64,
    /// How many random values are tried after the search.
    sample: u64,
    /// How many objects these have.
    sample_size: u32,
    /// Whether edge values are tried after the search.
    edges: bool,
    /// Whether disjoint parts are searched separately.
    disjoint: Disjoint,
    /// Whether helpers are answered for groups of subtrees.
    summaries: Summaries,
    /// The coverage criterion that makes the classes of a reduction.
    criterion: Criterion,
    /// The share of the values that a reduction keeps.
    ratio: Ratio,
    /// How many values a reduction keeps in all.
    keep: u64,
    /// How many values of each class a reduction keeps.
    per_class: u64,
    /// Which values of a class a reduction keeps.
    choice: String,
    /// The seed of random choices.
    seed: u64,
    /// The position to begin at: of a search, or a number of a call sequence.
    from: String,
    /// The position to end before.
    to: String,
    /// The shard.
    shard: Shard,
    /// The abstraction, by its name.
    abstraction: String,
    /// The fields that count besides the shape.
    fields: Vec<String>,
    /// How many of the last calls are a part of a state.
    last_calls: usize,
    /// Whether whole linearizations are compared.
    exact: bool,
    /// The coverage of the code under test, by its name.
    cover: String,
    /// Stop after this many values.
    max: u64,
    /// Stop after this many states.
    max_states: u64,
    /// Stop after this time.
    budget: Duration,
    /// Stop when this process has more memory.
    memory: Bytes,
    /// How long a call may take.
    call_limit: Duration,
    /// The largest number of threads.
    threads: usize,
    /// Continue after failures, and group them.
    clusters: bool,
    /// Whether a run that tests nothing passes.
    allow_empty: bool,
    /// Whether the test runs in a process of its own.
    isolate: bool,
    /// Whether rejected candidates are built and checked.
    audit: bool,
    /// The value or call sequence to run again, and nothing else.
    replay: Replay,
    /// Whether progress lines are printed.
    progress: bool,
    /// The file for lines of JSON.
    report: PathBuf,
    /// The file for a line of JSON per case.
    observe: PathBuf,
    /// The file for failing values as Rust source.
    source: PathBuf,
    /// Whether a failing test writes a page.
    html: bool,
}

impl Settings {
    /// Returns the number of threads: that of the processors, unless it is given. Under Miri it is one.
    pub fn threads(&self) -> usize {
        if miri::IS_RUNNING {
            return self.threads.unwrap_or(1);
        }
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or_else(|| processors().min(MOST_THREADS as usize))
    }
}
