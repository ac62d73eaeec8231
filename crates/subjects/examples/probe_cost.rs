//! A loop of call sequences on the tree map, to be counted by callgrind: `-- <sequences> <calls> <keys> <mode>`, where the mode
//! is `plain` (also with probes built in), or with the feature `cover-predicates` `blocks` or `predicates`: then coverage is
//! read after every call.
//!
//! ```console
//! $ cargo build --release -p smallscope-subjects --example probe_cost [--features cover | --features cover-predicates]
//! $ valgrind --tool=callgrind --toggle-collect='probe_cost::collected_loop*' \
//!     target/release/examples/probe_cost 20000 10 8 plain
//! ```

use smallscope_subjects::TreeMap;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| args.get(i).map_or(default, |arg| arg.parse().expect("a number"));
    let (sequences, calls, keys) = (number(0, 20_000), number(1, 10), number(2, 8));
    let mode = args.get(3).map_or("plain", String::as_str);
    let found = match mode {
        "plain" => collected_loop(sequences, calls, keys, || {}),
        #[cfg(feature = "cover")]
        "blocks" | "predicates" => {
            use smallscope_cover::{Coverage, Criterion};
            let criterion = if mode == "blocks" { Criterion::Blocks } else { Criterion::Predicates };
            let mut coverage = Coverage::of::<TreeMap<u64, u64>>(criterion);
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
