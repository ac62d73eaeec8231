//! Promises and comparison operators: the vocabulary that instrumented code and the heap share.
//!
//! A *promise* says what the answer to a question is worth: that the whole invariant is false if the answer comes out one
//! way. Then the engine need not try that way at all.

use std::cell::Cell;
use std::cmp::Ordering;

/// What follows for the whole invariant from the result of an expression.
pub type Promise = u8;

/// Nothing.
pub const NOTHING: Promise = 0;
/// If it is `false`, `None` or `Err`, the invariant is false.
pub const FALSE_REFUTES: Promise = 1;
/// If it is `true` or `Some`, the invariant is false.
pub const TRUE_REFUTES: Promise = 2;

/// The promise about `x`, from the one about `!x`.
#[inline(always)]
pub const fn not(promise: Promise) -> Promise {
    (promise & FALSE_REFUTES) << 1 | (promise & TRUE_REFUTES) >> 1
}

/// Whether an answer refutes the invariant.
pub(crate) fn refutes(promise: Promise, is_true: bool) -> bool {
    promise & if is_true { TRUE_REFUTES } else { FALSE_REFUTES } != 0
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Op::Eq => order.is_eq(),
            Op::Ne => order.is_ne(),
            Op::Lt => order.is_lt(),
            Op::Le => order.is_le(),
            Op::Gt => order.is_gt(),
            Op::Ge => order.is_ge(),
        }
    }

    /// The same with its sides exchanged.
    pub fn flipped(self) -> Op {
        match self {
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            Op::Eq | Op::Ne => self,
        }
    }
}

thread_local! {
    /// A promise about the next comparison of keys, if it is this one. In generic code only the key itself knows that it
    /// is one.
    static ABOUT_KEYS: Cell<Option<(Op, Promise)>> = const { Cell::new(None) };
}

/// Runs a comparison that may turn out to be one of keys, under a promise about it.
#[inline(always)]
pub(crate) fn about_keys<R>(op: Op, promise: Promise, compare: impl FnOnce() -> R) -> R {
    // `LocalKey::set` is not always inlined into users' code.
    ABOUT_KEYS.with(|about| about.set(Some((op, promise))));
    let result = compare();
    ABOUT_KEYS.with(|about| about.set(None));
    result
}

/// Takes the promise about a comparison of keys.
pub(crate) fn take_promise(op: Op) -> Promise {
    match ABOUT_KEYS.take() {
        Some((about, promise)) if about == op => promise,
        _ => NOTHING,
    }
}

/// Forgets the promise about a comparison that an unwinding has ended. Otherwise the next comparison would take it, which it
/// is not about.
#[cold]
pub(crate) fn forget() {
    ABOUT_KEYS.set(None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_exchanges_the_two_promises() {
        assert_eq!(not(FALSE_REFUTES), TRUE_REFUTES);
        assert_eq!(not(TRUE_REFUTES), FALSE_REFUTES);
        assert_eq!(
            (not(NOTHING), not(FALSE_REFUTES | TRUE_REFUTES)),
            (NOTHING, FALSE_REFUTES | TRUE_REFUTES)
        );
    }

    #[test]
    fn a_flipped_operator_holds_for_the_reversed_order() {
        for op in [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge] {
            for order in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
                assert_eq!(op.holds(order), op.flipped().holds(order.reverse()), "{op:?} {order:?}");
            }
        }
    }

    #[test]
    fn a_promise_about_keys_is_taken_by_its_own_operator_and_once() {
        about_keys(Op::Lt, FALSE_REFUTES, || {
            assert_eq!(take_promise(Op::Lt), FALSE_REFUTES);
            assert_eq!(take_promise(Op::Lt), NOTHING);
        });
        about_keys(Op::Lt, FALSE_REFUTES, || assert_eq!(take_promise(Op::Ge), NOTHING));
        assert_eq!(take_promise(Op::Lt), NOTHING);
    }
}
