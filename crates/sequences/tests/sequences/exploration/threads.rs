//! Explorations on several threads: the report is that of one.

use super::*;

/// The same on one, two and eight threads, but for the time that it takes.
fn check_threads<'a>(context: &'a Context, set: impl Fn(Explorer<'a>) -> Explorer<'a>) -> Exploration {
    let run = |threads: usize| {
        let seen = Rc::new(RefCell::new(vec![]));
        let collected = seen.clone();
        let found = set(Explorer::new(context).threads(threads))
            .on_state(move |values, length| {
                collected.borrow_mut().push((format!("{:?}", values.get::<Tree>(0)), length));
            })
            .explore()
            .unwrap();
        let words = format!(
            "{:?} {} {} {} {:?} {} {:?} {} {:?} {:?}",
            found.stop,
            found.is_lossy(),
            found.is_closed,
            found.states,
            found.levels,
            found.transitions,
            found.counts,
            found.bytes,
            found.clusters,
            found.suite
        );
        (words, seen.take(), found)
    };
    let (words, seen, found) = run(1);
    for threads in [2, 8] {
        let (other_words, other_seen, _) = run(threads);
        assert_eq!(other_words, words, "{threads} threads");
        assert_eq!(other_seen, seen, "{threads} threads");
    }
    found
}

#[test]
fn threads_do_not_show() {
    let keys: Vec<i32> = (1..=6).collect();
    let context = insertions(&keys);
    let found = check_threads(&context, |e| e);
    assert_eq!((found.stop, found.states > 700), (Stop::Exhausted, true), "{found}");
    check_threads(&context, |e| e.exact());
    check_threads(&context, |e| e.replaying().max_length(5));
    check_threads(&context, |e| e.classical().max_length(4));
    check_threads(&context, |e| e.abstraction(Abstraction::Shape));
    check_threads(&context, |e| {
        e.abstraction_by(|values, sink| {
            sink.number(values.get::<Tree>(0).map_or(99, |t| t.len() as u64));
        })
    });
    for states in [1, 100, 333, 700] {
        let found = check_threads(&context, |e| e.max_states(states));
        assert_eq!(found.stop, Stop::LimitReached(Limit::States));
    }
    // The first failure comes late in a level, and there are more in other pieces.
    let is_short = |limit: usize| {
        move |values: &Values| match values.get::<Tree>(0) {
            Some(tree) if tree.len() > limit => Err(format!("{} keys", tree.len())),
            _ => Ok(()),
        }
    };
    let found = check_threads(&context, |e| e.assert(is_short(4)));
    assert_eq!((found.stop, found.clusters.len()), (Stop::FirstFailure, 1));
    let found = check_threads(&context, |e| e.assert(is_short(4)).keep_going());
    assert!(found.stop == Stop::Failures && found.clusters[0].failing > 50, "{found}");
}

#[test]
fn threads_do_not_show_in_coverage() {
    let context = Context::builder()
        .pool(Pool::<Forgetful>::empty(3).cloned().linearized())
        .pool(Pool::of([0u8, 1, 2]))
        .function("Forgetful::new", (), into(), |()| Forgetful::new())
        .method("push", (by_mut::<Forgetful>(), value::<u8>()), nothing(), |(f, x)| f.push(x))
        .method("copy", (by_ref::<Forgetful>(),), into(), |(f,)| f.copy())
        .method("is_short", (by_ref::<Forgetful>(),), nothing(), |(f,)| f.is_short())
        .build()
        .unwrap();
    let run = |threads: usize, criterion: Criterion, states: u64| {
        let mut coverage = Probes::of::<Forgetful>(criterion);
        let explorer = Explorer::new(&context).coverage(&mut coverage).max_states(states);
        let found = explorer.threads(threads).explore().unwrap();
        (found.suite, found.states, coverage.snapshot())
    };
    for criterion in [Criterion::Blocks, Criterion::Predicates] {
        for states in [40, u64::MAX] {
            let alone = run(1, criterion, states);
            assert!(alone.0.covered() > 5 && (states < 100 || alone.1 > 300), "{alone:?}");
            assert_eq!(run(2, criterion, states), alone);
            assert_eq!(run(8, criterion, states), alone);
        }
    }
}

/// Where a level ends in pieces that may fill the table, others are done again: what they have reached is not lost.
#[test]
fn limits_take_nothing_from_the_coverage_of_threads() {
    let context = Context::builder()
        .pool(Pool::empty(1).and(Vec::<u8>::new()).named("v").cloned().hashed())
        .pool(Pool::of([1u8, 2, 3, 4, 5]))
        // The second argument makes for many ways to the same state.
        .method("push", (by_mut::<Vec<u8>>(), value::<u8>(), value::<u8>()), nothing(), |(v, x, _)| {
            let is_last = v.len() == 4 && v[0] == 5;
            if is_last {
                CODE.with_borrow_mut(|code| code.insert(u64::from(v[1] * 5 + v[2])));
            } else if v.len() < 5 {
                v.push(x);
            }
        })
        .build()
        .unwrap();
    thread_local! {
        static CODE: RefCell<BTreeSet<u64>> = const { RefCell::new(BTreeSet::new()) };
    }
    #[derive(Clone, Default)]
    struct Code(BTreeSet<u64>);
    impl Coverage for Code {
        fn take_new(&mut self, targets: &mut Vec<u64>) {
            let reached = CODE.take();
            targets.extend(reached.into_iter().filter(|target| self.0.insert(*target)));
        }
        fn fork(&self) -> Option<Box<dyn Coverage + Send>> {
            Some(Box::new(Code::default()))
        }
        fn begin(&mut self) {
            CODE.take();
        }
        fn add(&mut self, targets: &[u64]) {
            self.0.extend(targets);
        }
    }
    let suite = |states, threads| {
        let mut code = Code::default();
        code.begin();
        let explorer = Explorer::new(&context).max_states(states).threads(threads);
        let found = explorer.coverage(&mut code).explore().unwrap();
        (found.stop, found.states, found.suite)
    };
    let all = Explorer::new(&context).explore().unwrap().states;
    for states in (all + 1..all + 800).step_by(160) {
        let one = suite(states, 1);
        assert_eq!((one.0, one.2.covered()), (Stop::Exhausted, 25));
        for threads in [2, 4] {
            assert_eq!(suite(states, threads), one, "{threads} threads and at most {states} states");
        }
    }
}
