//! Campaigns in shards: the result of all shards is that of one run.

use super::*;
use smallscope_sequences::{
    BigUint, Campaign, Conclusion, Divided, Known, Matching, MergedParts, Part, Watch, Which,
};
use std::collections::HashMap;

/// Everything that a report says, but for the time.
fn words(found: &Conclusion) -> String {
    let (covered, counts, clusters) = (found.covered(), found.counts(), found.clusters());
    let more = match found {
        Conclusion::Tests { report, .. } => format!("{} {} {}", report.tests, report.failing, report.next),
        Conclusion::States { found, .. } => format!(
            "{} {} {:?} {} {} {}",
            found.is_closed, found.states, found.levels, found.whole_length, found.transitions, found.bytes
        ),
    };
    format!("{covered} {counts:?} {more} {clusters:?} {:?}", found.stop())
}

/// Explores level by level, each level in so many parts. The states pass through bytes, as from one process to another.
fn by_parts(campaign: &Campaign, context: &Context, parts: usize) -> Conclusion {
    let divided = Divided::new(campaign, context).unwrap();
    let mut done: HashMap<u32, Part> = HashMap::new();
    for _ in 0..50 {
        let next = |state: u32| Ok(done.get(&state).cloned());
        let (known, states) = match divided.merge_states(&Watch::default(), next).unwrap() {
            MergedParts::Done(found) => return *found,
            MergedParts::Missing { known, states, .. } => (known, states),
        };
        let bytes = known.to_bytes();
        let known = Known::from_bytes(&bytes, campaign.exact, known.len()).unwrap();
        assert_eq!(known.to_bytes(), bytes);
        let number = parts.min(states.len());
        let cut = |part: usize| states.start + (states.len() * part / number) as u32;
        for part in 0..number {
            let range = cut(part)..cut(part + 1);
            let (part, _) = divided.explore(&known, range, &Watch::default()).unwrap().unwrap();
            done.insert(part.states.start, part);
        }
    }
    panic!("the exploration has no end");
}

fn by_ranges(campaign: &Campaign, context: &Context, parts: usize) -> Conclusion {
    let divided = Divided::new(campaign, context).unwrap();
    let all = divided.positions().unwrap();
    let size = &all.end - &all.start;
    let cut = |part: usize| -> BigUint { &all.start + &size * part / parts };
    let run =
        |part: usize| divided.run_tests(cut(part)..cut(part + 1), &Watch::default()).unwrap().unwrap().0;
    divided.merge_tests((0..parts).map(run)).unwrap()
}

/// The same in one, three and many shards as without them.
fn check(context: &Context, campaign: Campaign) -> Conclusion {
    let whole = Campaign { threads: Some(1), ..campaign.clone() }.run(context, &Watch::default()).unwrap();
    for parts in [1, 3, 40] {
        let found = match campaign.which {
            Which::States => by_parts(&campaign, context, parts),
            _ => by_ranges(&campaign, context, parts),
        };
        assert_eq!(words(&found), words(&whole), "{parts} parts");
    }
    whole
}

/// A vector that fails if it gets too long, in two ways.
fn growing(limit: usize) -> Context {
    Context::builder()
        .pool(Pool::empty(1).and(Vec::<u8>::new()).named("v").cloned().hashed().shown())
        .pool(Pool::of([0u8, 1, 2]))
        .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), move |(v, x)| {
            assert!(v.len() < limit, "too long");
            v.push(x);
        })
        .method("pop", (by_mut::<Vec<u8>>(),), nothing(), move |(v,)| {
            assert!(v.pop() != Some(2) || v.len() + 1 < limit, "the last one is 2");
        })
        .build()
        .unwrap()
}

#[test]
fn explorations_in_parts_are_those_of_one_run() {
    let states = |length: usize| Campaign { length: Some(length), ..Campaign::default() };
    let context = growing(9);
    let found = check(&context, states(5));
    assert_eq!(found.stop(), Stop::Exhausted);
    check(&context, Campaign { exact: true, ..states(4) });
    check(&context, Campaign { last_calls: Some(2), ..states(3) });
    check(&context, Campaign { matching: Matching::Classical, ..states(3) });
    for limit in [1, 2, 50, 100] {
        let found = check(&context, Campaign { max_states: Some(limit), ..Campaign::default() });
        assert_eq!(found.stop(), Stop::LimitReached(Limit::States));
    }
    // Closed: no length is needed.
    let keys: Vec<i32> = (1..=4).collect();
    let found = check(&insertions(&keys), Campaign { max_states: Some(9_999), ..Campaign::default() });
    assert!(matches!(&found, Conclusion::States { found, .. } if found.is_closed), "{}", found.covered());
}

/// What is left out appears first in states that other processes find.
#[test]
fn comparisons_in_parts_leave_out_what_one_run_leaves_out() {
    #[derive(Clone, Linearize)]
    #[linearize(crate = ::smallscope_sequences)]
    struct Page {
        #[linearize(skip)]
        hits: u8,
    }
    let context = Context::builder()
        .pool(Pool::<Page>::empty(2).named("page").cloned().linearized())
        .function("Page::new", (), into(), |()| Page { hits: 0 })
        .method("hit", (by_mut::<Page>(),), nothing(), |(page,)| page.hits += 1)
        .build()
        .unwrap();
    let found = check(&context, Campaign { length: Some(4), ..Campaign::default() });
    assert!(found.covered().contains("values without `Page.hits` (lossy)"), "{}", found.covered());
}

#[test]
fn failures_in_parts_are_those_of_one_run() {
    let states = |length: usize| Campaign { length: Some(length), ..Campaign::default() };
    let context = growing(3);
    assert_eq!(check(&context, states(5)).stop(), Stop::FirstFailure);
    let found = check(&context, Campaign { clusters: true, ..states(5) });
    assert_eq!((found.stop(), found.clusters().len()), (Stop::Failures, 2));
    // A state that cannot be compared.
    #[derive(Clone)]
    struct Shy(u8);
    impl std::hash::Hash for Shy {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            assert!(self.0 < 3, "shy");
            self.0.hash(state);
        }
    }
    let context = Context::builder()
        .pool(Pool::empty(1).and(Shy(0)).named("shy").cloned().hashed())
        .pool(Pool::of([1u8, 2]))
        .method("grow", (by_mut::<Shy>(), value::<u8>()), nothing(), |(shy, by)| shy.0 += by)
        .build()
        .unwrap();
    for clusters in [false, true] {
        let found = check(&context, Campaign { clusters, ..states(6) });
        assert!(matches!(found.clusters()[0].first.fault, Fault::State(_)), "{}", found.covered());
    }
}

#[test]
fn lists_in_ranges_are_those_of_one_run() {
    let list = |which, length| Campaign { which, length: Some(length), ..Campaign::default() };
    let context = growing(4);
    assert_eq!(check(&context, list(Which::Be, 3)).stop(), Stop::Exhausted);
    assert_eq!(check(&context, list(Which::Be, 6)).stop(), Stop::FirstFailure);
    check(&context, Campaign { clusters: true, ..list(Which::Be, 6) });
    check(&context, Campaign { seed: 5, tests: Some(100), ..list(Which::Bobw, 3) });
    check(&context, Campaign { tests: Some(60), ..list(Which::Random, 3) });
    check(&context, Campaign { tests: Some(500), clusters: true, ..list(Which::RandomPaths, 6) });
    check(&context, Campaign { from: Some(9u8.into()), to: Some(40u8.into()), ..list(Which::Be, 3) });
}

#[test]
fn damaged_states_are_refused() {
    let context = growing(9);
    let campaign = Campaign { length: Some(4), ..Campaign::default() };
    let divided = Divided::new(&campaign, &context).unwrap();
    let (known, _, _) = match divided.merge_states(&Watch::default(), |_| Ok(None)).unwrap() {
        MergedParts::Missing { known, states, level } => (known, states, level),
        MergedParts::Done(_) => panic!("nothing was merged"),
    };
    let bytes = known.to_bytes();
    assert!(
        Known::from_bytes(&bytes[1..], false, 1).is_none() && Known::from_bytes(&bytes, false, 2).is_none()
    );
    let twice = [bytes.clone(), bytes].concat();
    assert!(Known::from_bytes(&twice, false, 2).is_none(), "a state is there once");
    let (part, _) = divided.explore(&known, 0..1, &Watch::default()).unwrap().unwrap();
    for wrong in [
        Part { found: part.found[1..].to_vec(), ..part.clone() },
        Part { number: part.number - 1, ..part.clone() },
        Part { states: 1..2, ..part.clone() },
    ] {
        let merged = divided.merge_states(&Watch::default(), |state| Ok((state == 0).then(|| wrong.clone())));
        let error = merged.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("the states of the level are not those of this test"), "{error}");
    }
}

#[test]
fn what_cannot_be_divided_is_refused() {
    use smallscope_sequences::{Cover, Traversal};
    use std::time::Duration;
    let context = growing(9);
    let states = || Campaign { length: Some(4), ..Campaign::default() };
    for (campaign, expected) in [
        (Campaign { order: Traversal::Depth, ..states() }, "level by level"),
        (Campaign { cover: Cover::Blocks, ..states() }, "leave `cover` out"),
        (
            Campaign { budget: Some(Duration::from_secs(1)), ..Campaign::default() },
            "give a length or a number of states",
        ),
        (
            Campaign { which: Which::Be, shard: Some((1, 2)), ..states() },
            "a part of the tests cannot be divided again",
        ),
    ] {
        let error = Divided::new(&campaign, &context).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.contains(expected)), "{expected}: {error:?}");
    }
}
