//! Candidates per second of the published algorithm, next to those recorded for the original tool: the median and
//! the best of five runs, without building values.

use smallscope::search::Options;
use smallscope_catalogue::structure;
use std::time::Instant;

/// Structure, arguments, candidates per second of the original tool (median of 3, OpenJDK 17, two shared cores).
const ORIGINAL: &[(&str, &[i64], f64)] = &[
    ("binary-tree", &[12, 12, 12], 2_243_395.0),
    ("search-tree", &[9, 9, 9, 0, 8], 2_432_934.0),
    ("red-black-tree", &[10, 10, 10, 10], 1_314_260.0),
    ("sorted-list", &[12, 12, 13, 12], 1_784_957.0),
    ("binomial-heap", &[9], 1_325_766.0),
    ("heap-array", &[9, 9, 9], 7_970_954.0),
];

fn main() {
    println!(
        "{:<18}{:<16}{:>14}{:>10}{:>10}{:>12}{:>8}",
        "structure", "arguments", "explored", "median", "best", "original", "factor"
    );
    for (name, args, original) in ORIGINAL {
        let structure = structure(name).expect("the catalogue has it");
        let mut rates = vec![];
        let mut explored = 0;
        for _ in 0..5 {
            let start = Instant::now();
            let outcome = (structure.count)(&(structure.bounds)(args), Options::korat())
                .unwrap_or_else(|e| panic!("{e}"));
            explored = outcome.explored;
            rates.push(explored as f64 / start.elapsed().as_secs_f64());
        }
        rates.sort_by(f64::total_cmp);
        let (median, best) = (rates[2], rates[4]);
        let arguments = args.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        println!(
            "{name:<18}{arguments:<16}{explored:>14}{:>9.1}M{:>9.1}M{:>11.2}M{:>8.1}",
            median / 1e6,
            best / 1e6,
            original / 1e6,
            median / original
        );
    }
}
