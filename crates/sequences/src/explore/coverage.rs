//! Coverage of the code under test: the first sequence that reaches each target.

use std::path::Path;
use std::{fmt, fs, io};

use crate::context::Context;
use crate::test::Test;

/// Records which targets in the code under test were reached: blocks, or combinations of conditions. An implementation
/// keeps its record on the thread that explores.
///
/// With the feature `cover`, `smallscope::cover::Coverage` implements it with probes.
pub trait Coverage {
    /// Adds the numbers of the targets that were reached since the last call of this function, and never before.
    fn take_new(&mut self, targets: &mut Vec<u64>);

    /// Whether `take_new` would add a target. It is called after each call of a sequence, so it should be fast;
    /// `take_new` is called only if it returns true.
    fn has_news(&self) -> bool {
        true
    }

    /// Drops what was reached since the last time: not a call of the sequence reached it, but a clone, an invariant, or
    /// a reference implementation. Returns whether that is supported; then the calls are repeated before targets are
    /// taken.
    fn discard(&mut self) -> bool {
        false
    }

    /// The number of targets, if known.
    fn total(&self) -> Option<u64> {
        None
    }

    /// Describes a target.
    fn name(&self, target: u64) -> Option<String> {
        let _ = target;
        None
    }

    /// Returns an empty record for another thread. Without it, the exploration uses one thread.
    fn fork(&self) -> Option<Box<dyn Coverage + Send>> {
        None
    }

    /// Called first on the thread of a fork.
    fn begin(&mut self) {}

    /// Adds targets that other threads reached.
    fn add(&mut self, targets: &[u64]) {
        let _ = targets;
    }
}

/// Targets are numbered as in `Coverage::targets`.
#[cfg(feature = "cover")]
impl Coverage for smallscope_cover::Coverage {
    fn take_new(&mut self, targets: &mut Vec<u64>) {
        targets.extend(self.collect().iter().map(|target| *target as u64));
    }

    #[inline]
    fn has_news(&self) -> bool {
        smallscope_cover::Coverage::has_news(self)
    }

    fn discard(&mut self) -> bool {
        smallscope_cover::Coverage::discard(self);
        true
    }

    fn total(&self) -> Option<u64> {
        Some(smallscope_cover::Coverage::total(self) as u64)
    }

    fn name(&self, target: u64) -> Option<String> {
        self.targets().get(target as usize).map(ToString::to_string)
    }

    fn fork(&self) -> Option<Box<dyn Coverage + Send>> {
        Some(Box::new(self.clone()))
    }

    fn begin(&mut self) {
        smallscope_cover::Coverage::begin(self);
    }

    fn add(&mut self, targets: &[u64]) {
        let targets: Vec<usize> = targets.iter().map(|target| *target as usize).collect();
        smallscope_cover::Coverage::add(self, &targets);
    }
}

/// Targets are the compiler's regions. They belong to the process, so one thread explores.
#[cfg(feature = "cover")]
impl Coverage for smallscope_cover::LlvmCounters {
    fn take_new(&mut self, targets: &mut Vec<u64>) {
        targets.extend(self.collect().iter().map(|target| *target as u64));
    }

    fn has_news(&self) -> bool {
        smallscope_cover::LlvmCounters::has_news(self)
    }

    fn discard(&mut self) -> bool {
        smallscope_cover::LlvmCounters::discard(self);
        true
    }

    fn total(&self) -> Option<u64> {
        Some(smallscope_cover::LlvmCounters::total(self) as u64)
    }
}

/// A sequence that was the first to reach some targets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The sequence. Breadth first, no shorter one reaches these targets.
    pub test: Test,
    /// The targets that it reached first.
    pub targets: Vec<u64>,
    /// The names of the targets, if they have names.
    pub names: Vec<String>,
    /// The number of transitions before it.
    pub transitions: u64,
}

/// The sequences that were the first to reach a target. Together they reach all targets that were reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suite {
    /// The sequences, in the order in which they were found.
    pub witnesses: Vec<Witness>,
    /// The number of all targets, if known.
    pub total: Option<u64>,
}

impl Suite {
    /// The number of targets that were reached.
    pub fn covered(&self) -> usize {
        self.witnesses.iter().map(|witness| witness.targets.len()).sum()
    }

    /// The length of the longest sequence.
    pub fn longest(&self) -> usize {
        self.witnesses.iter().map(|witness| witness.test.len()).max().unwrap_or(0)
    }

    /// The average length of the sequences.
    pub fn average_length(&self) -> f64 {
        let calls: usize = self.witnesses.iter().map(|witness| witness.test.len()).sum();
        calls as f64 / self.witnesses.len().max(1) as f64
    }

    /// The sequences as functions with `#[test]`, named by a prefix and their numbers, each with its canonical form and
    /// the targets that it reached first.
    pub fn to_test_functions(&self, context: &Context, prefix: &str) -> String {
        let functions = self.witnesses.iter().enumerate().map(|(i, witness)| {
            let names = witness.names.iter().map(|name| format!("// reaches {name}\n"));
            let function = witness.test.to_test_function(context, &format!("{prefix}_{i}"));
            format!("// {}\n{}{function}", on_one_line(&witness.test, context), names.collect::<String>())
        });
        functions.collect::<Vec<_>>().join("\n")
    }

    /// The sequences in canonical form, one per line, as [`Test::parse`] reads them.
    pub fn to_canonical(&self, context: &Context) -> String {
        self.witnesses.iter().map(|witness| on_one_line(&witness.test, context) + "\n").collect()
    }

    /// Writes the sequences into a directory, as Rust (`name.rs`) and in canonical form (`name.calls`). The functions
    /// need imports of the types that they use.
    pub fn save(&self, context: &Context, directory: impl AsRef<Path>, name: &str) -> io::Result<()> {
        let directory = directory.as_ref();
        fs::create_dir_all(directory)?;
        fs::write(directory.join(format!("{name}.rs")), self.to_test_functions(context, name))?;
        fs::write(directory.join(format!("{name}.calls")), self.to_canonical(context))
    }
}

fn on_one_line(test: &Test, context: &Context) -> String {
    test.to_canonical(context).trim_end().replace('\n', "; ")
}

/// The number of targets reached, and by which sequences.
impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.covered())?;
        if let Some(total) = self.total {
            write!(f, " of {total}")?;
        }
        let (number, longest, average) = (self.witnesses.len(), self.longest(), self.average_length());
        write!(f, " targets reached by {number} sequences of up to {longest} calls, {average:.1} on average")
    }
}
