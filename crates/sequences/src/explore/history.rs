//! The last calls before a state, as a part of the state: states that an abstraction treats as equal then differ unless
//! they were reached in the same way.

use crate::context::{CallId, Context};
use crate::sink::Sink;

/// Which calls are a part of the state.
pub(super) struct History {
    /// The largest number of calls.
    calls: usize,
    /// For each method, whether it can change a value. The others lead back to the state that they were called in.
    changes: Vec<bool>,
}

impl History {
    /// The last calls that can change a value of one of the contexts, which have the same calls.
    pub(super) fn new(context: &Context, gold: Option<&Context>, calls: usize) -> Option<History> {
        let changes = |context: &Context| -> Vec<bool> {
            context.methods.iter().map(|method| context.can_change(method)).collect()
        };
        (calls > 0).then(|| {
            let of_gold = gold.map_or(vec![], changes);
            let of_gold = of_gold.into_iter().chain(std::iter::repeat(false));
            let changes = changes(context).into_iter().zip(of_gold).map(|(ours, gold)| ours || gold);
            History { calls, changes: changes.collect() }
        })
    }

    /// Whether a call is a part of the state that it leads to.
    pub(super) fn has(&self, context: &Context, call: CallId) -> bool {
        self.changes[context.method_of(call)]
    }

    /// Writes the last calls of a path and one more.
    pub(super) fn write(&self, context: &Context, path: &[CallId], last: Option<CallId>, sink: &mut Sink) {
        let before = path.iter().rev().copied();
        let calls = last.into_iter().chain(before).filter(|call| self.has(context, *call));
        let calls: Vec<CallId> = calls.take(self.calls).collect();
        sink.number(calls.len() as u64);
        calls.iter().for_each(|call| sink.number((*call).into()));
    }
}
