//! Conditions about one field that are no comparisons, which instrumented code announces before it evaluates them.

use crate::ask::{Asking, Hue, Spot};
use smallscope::__private::unless;
use smallscope_core::ask::Promise;

/// A condition about one field that is no comparison, by number.
pub trait Condition {
    fn holds(&self, n: i64) -> bool;
}

macro_rules! conditions {
    ($($t:ty: $v:ident => $number:expr;)*) => { $(
        impl Condition for $t {
            fn holds(&self, n: i64) -> bool {
                let $v = *self;
                ($number + n).rem_euclid(3) != 0
            }
        }
    )* };
}
conditions! {
    u8: v => i64::from(v);
    i8: v => i64::from(v);
    usize: v => v as i64;
    bool: v => i64::from(v);
    Hue: v => v as i64;
    Option<u8>: v => v.map_or(1, i64::from);
}

impl<T: Condition> Spot<'_, T> {
    fn satisfies(self, n: i64, promise: Promise) -> bool {
        match self {
            Spot::Asked(asked) => {
                unless(promise, asked, |v| v.holds(n));
                true
            }
            other => other.real().holds(n),
        }
    }
}

impl Asking<'_> {
    /// Whether a condition holds; for a cell that is asked, what the condition says about it is announced, and it is read
    /// afterwards.
    pub fn satisfies(self, n: i64, promise: Promise) -> Option<bool> {
        Some(match self {
            Asking::U8(spot) => spot.satisfies(n, promise),
            Asking::I8(spot) => spot.satisfies(n, promise),
            Asking::Usize(spot) => spot.satisfies(n, promise),
            Asking::Bool(spot) => spot.satisfies(n, promise),
            Asking::Hue(spot) => spot.satisfies(n, promise),
            Asking::MaybeU8(spot) => spot.satisfies(n, promise),
            _ => return None,
        })
    }
}
