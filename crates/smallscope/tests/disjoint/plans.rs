//! What a search finds out before its first candidate.

use crate::{options, records};
use smallscope::search::{Found, Options, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Disjoint, Engine, rep_ok};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

static RUNS: AtomicU32 = AtomicU32::new(0);

fn is_counted() -> bool {
    RUNS.fetch_add(1, Ordering::Relaxed);
    true
}

/// The second conjunct rejects early, the first one reads everything.
#[derive(Bounded)]
struct Pair {
    items: Vec<u8>,
    is_empty: bool,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        is_counted() && self.items.iter().sum::<u8>() > 2 && !self.is_empty
    }
}

fn all_paths(search: &mut Search<Pair>) -> Vec<Vec<u32>> {
    let mut paths = vec![];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        paths.push(search.path());
    }
    paths
}

#[test]
fn a_search_is_laid_out_without_searching_and_plans_on_request() {
    let bounds = Bounds::scope(3);
    let new = || Search::<Pair>::new(&bounds, Options::default()).unwrap();
    let mut search = new();
    assert_eq!(RUNS.load(Ordering::Relaxed), 0, "laying out runs nothing");
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().expect("nothing paused it").clone();
    let planning = RUNS.load(Ordering::Relaxed);
    assert!(planning > 0, "orders of conjuncts are tried");
    let order = plan.conjunct_order().expect("another order takes fewer runs");
    assert!(
        order.iter().position(|text| text.contains("is_empty"))
            < order.iter().position(|text| text.contains("sum"))
    );
    assert!(plan.to_string().starts_with("the conjuncts run in this order:\n"), "{plan}");
    assert_eq!(search.outcome().explored, 0, "planning is not counted");

    let mut adopting = new();
    adopting.adopt(&plan);
    assert_eq!(RUNS.load(Ordering::Relaxed), planning, "to adopt a plan runs nothing");
    let paths = all_paths(&mut search);
    assert_eq!(all_paths(&mut adopting), paths);
    assert_eq!(all_paths(&mut new()), paths, "the first candidate plans, if nothing else did");
    assert_eq!(adopting.outcome(), search.outcome());
}

#[test]
fn a_plan_that_is_paused_is_gone_on_with() {
    let bounds = Bounds::scope(6);
    let mut search =
        Search::<Product<(Vec<u8>, Vec<u8>)>>::new(&bounds, options(Engine::Owned, Disjoint::On)).unwrap();
    let mut pauses = 0;
    while search.plan(&mut |_| ControlFlow::Break(smallscope::Stop::Interrupted)).unwrap().is_none() {
        pauses += 1;
    }
    assert!(pauses > 5, "{pauses}");
    let values = 1 + 6 + 36 + 216 + 1296 + 7776 + 46656u128;
    assert_eq!(search.combinations().unwrap(), Some(values * values));
}

#[test]
fn other_threads_help_with_the_parts_and_adopt_the_plan() {
    let new = || {
        let (bounds, options) = (Bounds::scope(3), options(Engine::Lazy, Disjoint::On));
        Search::<Product<(Vec<u8>, Option<Box<u8>>, (bool, u8))>>::new(&bounds, options).unwrap()
    };
    let alone = records(&mut new());
    let mut search = new();
    let gathering = search.gathering().expect("the parts are not searched yet");
    assert_eq!(gathering.parts(), 3);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| gathering.help(&mut |_| ControlFlow::Continue(())));
        }
        // There may be nothing left for this thread.
        let _ = search.plan(&mut |_| ControlFlow::Continue(())).unwrap();
    });
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().expect("all parts are found").clone();
    assert!(search.gathering().is_none());
    assert_eq!(records(&mut search), alone);
    let adopted = std::thread::scope(|scope| {
        let adopt = || {
            let mut search = new();
            search.adopt(&plan);
            assert!(search.gathering().is_none(), "nothing is left to search");
            records(&mut search)
        };
        scope.spawn(adopt).join().unwrap()
    });
    assert_eq!(adopted, alone);
}
