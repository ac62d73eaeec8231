//! What sequences reach in the code under test: for lists of tests, for explorations, and in campaigns.

use std::collections::BTreeMap;

use smallscope::cover::{Coverage, Criterion};
use smallscope_sequences::{
    Builder, CallId, Campaign, Conclusion, Context, Cover, Linearize, Pool, Runner, Stop, Strategy, Suite,
    Test, Traversal, Watch, Which, Witness, by_mut, by_ref, into, nothing, seen, value,
};

/// The last two numbers, without those that are there already.
#[derive(Clone, Linearize)]
#[linearize(crate = smallscope_sequences)]
struct Recent(Vec<u8>);

#[smallscope::cover(also(SEARCH), predicates(self.0.is_empty(), item > 1))]
impl Recent {
    fn new() -> Self {
        Recent(vec![])
    }
    fn push(&mut self, item: u8) -> bool {
        if self.has(item) {
            return false;
        }
        if self.0.len() == 2 {
            self.0.remove(0);
        } else if item > 100 {
            self.0.clear();
        }
        self.0.push(item);
        true
    }
    /// Only the invariant calls it.
    #[cover(predicates())]
    fn is_short(&self) -> bool {
        self.0.len() <= 2
    }
}

#[smallscope::cover(static SEARCH)]
impl Recent {
    fn has(&self, item: u8) -> bool {
        for other in &self.0 {
            if *other == item {
                return true;
            }
        }
        false
    }
}

fn uncovered() -> Builder {
    Context::builder()
        .pool(Pool::<Recent>::empty(1).cloned().linearized().invariant(Recent::is_short))
        .pool(Pool::of([0u8, 1, 2]))
        .function("Recent::new", (), into(), |()| Recent::new())
        .method("push", (by_mut::<Recent>(), value::<u8>()), seen(), |(recent, item)| recent.push(item))
        .method("has", (by_ref::<Recent>(), value::<u8>()), seen(), |(recent, item)| recent.has(item))
}

fn recent() -> Context {
    uncovered().covers::<Recent>().build().unwrap()
}

fn run(context: &Context, campaign: &Campaign) -> Conclusion {
    campaign.run(context, &Watch::default()).unwrap()
}

/// What a sequence reaches alone.
fn reached(context: &Context, calls: &[CallId]) -> Vec<usize> {
    let mut coverage = Coverage::new(context.regions(), Criterion::Blocks);
    let mut values = context.initial_values();
    for call in calls {
        context.call(*call, &mut values);
    }
    coverage.collect().to_vec()
}

/// For each target, the test of a list that reaches it first; found out the slow way.
fn first_tests(context: &Context, strategy: &Strategy) -> BTreeMap<usize, usize> {
    let mut first = BTreeMap::new();
    for (position, test) in strategy.tests().enumerate() {
        for target in reached(context, test.calls()) {
            first.entry(target).or_insert(position);
        }
    }
    first
}

#[test]
fn the_first_test_of_a_list_for_each_target_is_recorded_on_any_number_of_threads() {
    let context = recent();
    let strategies = [
        Strategy::be(&context, 4).unwrap(),
        Strategy::bobw(&context, 5, 3).unwrap(),
        Strategy::random(&context, 12, 3000, 1).unwrap(),
        Strategy::random_paths(&context, 7, 2000, 1).unwrap(),
    ];
    for strategy in strategies {
        let suite = |threads| {
            let mut coverage = Coverage::new(context.regions(), Criterion::Blocks);
            let runner = Runner::new(&context, strategy.clone()).threads(threads);
            let report = runner.coverage(&mut coverage).run().unwrap();
            assert_eq!(report.suite.covered(), coverage.covered());
            assert_eq!(report.suite.total, Some(coverage.total() as u64));
            // The invariant calls it, and no test does. Nothing is greater than 100.
            let missing: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
            assert_eq!(missing, ["Recent::push: then of `if item > 100`", "Recent::is_short: entry"]);
            report.suite
        };
        let alone = suite(1);
        assert_eq!(suite(3), alone);
        let first = first_tests(&context, &strategy);
        assert_eq!(alone.covered(), first.len());
        let length = strategy.length() as u64;
        for witness in &alone.witnesses {
            let position = (witness.transitions - 1) / length;
            for target in &witness.targets {
                assert_eq!(first[&(*target as usize)] as u64, position, "{}", witness.names.join(", "));
            }
            // Its calls are enough, and its last one is needed.
            let is_new = |calls: &[CallId]| {
                let reached = reached(&context, calls);
                witness.targets.iter().filter(|target| reached.contains(&(**target as usize))).count()
            };
            let calls = witness.test.calls();
            assert_eq!(is_new(calls), witness.targets.len());
            assert_eq!(is_new(&calls[..calls.len() - 1]), 0);
        }
    }
}

/// No call can be left out.
fn assert_short(context: &Context, suite: &Suite) {
    for witness in &suite.witnesses {
        let calls = witness.test.calls();
        let is_enough = |calls: &[CallId]| {
            let reached = reached(context, calls);
            witness.targets.iter().all(|target| reached.contains(&(*target as usize)))
        };
        assert!(is_enough(calls), "{}", witness.test.to_line(context));
        for at in 0..calls.len() {
            let fewer = [&calls[..at], &calls[at + 1..]].concat();
            assert!(!is_enough(&fewer), "{}", witness.test.to_line(context));
        }
    }
}

#[test]
fn campaigns_of_tests_end_with_a_suite_of_short_sequences() {
    let context = recent();
    let campaign = Campaign {
        which: Which::Random,
        length: Some(30),
        tests: Some(200),
        cover: Cover::Blocks,
        ..Campaign::default()
    };
    let found = run(&context, &campaign);
    let coverage = found.coverage().unwrap();
    assert_eq!((coverage.in_numbers().as_str(), coverage.is_complete()), ("10 of 12 blocks", false));
    // Another sample may reach more, so nothing is said about other sequences.
    assert!(found.reached().unwrap().contains("average\nnot covered:\n  "), "{:?}", found.reached());
    assert!(found.suite().longest() <= 4, "{}", found.suite());
    assert_short(&context, found.suite());
    // All sequences of a length are a reason to say so.
    let all = Campaign { which: Which::Be, length: Some(4), tests: None, ..campaign.clone() };
    let words = run(&context, &all).reached().unwrap();
    assert!(words.contains("\nno sequence of 4 calls reaches:\n"), "{words}");
    let none = run(&context, &Campaign { cover: Cover::Nothing, ..all });
    assert!(none.coverage().is_none() && none.reached().is_none() && none.suite().witnesses.is_empty());
}

#[test]
fn explorations_say_what_no_sequence_reaches_if_they_know() {
    let context = recent();
    let campaign = Campaign { length: Some(3), cover: Cover::Blocks, ..Campaign::default() };
    let said = |campaign: &Campaign| run(&context, campaign).reached().unwrap();
    let short = said(&campaign);
    assert!(short.starts_with("9 of 12 blocks, by ") && short.contains(" sequences of up to 3 calls, "));
    assert!(short.contains("\nno sequence of up to 3 calls reaches:\n"), "{short}");
    let closed = said(&Campaign { length: Some(9), ..campaign.clone() });
    assert!(closed.contains("\nno sequence of calls reaches:\n"), "{closed}");
    assert!(closed.contains("/covered.rs:") && closed.contains(": Recent::is_short: entry"), "{closed}");
    let stopped = said(&Campaign { max_states: Some(3), ..campaign.clone() });
    assert!(stopped.contains("\nnot covered:\n") && stopped.contains(" kB for 3 states"), "{stopped}");
    // The same on several threads, and a shortest sequence for each target.
    let suite =
        |threads| run(&context, &Campaign { threads: Some(threads), ..campaign.clone() }).suite().clone();
    assert_eq!(suite(1), suite(3));
    assert_short(&context, &suite(1));
    // Depth first, what is not needed is left out.
    let deep = Campaign { order: Traversal::Depth, length: Some(12), ..campaign.clone() };
    let found = run(&context, &deep);
    assert_eq!(found.coverage().unwrap().covered, 10);
    assert_short(&context, found.suite());
    let predicates = said(&Campaign { cover: Cover::Predicates, ..campaign });
    assert!(predicates.contains(" combinations of predicates, by "), "{predicates}");
    let place = ": Recent::push: then of `if self.has(item)`: 2 of 4 combinations";
    assert!(predicates.contains(place), "{predicates}");
}

#[test]
fn what_comes_after_a_failure_does_not_count() {
    let context = uncovered()
        .method("fail", (by_ref::<Recent>(),), nothing(), |_| panic!("as it should"))
        .covers::<Recent>()
        .build()
        .unwrap();
    let test = |text: &str| Test::parse(&context, text).unwrap();
    let nothing = test("recent[0] = Recent::new(); recent[0] = Recent::new(); recent[0] = Recent::new()");
    let failing = test("recent[0] = Recent::new(); recent[0].fail(); recent[0].push(u8_[0])");
    let behind = test("recent[0] = Recent::new(); recent[0].push(u8_[0]); recent[0].push(u8_[1])");
    // More than one thread gets at a time, so that another one is ahead of it.
    let mut tests = vec![nothing; 6000];
    tests.push(failing);
    tests.extend(vec![behind; 6000]);
    for threads in [1, 2] {
        let mut coverage = Coverage::new(context.regions(), Criterion::Blocks);
        let runner =
            Runner::new(&context, Strategy::listed(&context, tests.clone()).unwrap()).threads(threads);
        let report = runner.coverage(&mut coverage).run().unwrap();
        assert_eq!((report.stop, report.tests), (Stop::FirstFailure, 6001));
        let names: Vec<&String> = report.suite.witnesses.iter().flat_map(|witness| &witness.names).collect();
        assert_eq!(names, ["Recent::new: entry"]);
        assert_eq!(coverage.covered(), 1);
    }
}

#[test]
fn what_values_are_there_from_the_beginning_does_not_count() {
    let context = Context::builder()
        .pool(Pool::empty(1).and_made_by(Recent::new))
        .pool(Pool::of([0u8, 1]))
        .method("has", (by_ref::<Recent>(), value::<u8>()), seen(), |(recent, item)| recent.has(item))
        .covers::<Recent>()
        .build()
        .unwrap();
    let mut coverage = Coverage::new(context.regions(), Criterion::Blocks);
    let runner = Runner::new(&context, Strategy::be(&context, 3).unwrap()).coverage(&mut coverage);
    let suite = runner.run().unwrap().suite;
    let names: Vec<&String> = suite.witnesses.iter().flat_map(|witness| &witness.names).collect();
    assert_eq!(names, ["Recent::has: entry", "Recent::has: after `for other in &self.0`"]);
}

#[test]
fn nor_when_sequences_are_made_short() {
    // Both initial values and `again` make use of `new`, which has to stay where `again` is the only call that does.
    let context = Context::builder()
        .pool(Pool::empty(1).and_made_by(Recent::new))
        .pool(Pool::of([0u8, 1, 2]))
        .method("push", (by_mut::<Recent>(), value::<u8>()), seen(), |(recent, item)| recent.push(item))
        .method("again", (by_mut::<Recent>(),), nothing(), |(recent,)| {
            if recent.0.len() == 2 {
                *recent = Recent::new();
            }
        })
        .covers::<Recent>()
        .build()
        .unwrap();
    let campaign = Campaign {
        which: Which::Random,
        length: Some(20),
        tests: Some(50),
        cover: Cover::Blocks,
        ..Campaign::default()
    };
    let found = run(&context, &campaign);
    let is_about_new = |witness: &&Witness| witness.names.iter().any(|name| name == "Recent::new: entry");
    let witness = found.suite().witnesses.iter().find(is_about_new).unwrap();
    assert_eq!(witness.test.len(), 3, "{}", witness.test.to_line(&context));
}

#[test]
fn what_cannot_be_looked_at_is_an_error_that_says_what_to_write() {
    let said = |builder: Builder, cover| {
        let campaign = Campaign { length: Some(2), cover, ..Campaign::default() };
        campaign.run(&builder.build().unwrap(), &Watch::default()).unwrap_err().to_string()
    };
    for cover in [Cover::Blocks, Cover::Predicates] {
        let error = said(uncovered(), cover);
        assert!(
            error.contains("`.covers::<MyType>()`") && error.contains("`.covers_region(&NAME)`"),
            "{error}"
        );
    }
    let error = said(uncovered().covers_region(&SEARCH), Cover::Predicates);
    assert!(error.contains("there are no predicates") && error.contains("`blocks`"), "{error}");
    let error = said(uncovered(), Cover::Llvm);
    assert!(error.contains("-C instrument-coverage --cfg smallscope_llvm") && error.contains("--cover llvm"));
    // What is named twice counts once.
    let context = uncovered().covers_region(&SEARCH).covers::<Recent>().covers::<Recent>().build().unwrap();
    let campaign = Campaign { length: Some(2), cover: Cover::Blocks, ..Campaign::default() };
    assert_eq!(run(&context, &campaign).coverage().unwrap().total, 12);
}

#[test]
fn destructors_that_panic_end_a_test_and_nothing_else() {
    struct Sour(bool);
    impl Drop for Sour {
        fn drop(&mut self) {
            assert!(!self.0 || std::thread::panicking(), "sour");
        }
    }
    #[smallscope::cover(static MAKE)]
    fn make(is_sour: bool) -> Sour {
        if is_sour {
            return Sour(true);
        }
        Sour(false)
    }
    let context = Context::builder()
        .pool(Pool::<Sour>::empty(1))
        .pool(Pool::of([true, false]))
        .function("make", (value::<bool>(),), into(), |(is_sour,)| make(is_sour))
        .covers_region(&MAKE)
        .build()
        .unwrap();
    for which in [Which::Be, Which::Bobw] {
        let campaign =
            Campaign { which, length: Some(3), cover: Cover::Blocks, clusters: true, ..Campaign::default() };
        let found = run(&context, &campaign);
        assert!(found.stop() == Stop::Exhausted && !found.clusters().is_empty());
        let coverage = found.coverage().unwrap();
        assert_eq!((coverage.covered, coverage.total), (3, 3));
        assert!(found.suite().longest() <= 2, "{}", found.suite());
    }
}
