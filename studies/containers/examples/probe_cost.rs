//! The cost of probes, measured with callgrind: `-- <sequences> <calls> <keys> <mode>` is a loop of call sequences on
//! the tree map, where the mode is `plain` (also with probes built in), or with the feature `cover` `blocks` or
//! `predicates`: then coverage is read after every call. `-- explore <length> <mode>` is an exploration; reading
//! coverage while it goes on needs the feature `cover-predicates`.
//!
//! ```console
//! $ cargo build --release -p smallscope-containers --example probe_cost [--features cover | --features cover-predicates]
//! $ valgrind --tool=callgrind --toggle-collect='probe_cost::collected_loop*' \
//!     target/release/examples/probe_cost 20000 10 8 plain
//! $ valgrind --tool=callgrind --toggle-collect='probe_cost::collected_exploration*' \
//!     target/release/examples/probe_cost explore 8 plain
//! ```

use smallscope::sequences::{Context, Explorer, Pool, by_mut, by_ref, nothing, value};
use smallscope_containers::TreeMap;

type Map = TreeMap<u64, u64>;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|arg| arg == "explore") {
        let length = args.get(1).map_or(8, |arg| arg.parse().expect("a length"));
        return explore(length, args.get(2).map_or("plain", String::as_str));
    }
    let number = |i: usize, default: u64| args.get(i).map_or(default, |arg| arg.parse().expect("a number"));
    let (sequences, calls, keys) = (number(0, 20_000), number(1, 10), number(2, 8));
    let mode = args.get(3).map_or("plain", String::as_str);
    let found = match mode {
        "plain" => collected_loop(sequences, calls, keys, || {}),
        #[cfg(feature = "cover")]
        "blocks" | "predicates" => {
            let mut coverage = coverage(mode);
            let found = collected_loop(sequences, calls, keys, || {
                coverage.collect();
            });
            eprintln!("{coverage}");
            found
        }
        other => panic!("no mode `{other}`, or the feature `cover` is off"),
    };
    println!("{found} results");
}

#[cfg(feature = "cover")]
fn coverage(mode: &str) -> smallscope_cover::Coverage {
    use smallscope_cover::{Coverage, Criterion};
    Coverage::of::<Map>(if mode == "blocks" { Criterion::Blocks } else { Criterion::Predicates })
}

/// All states that sequences of a length lead to, by complete matching.
fn explore(length: usize, mode: &str) {
    let context = Context::builder()
        .pool(Pool::<Map>::empty(1).and_made_by(Map::new).cloned().linearized().frozen())
        .pool(Pool::of(0..length as u64))
        .method("insert", (by_mut::<Map>(), value::<u64>()), nothing(), |(map, key)| map.insert(key, 0))
        .method("remove", (by_mut::<Map>(), by_ref::<u64>()), nothing(), |(map, key)| map.remove(key))
        .method("get", (by_ref::<Map>(), by_ref::<u64>()), nothing(), |(map, key)| map.get(key).copied())
        .build()
        .expect("a context");
    let explorer = Explorer::new(&context).max_length(length);
    match mode {
        "plain" => collected_exploration(explorer),
        #[cfg(feature = "cover-predicates")]
        "blocks" | "predicates" => collected_exploration(explorer.coverage(&mut coverage(mode))),
        other => panic!("no mode `{other}`, or the feature `cover-predicates` is off"),
    }
}

#[inline(never)]
fn collected_exploration(explorer: Explorer<'_>) {
    println!("{}", explorer.explore().expect("the tree map can be compared"));
}

/// Sequences from an empty map, drawn by a linear congruence. Returns the number of calls that have found something.
#[inline(never)]
fn collected_loop(sequences: u64, calls: u64, keys: u64, mut after_call: impl FnMut()) -> u64 {
    let mut random = 1_u64;
    let mut found = 0;
    for _ in 0..sequences {
        let mut map = TreeMap::new();
        for _ in 0..calls {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = (random >> 33) % keys;
            let is_found = match (random >> 60) % 4 {
                0 | 1 => map.insert(key, random).is_some(),
                2 => map.remove(&key).is_some(),
                _ => map.get(&key).is_some(),
            };
            found += u64::from(is_found);
            after_call();
        }
    }
    found
}
