//! `#[smallscope::agree]`: an invariant that is right, too weak, too strong, or both.

use smallscope::sequences::{Builder, Context, Linearize, Pool};
use smallscope::{Agree, Bounded, rep_ok};

/// A sorted set of numbers with a right invariant, and the same with wrong ones.
macro_rules! set {
    ($name:ident, $holds:expr) => {
        #[derive(Bounded, Clone, Debug, Linearize)]
        pub struct $name {
            items: Vec<u8>,
        }

        #[rep_ok]
        impl $name {
            fn rep_ok(&self) -> bool {
                let holds: fn(u8, u8) -> bool = $holds;
                for i in 1..self.items.len() {
                    if !holds(self.items[i - 1], self.items[i]) {
                        return false;
                    }
                }
                true
            }
        }

        #[smallscope::api]
        impl $name {
            pub fn new() -> $name {
                $name { items: vec![] }
            }
            pub fn insert(&mut self, item: u8) {
                let at = self.items.partition_point(|other| *other < item);
                if self.items.get(at) != Some(&item) {
                    self.items.insert(at, item);
                }
            }
            pub fn remove(&mut self, item: u8) {
                self.items.retain(|other| *other != item);
            }
        }

        impl $name {
            fn calls() -> Builder {
                Context::builder()
                    .pool(Pool::<$name>::empty(1).cloned().linearized())
                    .pool(Pool::of([0u8, 1, 2]))
                    .api::<$name>()
            }
        }
    };
}

set!(Right, |a, b| a < b);
set!(Weak, |a, b| a <= b);
set!(Strong, |a, b| a + 1 == b);
set!(Both, |a, b| a == b || a + 1 == b);

#[smallscope::agree(of = Right, scope = 3)]
fn a_right_invariant_agrees() -> Builder {
    Right::calls()
}

#[smallscope::agree(of = Right, scope = 3, length = 3, allow_unreached)]
fn too_few_calls_are_allowed() -> Builder {
    Right::calls()
}

#[smallscope::agree(of = Weak, scope = 3)]
#[should_panic(expected = "accepted but not reached within the bounds; the smallest is")]
fn a_weak_invariant_does_not_agree() -> Builder {
    Weak::calls()
}

/// The values that are reached, rejected, accepted and not reached.
fn counts<T: Bounded + Linearize + std::fmt::Debug>(calls: Builder) -> ([u64; 4], String) {
    let found = Agree::new(3).compare::<T>(calls).unwrap();
    assert!(found.is_whole && found.has_all_values);
    ([found.reached, found.rejected, found.accepted, found.unreached], found.to_string())
}

#[test]
fn a_right_invariant_accepts_what_is_reached() {
    // The subsets of three numbers.
    let (counts, text) = counts::<Right>(Right::calls());
    assert_eq!(counts, [8, 0, 8, 0]);
    assert_eq!(
        text,
        "reached:  8 values of `Right`, by sequences of any length; the invariant rejects 0\naccepted: 8 values within the \
         bounds; 0 are not reached"
    );
}

#[test]
fn a_weak_invariant_accepts_what_is_not_reached() {
    // Multisets of up to three of three numbers: 1 + 3 + 6 + 10, of which 8 are sets.
    let (counts, text) = counts::<Weak>(Weak::calls());
    assert_eq!(counts, [8, 0, 20, 12]);
    let shown = "the smallest is\n\n    Weak {\n        items: [\n            0,\n            0,\n        ],\n    }\n";
    assert!(text.contains(shown), "{text}");
}

#[test]
fn a_strong_invariant_rejects_what_is_reached() {
    // Runs of successors: the empty one, 3, 2 and 1. `{0, 2}` is the one that is missing.
    let (counts, text) = counts::<Strong>(Strong::calls());
    assert_eq!(counts, [8, 1, 7, 0]);
    let shown = "reachable but rejected: after\n\n    let mut strong = Strong::new();\n    strong.insert(0);\n    \
                 strong.insert(2);\n\nthe value is\n\n    Strong {";
    assert!(text.contains(shown), "{text}");
}

#[test]
fn an_invariant_can_be_wrong_in_both_ways() {
    // Each number is the one before it or its successor: 1, 3, 5 and 8 of the lengths 0 to 3.
    let (counts, text) = counts::<Both>(Both::calls());
    assert_eq!(counts, [8, 1, 17, 10]);
    assert!(text.contains("reachable but rejected") && text.contains("accepted but not reached"), "{text}");
}

#[test]
fn within_few_calls_fewer_values_are_reached() {
    let found = Agree::new(3).length(2).compare::<Right>(Right::calls()).unwrap();
    assert_eq!((found.reached, found.unreached), (4, 4));
    assert!(found.to_string().contains("by sequences of up to 2 calls"), "{found}");
    // Values that are larger than the bounds.
    let found = Agree::new(2).compare::<Right>(Right::calls()).unwrap();
    assert_eq!((found.reached, found.accepted, found.unreached, found.outside), (8, 4, 0, 4));
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let error = Agree::new(3).compare::<Weak>(Right::calls()).unwrap_err();
    assert!(error.contains("no pool of `Weak`: add `.pool(Pool::<Weak>::empty(1)..)`"), "{error}");
}

#[smallscope::sequences::test(length = 3)]
fn editors_take_this_for_a_test() -> Builder {
    Right::calls()
}
