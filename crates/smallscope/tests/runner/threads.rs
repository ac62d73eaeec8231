//! Several threads find the same as one, and report the same failure.

use super::tree::Tree;
use smallscope::{Bounded, Bounds, Check, Engine, Report, Stop, rep_ok};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Long enough in all for the other threads to be called, after a tenth of a second, if there are thousands of values.
fn a_moment() {
    thread::sleep(Duration::from_micros(200));
}

/// The same for hundreds of values.
fn a_longer_moment() {
    thread::sleep(Duration::from_millis(1));
}

fn check(name: &str, bounds: impl Into<Bounds>, threads: usize) -> Check {
    // Not what the environment of this process says.
    Check::new(name, bounds).threads(threads).environment([("PATH", "")])
}

#[test]
fn every_value_is_tested_once_and_on_several_threads() {
    let engines = [Engine::Lazy, Engine::Owned, Engine::Korat];
    for (threads, engine) in [1, 2, 8].into_iter().flat_map(|n| engines.map(|engine| (n, engine))) {
        let seen = Mutex::new((BTreeMap::<Vec<u8>, u32>::new(), HashSet::<ThreadId>::new()));
        let report = check("lists", 4, threads).engine(engine).run_parallel(|list: Vec<u8>| {
            a_longer_moment();
            let mut seen = seen.lock().unwrap();
            *seen.0.entry(list).or_default() += 1;
            seen.1.insert(thread::current().id());
        });
        assert!(report.is_exhaustive(), "{report}");
        let (values, ids) = seen.into_inner().unwrap();
        assert!(values.values().all(|times| *times == 1));
        assert_eq!((values.len(), report.tested), (1 + 4 + 16 + 64 + 256, values.len() as u64));
        assert_eq!(ids.len() > 1, threads > 1, "{} of {threads} threads, {engine}", ids.len());
    }
}

/// One run of the invariant stands for all of them.
#[derive(Bounded, Debug)]
struct Rising {
    a: u8,
    b: u8,
    c: u8,
    d: u8,
}

#[rep_ok]
impl Rising {
    fn rep_ok(&self) -> bool {
        self.a <= self.b && self.b <= self.c && self.c <= self.d
    }
}

#[test]
fn the_values_of_one_path_are_shared_out() {
    let fields = ["Rising.a", "Rising.b", "Rising.c", "Rising.d"];
    let bounds = fields.iter().fold(Bounds::exact(), |bounds, field| bounds.ints(field, 0..=12));
    for threads in [1, 2, 8] {
        let seen = Mutex::new((BTreeMap::<[u8; 4], u32>::new(), HashSet::<ThreadId>::new()));
        let report = check("rising", bounds.clone(), threads).run_parallel(|it: Rising| {
            a_moment();
            let mut seen = seen.lock().unwrap();
            *seen.0.entry([it.a, it.b, it.c, it.d]).or_default() += 1;
            seen.1.insert(thread::current().id());
        });
        assert!(report.is_exhaustive(), "{report}");
        assert_eq!(report.outcome.explored, 1, "threads do not run it again");
        let (values, ids) = seen.into_inner().unwrap();
        assert!(values.values().all(|times| *times == 1));
        // Four of thirteen numbers, with repetition.
        assert_eq!((values.len(), report.tested), (1820, 1820));
        assert_eq!(ids.len() > 1, threads > 1, "{} of {threads} threads", ids.len());
    }
}

/// What the report says apart from the time.
fn words(report: &Report) -> String {
    let passes: Vec<_> = report.passes.iter().map(|p| (p.scope, p.outcome, p.tested)).collect();
    format!("{report}\n{passes:?}")
}

#[test]
fn the_first_failure_in_the_order_of_the_search_is_reported() {
    let engines = [Engine::Lazy, Engine::Owned];
    let wrongs = [[4, 4, 4, 4], [0, 3, 1, 4], [2, 0, 0, 4]];
    for (engine, wrong) in engines.into_iter().flat_map(|engine| wrongs.map(|wrong| (engine, wrong))) {
        let run = |threads: usize| {
            check("lists", 5, threads).engine(engine).run_parallel(move |list: Vec<u8>| {
                a_moment();
                // There are later ones, and threads that begin there come to them sooner.
                let is_later = list.len() == 5 && list[..] > [2, 2][..];
                assert!(list != wrong && !is_later, "not this one");
            })
        };
        let one = run(1);
        assert!(one.failure().is_some(), "{one}");
        for threads in [2, 8] {
            assert_eq!(words(&run(threads)), words(&one), "{threads} threads, {wrong:?}");
        }
    }
}

/// Shared nodes: nothing of this may go to another thread.
#[derive(Bounded, Debug)]
struct Shared {
    left: Option<Rc<u8>>,
    right: Option<Rc<u8>>,
    more: Vec<u8>,
}

#[rep_ok]
impl Shared {
    fn rep_ok(&self) -> bool {
        self.left.is_some() || self.right.is_none()
    }
}

#[test]
fn types_need_not_be_send() {
    let run = |threads: usize| {
        check("shared", 3, threads).run_parallel(|shared: Shared| {
            a_longer_moment();
            assert!(shared.rep_ok());
        })
    };
    let (one, four) = (run(1), run(4));
    assert!(one.is_exhaustive() && four.is_exhaustive());
    assert_eq!((one.tested, one.outcome), (four.tested, four.outcome));
}

#[test]
fn several_arguments_and_a_budget() {
    let start = Instant::now();
    let report =
        check("trees", 5, 3).budget(Duration::from_millis(400)).run_parallel(|_: Tree<u8>, _: Vec<u8>| {
            a_moment();
        });
    assert!(report.is_ok() && !report.is_exhaustive());
    assert!(matches!(report.outcome.stop, Stop::LimitReached(_)), "{report}");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[derive(Bounded, Debug)]
struct Moody {
    items: Vec<u8>,
}

#[rep_ok]
impl Moody {
    fn rep_ok(&self) -> bool {
        assert!(self.items.len() < 5 || self.items[4] < 3 || self.items[0] < 3, "too much");
        true
    }
}

#[test]
fn an_invariant_that_panics_is_reported_as_by_one_thread() {
    let run = |threads: usize| check("moody", 5, threads).run_parallel(|_: Moody| a_moment());
    let one = run(1);
    assert!(one.failure().is_some_and(|case| case.message.contains("too much")), "{one}");
    assert_eq!(words(&run(4)), words(&one));
}

#[test]
fn limits_on_values_are_exact() {
    let seen = Mutex::new(0);
    let report = check("lists", 5, 4).max(1500).run_parallel(|_: Vec<u8>| {
        a_moment();
        *seen.lock().unwrap() += 1;
    });
    assert_eq!((report.tested, seen.into_inner().unwrap()), (1500, 1500));
}

#[smallscope::test(scope = 4, threads = 1)]
fn a_test_may_want_one_thread(list: Vec<u8>) {
    a_moment();
    thread_local!(static CALLS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    // Were there others, some would begin in the middle.
    assert!(CALLS.replace(CALLS.get() + 1) > 0 || list.is_empty());
}
