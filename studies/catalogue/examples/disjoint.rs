//! Tables I to V of the article about disjoint parts (STVR), with our figures beside the published ones: candidates
//! explored by the published algorithm in the parts, and the time in which the default engine searches the parts and
//! delivers every combination, only to be counted. Give names of tables to see only these, and `--most N` to
//! deliver rows with up to N combinations only; the others are counted by a product.

use smallscope::search::{AnySearch, Found, Kept, Options, Search};
use smallscope::structures::Product;
use smallscope::{Bounds, Disjoint};
use smallscope_catalogue::binomial_heap::BinomialHeap;
use smallscope_catalogue::{DisjointRow, disjoint_counts, structure};
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let mut most = u64::MAX;
    let mut tables = vec![];
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "--most" {
            most = args.next().and_then(|n| n.parse().ok()).unwrap_or_else(|| usage("--most needs a number"));
        } else if disjoint_counts().iter().any(|row| row.table == arg) {
            tables.push(arg);
        } else {
            usage(&format!("there is no table `{arg}`"));
        }
    }
    println!(
        "{:<6}{:<16}{:>15}{:>15}{:>12}{:>12}{:>7}{:>10}{:>15}{:>10}{:>7}{:>10}",
        "table",
        "scope",
        "valid, publ.",
        "direct, publ.",
        "parts, p.",
        "parts",
        "match",
        "seconds",
        "delivered",
        "seconds",
        "ns",
        "lent, ns"
    );
    let mut differ = 0;
    for row in disjoint_counts() {
        if !tables.is_empty() && !tables.iter().any(|table| table == row.table) {
            continue;
        }
        differ += usize::from(!print(&row, most));
    }
    if differ > 0 {
        eprintln!("{differ} rows differ");
        std::process::exit(1);
    }
}

/// Whether our figures are the expected ones.
fn print(row: &DisjointRow, most: u64) -> bool {
    let found = structure(row.structure).expect("the table names structures of the catalogue");
    let bounds = (found.bounds)(&row.args);
    let start = Instant::now();
    let korat = (found.count)(&bounds, Options::korat().disjoint()).unwrap_or_else(|e| panic!("{e}"));
    let korat_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let is_delivered = row.valid <= most;
    let valid = match is_delivered {
        true => {
            let options = Options::default().disjoint();
            deliver(&mut (found.open)(&bounds, options).unwrap_or_else(|e| panic!("{e}")))
        }
        false => {
            (found.count)(&bounds, Options::default().disjoint()).unwrap_or_else(|e| panic!("{e}")).valid
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let is_same = korat.explored == row.explored && korat.valid == row.valid && valid == row.valid;
    let agrees = match (is_same, row.published == row.explored) {
        (true, true) => "yes",
        (true, false) => "yes(*)",
        (false, _) => "NO",
    };
    let rate = if is_delivered { format!("{:.1}", seconds * 1e9 / valid as f64) } else { "-".into() };
    let lent = match row.structure {
        "binomial-heap-inputs" if is_delivered && row.valid < 1 << 30 => lend_heaps(&bounds, row.valid),
        _ => "-".into(),
    };
    println!(
        "{:<6}{:<16}{:>15}{:>15}{:>12}{:>12}{:>7}{:>10.3}{:>15}{:>10.3}{:>7}{:>10}",
        row.table,
        row.scope,
        row.valid,
        row.direct.map_or_else(|| "-".into(), |n| n.to_string()),
        row.published,
        korat.explored,
        agrees,
        korat_seconds,
        if is_delivered { valid.to_string() } else { format!("({valid})") },
        seconds,
        rate,
        lent,
    );
    is_same
}

/// Delivers every combination.
fn deliver(search: &mut AnySearch) -> u64 {
    let mut count = 0;
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}"))
        == Found::Valid
    {
        count += 1;
    }
    assert!(search.outcome().is_exhaustive());
    count
}

/// Lends both heaps of every combination and reads them. Returns the time for one combination.
fn lend_heaps(bounds: &Bounds, valid: u64) -> String {
    let options = Options { disjoint: Disjoint::On, ..Options::default() };
    let start = Instant::now();
    let mut search = Search::<Product<(BinomialHeap, BinomialHeap)>>::new(bounds, options)
        .unwrap_or_else(|e| panic!("{e}"));
    let mut place = <(Kept<BinomialHeap>, Kept<BinomialHeap>)>::default();
    let (mut count, mut nodes) = (0, 0);
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}"))
        == Found::Valid
    {
        search.hand(&mut place).unwrap_or_else(|e| panic!("{e}"));
        nodes += place.0.get().len() + place.1.get().len();
        count += 1;
    }
    assert_eq!(count, valid);
    std::hint::black_box(nodes);
    format!("{:.1}", start.elapsed().as_secs_f64() * 1e9 / valid as f64)
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: cargo run --release -p smallscope-catalogue --example disjoint -- [TABLE..] [--most COMBINATIONS]"
    );
    std::process::exit(2);
}
