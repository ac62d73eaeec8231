//! Coverage of the code under test while it is explored: the first sequence for each target.

use crate::context::Context;
use crate::test::Test;

/// Knows which parts of the code under test were reached: blocks, or combinations of conditions. What implements it keeps
/// its own account, on the thread that explores.
pub trait Coverage {
    /// Adds the numbers of the targets that were reached since the last time and never before.
    fn take_new(&mut self, targets: &mut Vec<u64>);
}

/// A sequence that was the first one to reach something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The sequence. Breadth-first, none that is shorter reaches these targets.
    pub test: Test,
    /// What it is the first one to reach.
    pub targets: Vec<u64>,
    /// How many transitions there were before it.
    pub transitions: u64,
}

/// The sequences that were the first ones to reach something: together, they reach everything that was reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suite {
    /// The sequences, in the order in which they were found.
    pub witnesses: Vec<Witness>,
}

impl Suite {
    /// How many targets were reached.
    pub fn covered(&self) -> usize {
        self.witnesses.iter().map(|witness| witness.targets.len()).sum()
    }

    /// The length of the longest sequence.
    pub fn longest(&self) -> usize {
        self.witnesses.iter().map(|witness| witness.test.len()).max().unwrap_or(0)
    }

    /// The sequences as functions with `#[test]`, named after a prefix and their numbers.
    pub fn to_test_functions(&self, context: &Context, prefix: &str) -> String {
        let functions = self.witnesses.iter().enumerate();
        let functions =
            functions.map(|(i, witness)| witness.test.to_test_function(context, &format!("{prefix}_{i}")));
        functions.collect::<Vec<_>>().join("\n")
    }

    /// The average length of the sequences.
    pub fn average_length(&self) -> f64 {
        let calls: usize = self.witnesses.iter().map(|witness| witness.test.len()).sum();
        calls as f64 / self.witnesses.len().max(1) as f64
    }
}
