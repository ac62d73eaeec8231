//! Running tests: what fails, how it is reported, and how runs end.

mod covered;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::common::{Tree, everything, map, pools};
use smallscope_sequences::{
    BigUint, Builder, Context, Fault, Limit, Panics, Pool, Report, Runner, Stop, Strategy, by_mut, by_ref,
    density, fallible, into, nothing, seen, value,
};

/// Removing a node with two children forgets about the size.
fn forgetful() -> Builder {
    pools(1, &[1, 2, 3])
        .function("Tree::new", (), into(), |()| Tree::new())
        .method("insert", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| {
            t.insert(k, k);
        })
        .method("remove", (by_mut::<Tree>(), value::<i32>()), nothing(), |(t, k)| {
            let has_two =
                t.root.as_ref().is_some_and(|r| r.key == k && r.left.is_some() && r.right.is_some());
            t.remove(k);
            t.size += usize::from(has_two);
        })
}

#[test]
fn a_broken_invariant_is_found_by_every_strategy_and_shrunk_to_the_shortest_sequence() {
    let context = forgetful().build().unwrap();
    let strategies = [
        Strategy::bobw(&context, 8, 1).unwrap(),
        Strategy::random(&context, 60, 1000, 1).unwrap(),
        Strategy::bobw(&context, 100, 1).unwrap(),
    ];
    for strategy in strategies {
        let report = Runner::new(&context, strategy).run().unwrap();
        assert_eq!(report.stop, Stop::FirstFailure);
        let failure = &report.clusters[0].first;
        assert_eq!(failure.fault, Fault::Invariant { type_name: "Tree".into() });
        let lines: Vec<_> = failure.source.lines().collect();
        assert_eq!(
            (lines.len(), lines[0], lines[1], lines[4]),
            (5, "let mut t = Tree::new();", "t.insert(2);", "t.remove(2);")
        );
        assert!(report.to_string().contains("// the invariant of `Tree` does not hold"), "{report}");
    }
    let shortest = Runner::new(&context, Strategy::be(&context, 4).unwrap()).run().unwrap();
    assert_eq!(shortest.stop, Stop::Exhausted, "no shorter sequence fails");
    let be = Runner::new(&context, Strategy::be(&context, 5).unwrap()).run().unwrap();
    assert_eq!(be.stop, Stop::FirstFailure);
}

/// What must not depend on threads.
type Facts = (Stop, u64, u64, BigUint, Vec<(u64, BigUint, String)>);

fn facts(report: &Report) -> Facts {
    let clusters = report.clusters.iter().map(|c| (c.failing, c.first.position.clone(), c.first.to_string()));
    (report.stop, report.tests, report.failing, report.next.clone(), clusters.collect())
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let context = forgetful().build().unwrap();
    let strategies = [
        Strategy::bobw(&context, 8, 7).unwrap(),
        Strategy::random(&context, 60, 1000, 7).unwrap(),
        Strategy::be(&context, 5).unwrap(),
    ];
    for strategy in strategies {
        for keeps_going in [false, true] {
            let run = |threads| {
                let runner = Runner::new(&context, strategy.clone()).max_tests(60_000).threads(threads);
                facts(&if keeps_going { runner.keep_going() } else { runner }.run().unwrap())
            };
            let one = run(1);
            assert!(one.2 > 0);
            assert_eq!(one, run(3));
        }
    }
}

#[test]
fn failing_tests_are_as_many_as_the_formula_says() {
    /// Fails after `abb`, anywhere in a test.
    #[derive(Clone, Default)]
    struct Fussy(Vec<u8>);
    for n in 1..=6 {
        let context = Context::builder()
            .pool(Pool::<Fussy>::empty(1).and(Fussy::default()).invariant(|f| !f.0.ends_with(&[0, 1, 1])))
            .pool(Pool::of([0u8, 1, 2, 3]))
            .method("eat", (by_mut::<Fussy>(), value::<u8>()), nothing(), |(f, x)| f.0.push(x))
            .build()
            .unwrap();
        let run = |strategy| Runner::new(&context, strategy).keep_going().run().unwrap();
        let be = run(Strategy::be(&context, n).unwrap());
        assert_eq!(BigUint::from(be.failing), density::phi(4, 3, n));
        assert_eq!(run(Strategy::bobw(&context, n, 5).unwrap()).failing, be.failing);
        assert_eq!(be.density(), density::density(4, 3, n));
        if be.failing > 0 {
            assert_eq!(be.clusters.len(), 1);
            assert_eq!(be.clusters[0].first.shrunk.len(), 3);
        }
    }
}

#[test]
fn panics_fail_or_are_allowed() {
    let context = everything(1, &[1]).build().unwrap();
    let runner = || Runner::new(&context, Strategy::be(&context, 3).unwrap());
    let failed = runner().run().unwrap();
    assert_eq!(failed.stop, Stop::FirstFailure);
    let Fault::Panic(panic) = &failed.clusters[0].first.fault else { panic!("{failed}") };
    assert_eq!(panic.message, "the tree is empty");
    assert!(panic.location().unwrap().contains("tree.rs"));
    assert_eq!(failed.clusters[0].first.source, "let t = Tree::new();\nt.first();\n");
    let allowed = runner().panics(Panics::Allowed).run().unwrap();
    assert_eq!(allowed.stop, Stop::Exhausted);
    assert!(allowed.counts.panics > 0 && allowed.counts.errors > 0 && allowed.counts.skipped > 0);
    assert_eq!(allowed.counts.calls, allowed.tests * 3);
}

fn gold() -> Builder {
    type Map = BTreeMap<i32, i32>;
    Context::builder()
        .pool(Pool::<Map>::empty(1))
        .pool(Pool::of([1, 2]))
        .function("Tree::new", (), into(), |()| Map::new())
        .method("insert", (by_mut::<Map>(), value::<i32>(), value::<i32>()), seen(), |(t, k, v)| {
            t.insert(k, v)
        })
        .method("remove", (by_mut::<Map>(), value::<i32>()), seen(), |(t, k)| t.remove(&k))
        .method("first", (by_ref::<Map>(),), into::<i32>(), |(t,)| *t.keys().next().unwrap())
}

#[test]
fn a_reference_implementation_runs_in_lock_step() {
    let gold = gold().build().unwrap();
    let with = |first: fn(&Tree) -> i32| {
        map(1, &[1, 2])
            .method("first", (by_ref::<Tree>(),), into::<i32>(), move |(t,)| first(t))
            .build()
            .unwrap()
    };
    let right = with(Tree::first);
    let report = Runner::new(&right, Strategy::be(&right, 5).unwrap()).gold(&gold).run().unwrap();
    assert_eq!(report.stop, Stop::Exhausted, "{report}");
    assert!(report.counts.panics > 0);
    // The root is the first one only sometimes.
    let wrong = with(|t| t.root.as_ref().expect("empty").key);
    let report = Runner::new(&wrong, Strategy::bobw(&wrong, 9, 0).unwrap()).gold(&gold).run().unwrap();
    assert_eq!(report.stop, Stop::FirstFailure);
    let failure = &report.clusters[0].first;
    assert_eq!(failure.shrunk.len(), 4, "{report}");
    let fault = failure.fault.to_string();
    assert_eq!(fault, "returned 2, but the reference implementation: returned 1");
    let other = map(1, &[1, 2]).build().unwrap();
    let error = Runner::new(&other, Strategy::be(&other, 2).unwrap()).gold(&gold).run().unwrap_err();
    assert!(error.to_string().contains("there are 3 calls, and 4 in it"), "{error}");
}

#[test]
fn assertions_see_the_values_and_failures_that_look_alike_are_together() {
    let context = everything(2, &[1, 2]).build().unwrap();
    let report = Runner::new(&context, Strategy::bobw(&context, 6, 3).unwrap())
        .assert(|values| match values.get::<Tree>(1) {
            Some(tree) if tree.len() > 1 => Err("the second tree has to be small".into()),
            _ => Ok(()),
        })
        .max_tests(5_000)
        .keep_going()
        .run()
        .unwrap();
    assert_eq!(report.stop, Stop::LimitReached(Limit::Tests));
    assert_eq!(report.failing, report.clusters.iter().map(|c| c.failing).sum::<u64>());
    let sources: Vec<_> = report.clusters.iter().map(|c| c.first.source.as_str()).collect();
    assert!(sources.contains(&"let t_0 = Tree::new();\nt_0.first();\n"), "{sources:#?}");
    let small = "let mut t_1 = Tree::new();\nt_1.insert(1, 1);\nt_1.insert(2, 1);\n";
    assert!(sources.contains(&small), "{sources:#?}");
}

#[test]
fn runs_say_how_they_ended_and_go_on_from_there() {
    let context = map(1, &[1, 2]).build().unwrap();
    let be = Strategy::be(&context, 4).unwrap();
    let stop = |runner: Runner<'_>| runner.run().unwrap().stop;
    let runner = |strategy: &Strategy| Runner::new(&context, strategy.clone());
    assert_eq!(stop(runner(&be)), Stop::Exhausted);
    assert_eq!(stop(runner(&be).max_tests(2401)), Stop::Exhausted);
    assert_eq!(stop(runner(&be).max_tests(2400)), Stop::LimitReached(Limit::Tests));
    assert_eq!(stop(runner(&be).max_calls(9603)), Stop::LimitReached(Limit::Calls));
    assert_eq!(stop(runner(&be.shard(1, 2).unwrap())), Stop::LimitReached(Limit::Range));
    let random = Strategy::random(&context, 4, 100, 0).unwrap();
    assert_eq!(stop(runner(&random)), Stop::LimitReached(Limit::Sample));
    let long = Strategy::bobw(&context, 100, 0).unwrap();
    assert_eq!(stop(runner(&long).budget(Duration::from_millis(20))), Stop::LimitReached(Limit::Time));
    let flag = std::sync::atomic::AtomicBool::new(true);
    assert_eq!(stop(runner(&long).interrupted_by(&flag)), Stop::Interrupted);
    let half = runner(&be).max_tests(1000).run().unwrap();
    let rest = be.within(half.next.clone()..be.range().end.clone()).unwrap();
    assert_eq!(runner(&rest).run().unwrap().tests, 1401);
}

#[test]
fn panics_in_destructors_and_invariants_are_failures_too() {
    struct Sour;
    impl Drop for Sour {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("sour");
            }
        }
    }
    let context = Context::builder()
        .pool(Pool::<Sour>::empty(1))
        .function("Sour", (), into(), |()| Sour)
        .build()
        .unwrap();
    let runner = || Runner::new(&context, Strategy::be(&context, 2).unwrap());
    // Without shrinking, the second value takes the place of the first one.
    for (runner, lines) in [(runner(), 1), (runner().without_shrinking(), 2)] {
        let report = runner.run().unwrap();
        let first = &report.clusters[0].first;
        assert!(matches!(&first.fault, Fault::Panic(panic) if panic.message == "sour"), "{report}");
        assert_eq!(first.source.lines().count(), lines, "{report}");
    }
}

#[test]
fn the_first_failure_counts_though_another_thread_finds_a_later_one_later() {
    let context = Context::builder()
        .pool(Pool::of(0..60_000u32))
        .function("check", (value::<u32>(),), nothing(), |(x,)| {
            // The later failure comes last, in the piece of another thread.
            let pause =
                [(99, 30), (39_998, 90)].into_iter().find(|(at, _)| *at == x).map_or(0, |(_, pause)| pause);
            std::thread::sleep(Duration::from_millis(pause));
            assert!(x != 100 && x != 39_999);
        })
        .build()
        .unwrap();
    for threads in [1, 2, 3] {
        let report =
            Runner::new(&context, Strategy::be(&context, 1).unwrap()).threads(threads).run().unwrap();
        assert_eq!((report.tests, report.clusters.len()), (101, 1));
        assert_eq!(report.clusters[0].first.source, "check(100);\n");
    }
}

#[test]
fn shrinking_does_not_end_with_another_failure() {
    let context = Context::builder()
        .pool(Pool::<Vec<u8>>::empty(1).and(vec![]).named("v"))
        .pool(Pool::of([2u8, 1]))
        .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| {
            assert!(x != 2, "two");
            v.push(x);
            assert!(v.len() < 2, "twice");
        })
        .build()
        .unwrap();
    let report = Runner::new(&context, Strategy::be(&context, 3).unwrap()).keep_going().run().unwrap();
    let failures: Vec<_> =
        report.clusters.iter().map(|c| (c.first.shrunk.len(), c.first.fault.to_string())).collect();
    assert_eq!(failures.len(), 2);
    assert!(failures[0].0 == 1 && failures[0].1.starts_with("panicked: two"), "{failures:?}");
    assert!(failures[1].0 == 2 && failures[1].1.starts_with("panicked: twice"), "{failures:?}");
}

#[test]
fn an_error_is_not_the_same_as_a_success() {
    let with = |limit: u8| {
        Context::builder()
            .pool(Pool::of([0u8, 1]))
            .function("check", (value::<u8>(),), fallible(nothing()), move |(x,)| {
                if x < limit { Ok(()) } else { Err("too much") }
            })
            .build()
            .unwrap()
    };
    let (ours, gold) = (with(1), with(2));
    let report = Runner::new(&ours, Strategy::be(&ours, 1).unwrap()).gold(&gold).run().unwrap();
    let fault = report.clusters[0].first.fault.to_string();
    assert_eq!(fault, "returned an error \"too much\", but the reference implementation: returned");
}

#[test]
fn nothing_is_left_of_a_test_whose_destructors_panic() {
    struct Sour(bool);
    impl Drop for Sour {
        fn drop(&mut self) {
            if self.0 && !std::thread::panicking() {
                panic!("sour");
            }
        }
    }
    let context = Context::builder()
        .pool(Pool::<Sour>::empty(2))
        .pool(Pool::of([false, true]))
        .function("Sour", (value::<bool>(),), into(), |(is_sour,)| Sour(is_sour))
        .function("look", (by_ref::<Sour>(),), nothing(), |_| ())
        .build()
        .unwrap();
    let strategy = Strategy::be(&context, 2).unwrap();
    let skipped_alone: u64 = strategy
        .tests()
        .map(|test| {
            let index = context.index_of(&test);
            let alone = Strategy::bobw(&context, 2, 0).unwrap();
            let position = alone.tests().position(|other| context.index_of(&other) == index).unwrap();
            let only = BigUint::from(position)..BigUint::from(position + 1);
            Runner::new(&context, alone.within(only).unwrap()).run().unwrap().counts.skipped
        })
        .sum();
    let report = Runner::new(&context, strategy).keep_going().run().unwrap();
    assert!(report.failing > 0 && report.failing < report.tests);
    assert_eq!(report.counts.skipped, skipped_alone);
}

/// One test in `1 / density` fails. That is how many it takes to find the first one, on average, if the order has nothing to
/// do with the failures: at every length, also where the published generator stands still.
#[test]
fn failures_are_found_as_fast_as_their_density_says_at_every_length() {
    let context = Context::builder()
        .pool(Pool::<Vec<u8>>::empty(1).and(vec![]).invariant(|v| !v.ends_with(&[0, 1, 1])))
        .pool(Pool::of(0..8u8))
        .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| v.push(x))
        .build()
        .unwrap();
    let seeds = 60;
    for n in [4, 6, 8, 12, 20, 40, 43, 64, 128, 256] {
        let mean = |strategy: &dyn Fn(u64) -> Strategy| {
            let tests = (0..seeds)
                .map(|seed| Runner::new(&context, strategy(seed)).without_shrinking().run().unwrap().tests);
            tests.sum::<u64>() as f64 / seeds as f64
        };
        let expected = 1.0 / density::density(8, 3, n).to_f64();
        let bobw = mean(&|seed| Strategy::bobw(&context, n, seed).unwrap());
        let random = mean(&|seed| Strategy::random(&context, n, 1 << 40, seed).unwrap());
        // The deviation of the mean of 60 waiting times is 0.13 of it.
        for (name, mean) in [("bobw", bobw), ("random", random)] {
            assert!((mean / expected - 1.0).abs() < 0.55, "{name}({n}): {mean}, not {expected}");
        }
    }
}
