//! The comparison itself has to detect wrong engines. Here the invariant of the mirror, which the engine runs, differs on
//! purpose from that of the real type, which the reference runs.

use smallscope::__private::{OnMirror, OneInvariant};
use smallscope::{Bounded, Bounds};
use smallscope_reference::{Settings, compare, enumerate};
use std::cell::Cell;
use std::rc::Rc;

macro_rules! twisted {
    ($name:ident, $mirror:ident, |$real:ident| $holds:expr, |$seen:ident| $seems:expr) => {
        #[derive(Bounded)]
        struct $name {
            a: u8,
            b: u8,
        }

        invariants!($name, $mirror, |$real| $holds, |$seen| $seems);
    };
}

macro_rules! invariants {
    ($name:ident, $mirror:ident, |$real:ident| $holds:expr, |$seen:ident| $seems:expr) => {
        impl OneInvariant for $name {
            const INVARIANT: Option<&'static str> = Some("rep_ok");
            type Mirror = $mirror;
            type Copy = $name;
            fn holds(&self) -> bool {
                let $real = self;
                $holds
            }
        }

        impl OnMirror<$mirror> for $name {
            fn holds($seen: &$mirror) -> bool {
                $seems
            }
        }
    };
}

fn error<T: Bounded>() -> String {
    compare::<T>(&Bounds::scope(2), &Settings::default()).expect_err("the engine is wrong")
}

twisted!(Honest, Honest_in_the_invariant, |v| v.a <= v.b, |v| v.a.__read() <= v.b.__read());
twisted!(Lax, Lax_in_the_invariant, |v| v.a <= v.b, |_v| true);
twisted!(Strict, Strict_in_the_invariant, |v| v.a <= v.b, |v| v.a.__read() < v.b.__read());
twisted!(Hasty, Hasty_in_the_invariant, |_v| panic!("on purpose"), |_v| true);
twisted!(Moody, Moody_in_the_invariant, |_v| true, |_v| mood().is_multiple_of(3));

thread_local! {
    static MOOD: Cell<u32> = const { Cell::new(0) };
}

/// Returns another number each time.
fn mood() -> u32 {
    MOOD.replace(MOOD.get() + 1)
}

#[test]
fn an_honest_invariant_passes() {
    let c = compare::<Honest>(&Bounds::scope(2), &Settings::default()).unwrap();
    assert_eq!((c.tried, c.classes, c.valid), (4, 4, 3));
    assert!(c.engines.iter().all(|run| run.delivered == 3 && run.outcome.is_exhaustive()));
}

#[test]
fn an_engine_that_accepts_too_much_is_not_sound() {
    let e = error::<Lax>();
    assert!(e.contains("not sound") && e.contains("a = 1, b = 0"), "{e}");
}

#[test]
fn an_engine_that_accepts_too_little_is_not_complete() {
    let e = error::<Strict>();
    assert!(e.contains("rejects the candidate but accepts the value") && e.contains("a = 0, b = 0"), "{e}");
}

#[test]
fn an_invariant_that_panics_is_reported_with_its_value() {
    let e = error::<Hasty>();
    assert!(e.contains("on purpose") && e.contains("a = value 0, b = value 0"), "{e}");
}

#[test]
fn an_engine_without_reproducible_answers_is_found_out() {
    let e = error::<Moody>();
    assert!(e.contains("not deterministic") || e.contains("accepts the value"), "{e}");
}

#[derive(Bounded)]
struct Two {
    first: Option<Rc<Leaf>>,
    second: Option<Rc<Leaf>>,
}

#[derive(Bounded)]
struct Leaf {
    v: u8,
}

// That of the real type depends on how often it was called.
invariants!(
    Two,
    Two_in_the_invariant,
    |v| v.first.is_none() || v.second.is_some() || mood().is_multiple_of(2),
    |_v| true
);

#[test]
fn isomorphic_values_must_be_treated_alike() {
    let e = enumerate::<Two>(&Bounds::scope(2).ints("Leaf.v", [0]), 1_000).unwrap_err();
    assert!(e.contains("tells isomorphic values apart"), "{e}");
}

#[test]
fn the_reference_gives_up_at_its_limit() {
    let e = enumerate::<Honest>(&Bounds::scope(9), 80).unwrap_err();
    assert!(e.contains("more than 80 assignments"), "{e}");
    assert!(enumerate::<Honest>(&Bounds::scope(9), 81).is_ok());
}

#[test]
fn bad_bounds_are_an_error() {
    let e = compare::<Honest>(&Bounds::scope(1).ints("Honest.c", 0..2), &Settings::default()).unwrap_err();
    assert!(e.contains("Honest.c"), "{e}");
}

#[derive(Bounded)]
struct Fork {
    left: Option<Rc<Leaf>>,
    right: Option<Rc<Leaf>>,
}

invariants!(Fork, Fork_in_the_invariant, |v| v.left.is_some() || v.right.is_none(), |v| {
    // Reads in another order each time, as a loop over a hash table does.
    let (left, right);
    if mood().is_multiple_of(2) {
        (left, right) = (v.left.__read().is_some(), v.right.__read().is_none());
    } else {
        right = v.right.__read().is_none();
        left = v.left.__read().is_some();
    }
    left || right
});

#[test]
fn the_order_of_reads_may_change_from_run_to_run() {
    let settings = Settings { recheck_every: 1, ..Settings::default() };
    let c = compare::<Fork>(&Bounds::scope(2), &settings).unwrap();
    // None, one, the same twice, two: with two values each.
    assert_eq!(c.valid, 1 + 2 + 2 + 4);
}
