//! Tests of call sequences.

use super::page::{Kind, MEMORY, compare};
use smallscope::sequences::{
    Abstraction, Campaign, Context, Linearize, Matching, Pool, Sink, Traversal, Values, Watch, Which, by_mut,
    into, nothing, optional,
};
use std::time::Duration;

/// The example of the page.
#[derive(Clone, Debug, Hash, Linearize)]
struct Counter {
    count: u8,
    total: u64,
}

#[smallscope::api]
impl Counter {
    pub fn new() -> Counter {
        Counter { count: 0, total: 0 }
    }

    pub fn add(&mut self) {
        self.count = (self.count + 1) % 3;
        self.total = (self.total + 1) % 6;
    }
}

fn context(pool: fn(Pool<Counter>) -> Pool<Counter>) -> Context {
    Context::builder().pool(pool(Pool::empty(1).cloned())).api::<Counter>().build().unwrap()
}

/// The words of a run that has passed. Only one that covers everything begins with "all".
#[track_caller]
fn words_of(campaign: &Campaign, context: &Context) -> Option<String> {
    let found = campaign.run(context, &Watch::default()).unwrap();
    assert!(found.clusters().is_empty());
    assert!(campaign.allow_empty || found.why_empty(context).is_none());
    let words = found.covered();
    assert_eq!(words.starts_with("all "), found.stop().is_exhausted(), "{words}");
    Some(words)
}

fn linearized(campaign: Campaign) -> Option<String> {
    words_of(&campaign, &context(Pool::linearized))
}

fn of_strategy(which: Which, campaign: Campaign) -> Option<String> {
    linearized(Campaign { which, length: Some(3), ..campaign })
}

fn by_count(counter: &Counter, sink: &mut Sink) {
    sink.number(counter.count.into());
}

fn my_abstraction(values: &Values, sink: &mut Sink) {
    sink.number(values.get::<Counter>(0).map_or(9, |counter| counter.count.into()));
}

/// The setting of the page. It is longer than the exploration of all states needs.
fn plain() -> Campaign {
    Campaign { length: Some(9), ..Campaign::default() }
}

/// A number that grows.
fn endless() -> Context {
    let builder = Context::builder()
        .pool(Pool::<u64>::empty(1).named("n").cloned().hashed())
        .function("zero", (), into(), |()| 0u64)
        .method("add", (by_mut::<u64>(),), nothing(), |(n,)| *n += 1);
    builder.build().unwrap()
}

const KINDS: &[Kind] = &[
    ("`linearized()`", || linearized(plain())),
    ("`linearized()`, `length = 2`", || linearized(Campaign { length: Some(2), ..plain() })),
    ("`hashed()`", || words_of(&plain(), &context(Pool::hashed))),
    ("`debugged()`", || words_of(&plain(), &context(Pool::debugged))),
    ("`linearized_by(..)`", || words_of(&plain(), &context(|pool| pool.linearized_by(by_count)))),
    ("`hashed()`, `vouched`", || words_of(&Campaign { vouched: true, ..plain() }, &context(Pool::hashed))),
    ("`linearized_by(..)`, `last_calls = 1`", || {
        words_of(&Campaign { last_calls: Some(1), ..plain() }, &context(|pool| pool.linearized_by(by_count)))
    }),
    ("`abstraction = \"shape\"`", || {
        linearized(Campaign { matching: Matching::Values(Abstraction::Shape), ..plain() })
    }),
    ("`abstraction = \"shape\"`, `fields = [\"count\"]`", || {
        linearized(Campaign { matching: Matching::Values(Abstraction::shape_and(["count"])), ..plain() })
    }),
    ("`abstraction = \"classical\"`, `length = 4`", || {
        linearized(Campaign { matching: Matching::Classical, length: Some(4), ..plain() })
    }),
    ("`abstraction = my_abstraction`", || {
        linearized(Campaign { matching: Matching::By(my_abstraction), ..plain() })
    }),
    ("`order = \"random\"`, `length = 4`, `tests = 2`", || {
        linearized(Campaign { order: Traversal::Random, length: Some(4), tests: Some(2), ..plain() })
    }),
    ("`max_states = 3`", || linearized(Campaign { max_states: Some(3), ..plain() })),
    ("`strategy = \"be\"`, `length = 3`", || of_strategy(Which::Be, plain())),
    ("`strategy = \"bobw\"`, `length = 3`", || of_strategy(Which::Bobw, plain())),
    ("`strategy = \"bobw\"`, `length = 3`, `tests = 5`", || {
        of_strategy(Which::Bobw, Campaign { tests: Some(5), ..plain() })
    }),
    ("`strategy = \"random\"`, `length = 3`, `tests = 5`", || {
        of_strategy(Which::Random, Campaign { tests: Some(5), ..plain() })
    }),
    ("`strategy = \"random-paths\"`, `length = 3`, `tests = 5`", || {
        of_strategy(Which::RandomPaths, Campaign { tests: Some(5), ..plain() })
    }),
    ("`strategy = \"be\"`, `length = 3`, `SMALLSCOPE_SHARD=2/2`", || {
        of_strategy(Which::Be, Campaign { shard: Some((2, 2)), ..plain() })
    }),
    ("sequences with `budget = \"..\"`, used up", || {
        let budget = Some(Duration::from_millis(50));
        words_of(&Campaign { budget, length: Some(1_000_000), ..plain() }, &endless())
    }),
    ("sequences without `budget`, and a minute does not suffice", || {
        let default_budget = Some(Duration::from_millis(50));
        let words = words_of(&Campaign { default_budget, length: Some(1_000_000), ..plain() }, &endless());
        words.map(|words| words.replace("is 50ms", "is 1m"))
    }),
    ("sequences with `memory = \"..\"`, used up", || {
        // The values of states are dropped, and linearizations are kept.
        let large = Context::builder()
            .pool(Pool::<Vec<u8>>::empty(1).named("v").cloned().hashed())
            .function("new", (), into(), |()| Vec::<u8>::new())
            .method("grow", (by_mut::<Vec<u8>>(),), nothing(), |(v,)| v.resize(v.len() + (1 << 20), 1));
        let _alone = MEMORY.lock();
        let memory = Some(smallscope_support::memory::resident()? + (40 << 20));
        words_of(&Campaign { memory, exact: true, length: Some(1000), ..plain() }, &large.build().unwrap())
    }),
    ("sequences with `allow_empty`, and no call can be made", || {
        let nothing_made = Context::builder()
            .pool(Pool::<Counter>::empty(1).cloned().linearized())
            .function("none", (), optional(into()), |()| None::<Counter>)
            .method("add", (by_mut::<Counter>(),), nothing(), |(c,)| {
                c.add();
            });
        words_of(&Campaign { allow_empty: true, ..plain() }, &nothing_made.build().unwrap())
    }),
];

#[test]
fn tests_of_call_sequences() {
    compare("Tests of call sequences", KINDS);
}
