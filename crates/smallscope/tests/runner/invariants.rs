//! Invariants that misbehave, and values that do.

use super::tree::check;
use smallscope::search::Options;
use smallscope::testing::Blame;
use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::Cell;
use std::rc::Rc;

/// The kind of misbehaviour that an invariant shows on `[.., 2]`.
macro_rules! hostile {
    ($name:ident, |$v:ident| $body:expr) => {
        #[derive(Bounded, Debug)]
        struct $name {
            v: Vec<u8>,
        }
        #[rep_ok]
        impl $name {
            fn rep_ok(&self) -> bool {
                let $v = &self.v;
                $body
            }
        }
    };
}

#[test]
fn a_panic_in_the_invariant_is_reported_with_its_candidate() {
    hostile!(Panics, |v| if v.len() == 2 && v[1] == 1 { panic!("cannot handle this") } else { true });
    let report = check("t", 3).run(|p: Panics| assert!(p.v.len() < 4));
    let failure = report.failure().unwrap();
    assert!(matches!(failure.blame, Blame::Invariant(_)));
    assert_eq!(failure.message, "the invariant panicked: cannot handle this");
    assert!(failure.location.as_ref().unwrap().contains("invariants.rs:"));
    assert!(failure.graph.starts_with("value: v = "), "{}", failure.graph);
    let text = report.to_string();
    assert!(text.contains("`t`: the invariant misbehaves on a candidate\n"), "{text}");
    assert!(text.contains(" in scope 2 of 3, ") && !text.contains("value 0"), "{text}");
    let again = check("t", 3).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(|_: Panics| ());
    assert_eq!(again.failure().unwrap().message, failure.message);
}

#[test]
fn an_endless_loop_is_stopped() {
    hostile!(Loops, |v| {
        while v.len() == 1 {}
        true
    });
    let report = check("t", 2).run(|l: Loops| drop(l.v));
    let failure = report.failure().unwrap();
    assert!(failure.message.contains("did not end within "), "{}", failure.message);
    assert_eq!(failure.location, None);
    let again = check("t", 2).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(|_: Loops| ());
    assert_eq!(again.failure().unwrap().message, failure.message);
}

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

#[test]
fn an_invariant_that_is_not_deterministic_is_found() {
    hostile!(Fickle, |v| {
        CALLS.set(CALLS.get() + 1);
        v.is_empty() || CALLS.get().is_multiple_of(2)
    });
    let report = check("t", 2).run(|f: Fickle| drop(f.v));
    let failure = report.failure().unwrap();
    assert!(failure.message.contains("the invariant is not deterministic"), "{}", failure.message);
    assert!(failure.message.contains("HashMap"), "{}", failure.message);
}

#[test]
fn disagreement_with_the_real_value_is_found_and_replayed() {
    // A static tells the two worlds apart: the mirror is asked about each value first.
    thread_local! { static MIRROR: Cell<bool> = const { Cell::new(true) }; }
    hostile!(Differs, |v| v.len() < 2 || MIRROR.replace(!MIRROR.get()));
    let options = Options { recheck_every: 0, ..Options::default() };
    let report = check("t", 2).options(options).run(|d: Differs| drop(d.v));
    let failure = report.failure().unwrap();
    assert!(failure.message.contains("rejects the value built from it"), "{}", failure.message);
    MIRROR.set(true);
    let again = check("t", 2)
        .options(options)
        .environment([("SMALLSCOPE_REPLAY", &failure.replay)])
        .run(|_: Differs| ());
    assert_eq!(again.failure().unwrap().message, failure.message);
}

#[test]
fn a_panic_while_a_value_is_built_is_reported() {
    #[derive(Debug, PartialEq)]
    struct Bomb(u8);
    impl Clone for Bomb {
        fn clone(&self) -> Bomb {
            if self.0 == 2 { panic!("not this one") } else { Bomb(self.0) }
        }
    }
    #[derive(Bounded, Debug)]
    #[bounded(no_invariant)]
    struct Holder {
        #[bounded(values = [Bomb(1), Bomb(2)])]
        bomb: Bomb,
    }
    let report = check("t", 0).run(|h: Holder| assert!(h.bomb.0 < 3));
    let failure = report.failure().unwrap();
    assert_eq!((&failure.blame, failure.message.as_str()), (&Blame::Construction, "not this one"));
    assert_eq!(report.tested, 2);
}

#[test]
fn hostile_values_do_not_spoil_the_report() {
    #[derive(Bounded)]
    #[bounded(no_invariant)]
    struct Rude {
        n: u8,
    }
    impl std::fmt::Debug for Rude {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("no")
        }
    }
    impl Drop for Rude {
        fn drop(&mut self) {
            if self.n == 1 && !std::thread::panicking() {
                panic!("dropped")
            }
        }
    }
    let report = check("t", 3).run(|r: Rude| assert!(r.n < 9));
    assert_eq!(report.failure().unwrap().message, "dropped");
    struct Payload;
    impl Drop for Payload {
        fn drop(&mut self) {
            panic!("payload")
        }
    }
    let report = check("t", 3).run(|x: u8| {
        if x == 1 {
            std::panic::panic_any(Payload)
        }
    });
    assert_eq!(report.failure().unwrap().message, "(no message)");
}

#[test]
fn audit_mode_finds_what_the_mirror_rejects_wrongly() {
    thread_local! { static REAL: Rc<Cell<u32>> = Rc::default(); }
    hostile!(Strict, |v| v.is_empty() || REAL.with(|r| r.replace(r.get() + 1)) % 2 == 1);
    let options = Options { recheck_every: 0, audit: true, ..Options::default() };
    let report = check("t", 1).options(options).run(|s: Strict| drop(s.v));
    let failure = report.failure().unwrap();
    assert!(failure.message.contains("rejects the candidate but accepts the value"), "{}", failure.message);
    REAL.with(|r| r.set(0));
    let again = check("t", 1)
        .options(options)
        .environment([("SMALLSCOPE_REPLAY", &failure.replay)])
        .run(|_: Strict| ());
    assert_eq!(again.failure().unwrap().message, failure.message);
}

#[test]
fn try_all_ends_with_the_failure() {
    hostile!(Panics, |v| if v.len() == 2 { panic!("cannot handle this") } else { true });
    let found: Vec<_> = smallscope::try_all::<Panics>(2).unwrap().map(|r| r.is_ok()).collect();
    assert_eq!(found, [true, true, true, false]);
    assert!(smallscope::try_all::<Panics>(Bounds::exact()).is_err());
}
