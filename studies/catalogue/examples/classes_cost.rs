//! The cost of classifying values during the search. `plain` and `classes` run one of the two, for callgrind; without
//! either, both run in turns, and medians are printed.

use smallscope::search::{AnySearch, Found, Options, Search};
use smallscope_catalogue::binomial_heap_pair::{BinomialHeapPair, bounds};
use smallscope_runner::criteria::{Class, Collector, Reduction};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

const ROUNDS: usize = 15;

fn main() {
    let mut args = std::env::args().skip(1);
    let what = args.next();
    let nodes = args.next().map_or(5, |n| n.parse().expect("the number of nodes"));
    match what.as_deref() {
        Some("plain") => println!("{}", plain(nodes)),
        Some("classes") => println!("{:?}", classes(nodes)),
        Some("reduce") => println!("{:?}", reduce(nodes)),
        _ => compare(nodes),
    }
}

fn compare(nodes: i64) {
    let (mut plains, mut withs, mut reduceds) = (vec![], vec![], vec![]);
    let mut seen = (0, (0, 0), (0, 0));
    for _ in 0..ROUNDS {
        plains.push(time(|| seen.0 = plain(nodes)));
        withs.push(time(|| seen.1 = classes(nodes)));
        reduceds.push(time(|| seen.2 = reduce(nodes)));
    }
    let [plain, with, reduced] = [plains, withs, reduceds].map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    let over = |time: f64| (time / plain - 1.0) * 100.0;
    println!("every value of binomial-heap-pair {nodes}, {} of them; medians of {ROUNDS} rounds", seen.0);
    println!("plain      {:>9.2} ms", plain * 1e3);
    println!(
        "classes    {:>9.2} ms  {:+.1} %  ({} classes of {} values)",
        with * 1e3,
        over(with),
        seen.1.0,
        seen.1.1
    );
    println!(
        "reduction  {:>9.2} ms  {:+.1} %  ({} of {} values kept)",
        reduced * 1e3,
        over(reduced),
        seen.2.1,
        seen.2.0
    );
}

fn time(f: impl FnOnce()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64()
}

fn search(nodes: i64) -> Search<BinomialHeapPair> {
    Search::new(&bounds(nodes), Options::default()).expect("the bounds are right")
}

fn next(search: &mut AnySearch) -> bool {
    search.find_next(&mut |_| ControlFlow::Continue(())).expect("the invariant behaves") == Found::Valid
}

/// Delivers every value.
fn plain(nodes: i64) -> u64 {
    let mut search = search(nodes);
    while next(&mut search) {}
    search.outcome().valid
}

/// Delivers every value and counts it for its class.
fn classes(nodes: i64) -> (usize, u64) {
    let mut search = search(nodes);
    let mut collector = Collector::new(reduction(), 0).expect("decisions are reported");
    let mut sizes: HashMap<Class, u64> = HashMap::new();
    let mut current: Option<(Class, u64)> = None;
    while next(&mut search) {
        let class = collector.class(&mut search).expect("the invariant behaves");
        match &mut current {
            Some((known, count)) if *known == class => *count += 1,
            _ => {
                if let Some((class, count)) = current.replace((class, 1)) {
                    *sizes.entry(class).or_default() += count;
                }
            }
        }
    }
    if let Some((class, count)) = current {
        *sizes.entry(class).or_default() += count;
    }
    (sizes.len(), sizes.values().sum())
}

/// Keeps a tenth, and skips what is not kept where that is possible.
fn reduce(nodes: i64) -> (u64, usize) {
    let mut search = search(nodes);
    let mut collector = Collector::new(reduction(), 876_096).expect("decisions are reported");
    while next(&mut search) {
        collector.visit(&mut search).expect("the invariant behaves");
    }
    let reduced = collector.finish();
    (reduced.values, reduced.kept.len())
}

fn reduction() -> Reduction {
    "cdc ratio 0.1 first".parse().expect("a reduction")
}
