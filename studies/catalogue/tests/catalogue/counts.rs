//! The published algorithm, to the candidate: explored and valid counts equal the original tool's.

use smallscope::Engine;
use smallscope::search::Options;
use smallscope_catalogue::{counts, structure};

/// Rows with more candidates than this are left to `cargo run --release --example counts`, and those with more than 20,000 to
/// optimised builds.
const SMALL: u64 = if cfg!(debug_assertions) { 10_000 } else { 60_000 };
/// `.ci/run` does not search rows with more candidates than this either.
const SEARCHED_BY_CI: u64 = 4_000_000;

#[test]
fn small_rows_are_explored_exactly_as_the_original_does() {
    let rows: Vec<_> = counts().into_iter().filter(|row| row.explored <= SMALL).collect();
    assert!(rows.len() > 80, "the table is there");
    for row in rows {
        let structure = structure(row.structure).unwrap_or_else(|| panic!("no structure {}", row.structure));
        let outcome = (structure.count)(&(structure.bounds)(&row.args), Options::korat()).unwrap();
        assert!(outcome.is_exhaustive());
        assert_eq!(
            (outcome.explored, outcome.valid),
            (row.explored, row.valid),
            "{} {:?}",
            row.structure,
            row.args
        );
    }
}

/// The assertions of the original distribution's tests: valid counts, and some explored counts. The last row is from the
/// paper on the tool. All of them are in the table; `.ci/run` searches the large rows with the example `counts`.
#[test]
fn what_the_original_asserts() {
    let asserted: &[(&str, &[i64], Option<u64>, u64)] = &[
        ("binary-tree", &[6, 6, 6], None, 132),
        ("binary-tree", &[8, 8, 8], Some(54_418), 1_430),
        ("binomial-heap", &[7], None, 107_416),
        ("binomial-heap", &[8], None, 603_744),
        ("disj-set", &[4], Some(7_915), 914),
        ("disj-set", &[5], Some(413_855), 41_546),
        ("fibonacci-heap", &[5], None, 52_281),
        ("heap-array", &[6, 6, 6], Some(64_533), 13_139),
        ("heap-array", &[7, 7, 7], Some(519_968), 117_562),
        ("sorted-list", &[11, 11, 12, 11], Some(3_880_154), 352_716),
        ("search-tree", &[3, 0, 3, 1, 3], Some(178), 15),
    ];
    for &(name, args, explored, valid) in asserted {
        let row = counts().into_iter().find(|row| row.structure == name && row.args == args).expect("a row");
        assert_eq!((row.explored, row.valid), (explored.unwrap_or(row.explored), valid), "{name} {args:?}");
        assert!(row.explored <= SEARCHED_BY_CI, "{name} {args:?} is searched nowhere");
    }
    let ci = include_str!("../../../../.ci/run");
    assert!(ci.contains(&format!("/examples/counts\" --most {SEARCHED_BY_CI}\n")));
}

#[test]
fn ownership_explores_less_and_finds_the_same_number() {
    for row in counts().into_iter().filter(|row| row.explored <= SMALL) {
        let structure = structure(row.structure).unwrap_or_else(|| panic!("no structure {}", row.structure));
        let options = Options { engine: Engine::Owned, ..Options::default() };
        let outcome = (structure.count)(&(structure.bounds)(&row.args), options).unwrap();
        assert!(outcome.is_exhaustive());
        assert_eq!(outcome.valid, row.valid, "{} {:?}", row.structure, row.args);
        assert!(outcome.explored <= row.explored, "{} {:?}", row.structure, row.args);
    }
}

#[test]
fn the_book_says_how_often_each_engine_runs_the_invariant() {
    let book = include_str!("../../../../book/src/counts.md");
    let (_, table) =
        book.split_once("| runs with `lazy` | valid |\n|---|---|---|---|---|---|\n").expect("a table");
    let mut rows = 0;
    for line in table.lines().take_while(|line| line.starts_with('|')) {
        rows += 1;
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let number = |i: usize| cells[i].replace(',', "").parse::<u64>().expect("a number");
        if number(2) > SMALL {
            continue;
        }
        let structure = structure(&cells[0].replace(' ', "-")).expect("a structure of the catalogue");
        let args: Vec<i64> = cells[1].split(',').map(|arg| arg.parse().expect("an argument")).collect();
        for (engine, runs) in [(Engine::Korat, 2), (Engine::Owned, 3), (Engine::Lazy, 4)] {
            let options = Options { engine, ..Options::korat() };
            let outcome = (structure.count)(&(structure.bounds)(&args), options).unwrap();
            assert_eq!((outcome.explored, outcome.valid), (number(runs), number(5)), "{engine}: {line}");
        }
    }
    assert_eq!(rows, 9);
}

fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |c, i| c * (n - k + i) / i)
}

fn catalan(n: u64) -> u64 {
    binomial(2 * n, n) / (n + 1)
}

/// The number of set partitions, by the Bell triangle.
fn bell(n: usize) -> u64 {
    let mut row = vec![1u64];
    for _ in 0..n {
        let mut next = vec![*row.last().unwrap()];
        for x in &row {
            next.push(next.last().unwrap() + x);
        }
        row = next;
    }
    row[0]
}

/// Red-black shapes with `n` nodes whose root may be red: (nodes, black height, colour of the root) by recursion.
fn red_black(n: u64) -> u64 {
    fn black(n: u64, h: u64) -> u64 {
        if h == 0 {
            return u64::from(n == 0);
        }
        if n == 0 {
            return 0;
        }
        (0..n).map(|l| any(l, h - 1) * any(n - 1 - l, h - 1)).sum()
    }
    fn red(n: u64, h: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        (0..n).map(|l| black(l, h) * black(n - 1 - l, h)).sum()
    }
    fn any(n: u64, h: u64) -> u64 {
        black(n, h) + red(n, h)
    }
    (0..=n).map(|h| any(n, h)).sum()
}

#[test]
fn valid_counts_follow_the_known_sequences() {
    // The paper's row has sizes in a range.
    for row in counts().into_iter().filter(|row| row.source != "Korat paper") {
        let n = row.args[0] as u64;
        let expected = match row.structure {
            "binary-tree" | "search-tree" => catalan(n),
            "singly-linked-list" => bell(n as usize),
            "doubly-linked-list" => bell(n as usize + 1) - bell(n as usize),
            "sorted-list" => binomial(2 * n - 1, n),
            "red-black-tree" => red_black(n),
            _ => continue,
        };
        assert_eq!(row.valid, expected, "{} {:?}", row.structure, row.args);
    }
}
