//! The tables VI, VIII, X, XII and XIV of the STVR paper: how many values there are, how many classes, and how many
//! values are kept by ratios of 0.1 and 0.01. The paper's numbers stand beside ours. Give numbers of tables to see only
//! these, and `--most N` to leave out rows with more than N values.

use smallscope::search::{AnySearch, Found, Options};
use smallscope_catalogue::{ReductionRow, reductions};
use smallscope_runner::criteria::{Classifier, Quota};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let mut most = u64::MAX;
    let mut tables = vec![];
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--most" => {
                most = args
                    .next()
                    .and_then(|n| n.parse().ok())
                    .unwrap_or_else(|| usage("--most needs a number"));
            }
            "VI" | "VIII" | "X" | "XII" | "XIV" => tables.push(arg),
            other => usage(&format!("there is no table `{other}`")),
        }
    }
    let head = ["table", "structure", "arguments", "all", "criterion", "classes", "10 %", "1 %", "seconds"];
    print_row(&head.map(str::to_owned));
    let (mut rows, mut equal, mut wrong) = (0, 0, 0);
    for row in reductions() {
        if row.all > most || !tables.is_empty() && !tables.iter().any(|table| table == row.table) {
            continue;
        }
        let start = Instant::now();
        let sizes = class_sizes(&row);
        let seconds = start.elapsed().as_secs_f64();
        let all: u64 = sizes.iter().sum();
        let (tenth, hundredth) = (left(&sizes, "0.1"), left(&sizes, "0.01"));
        let classes = sizes.len() as u64;
        rows += 1;
        wrong += usize::from(all != row.all);
        equal += usize::from((classes, tenth, hundredth) == (row.classes, row.tenth, row.hundredth));
        let beside = |ours: u64, paper: u64| {
            if ours == paper { format!("{ours}") } else { format!("{ours} ({paper})") }
        };
        print_row(&[
            row.table.to_owned(),
            row.structure.to_owned(),
            row.args.iter().map(i64::to_string).collect::<Vec<_>>().join(","),
            beside(all, row.all),
            row.criterion.to_owned(),
            beside(classes, row.classes),
            beside(tenth, row.tenth),
            beside(hundredth, row.hundredth),
            format!("{seconds:.3}"),
        ]);
    }
    println!(
        "\n{equal} of {rows} rows have the paper's classes and sizes; where they differ, the paper's are in parentheses"
    );
    if wrong > 0 {
        eprintln!("{wrong} rows have another number of values than the paper");
        std::process::exit(1);
    }
}

/// How many values each class has.
fn class_sizes(row: &ReductionRow) -> Vec<u64> {
    let mut search = row.search(Options::default());
    let search: &mut AnySearch = &mut search;
    let mut classifier =
        Classifier::new(row.criterion.parse().expect("a criterion")).unwrap_or_else(|e| panic!("{e}"));
    let (mut sizes, mut trace) = (HashMap::new(), vec![]);
    let mut current = None;
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}"))
        == Found::Valid
    {
        let class = match current {
            Some((run, class)) if run == search.run_number() => class,
            _ => {
                search.decisions(&mut trace).unwrap_or_else(|e| panic!("{e}"));
                classifier.class(&trace)
            }
        };
        current = Some((search.run_number(), class));
        *sizes.entry(class).or_insert(0) += 1 + search.skip_rest();
    }
    sizes.into_values().collect()
}

/// How many values are kept. This does not depend on which ones.
fn left(sizes: &[u64], ratio: &str) -> u64 {
    let quota = Quota::Ratio(ratio.parse().expect("a ratio"));
    let most = quota.most(sizes.iter().sum(), sizes.len() as u64);
    sizes.iter().map(|size| size.min(&most)).sum()
}

fn print_row(cells: &[String; 9]) {
    let [table, structure, args, all, criterion, classes, tenth, hundredth, seconds] = cells;
    println!(
        "{table:<6}{structure:<21}{args:<10}{all:>12}  {criterion:<12}{classes:>12}{tenth:>20}{hundredth:>18}{seconds:>10}"
    );
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: cargo run --release -p smallscope-catalogue --features criteria --example reduction -- [TABLE..] \
         [--most VALUES]"
    );
    std::process::exit(2);
}
