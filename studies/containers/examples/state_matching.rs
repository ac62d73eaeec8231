//! Techniques of state matching on the red-black tree map, compared by what they cover: after table 1 of Visser, Pasareanu
//! and Pelanek, "Test input generation for red-black trees using abstraction".
//!
//! `cargo run --release -p smallscope-containers --features cover-predicates --example state_matching`
//!
//! First each technique at the sequence length of the paper, then at the one that is best for it: the shortest with the
//! highest coverage, as long as a run takes no more than a minute and a gigabyte. Sequences of length n insert, remove
//! and look for keys from 0 to n - 1. Each line is a separate process, so that its memory can be measured.

use smallscope::cover::{Coverage, Criterion};
use smallscope::sequences::{
    Abstraction, Context, Exploration, Explorer, Limit, Pool, RandomSearch, Stop, by_mut, by_ref, nothing,
    value,
};
use smallscope_containers::TreeMap;
use std::collections::VecDeque;
use std::process::Command;
use std::time::Duration;

type Map = TreeMap<u8, u8>;

/// The time limit of a run when the best length is searched.
const TIME: Duration = Duration::from_secs(60);
const MEMORY_IN_KB: u64 = 1_000_000;

/// The longest random sequences.
const LONGEST_RANDOM: usize = 60;

/// As in the paper.
const RANDOM_RUNS: u64 = 1000;

#[derive(Clone, Copy, PartialEq)]
enum Technique {
    Classical,
    Complete,
    Shape,
    /// The same, with the keys in another order: the first one leaves room on both of its sides.
    ShapeFromMiddle,
    ShapeAndColor,
    Random,
}

/// A line of table 1: the criterion, the technique, and the length of sequences there.
const ROWS: [(Criterion, Technique, usize); 8] = [
    (Criterion::Blocks, Technique::Classical, 6),
    (Criterion::Blocks, Technique::Complete, 7),
    (Criterion::Blocks, Technique::Shape, 10),
    (Criterion::Blocks, Technique::Random, 10),
    (Criterion::Predicates, Technique::Classical, 6),
    (Criterion::Predicates, Technique::Complete, 10),
    (Criterion::Predicates, Technique::Shape, 22),
    (Criterion::Predicates, Technique::Random, 39),
];

const TECHNIQUES: [Technique; 6] = [
    Technique::Classical,
    Technique::Complete,
    Technique::Shape,
    Technique::ShapeFromMiddle,
    Technique::ShapeAndColor,
    Technique::Random,
];

impl Technique {
    fn name(self) -> &'static str {
        match self {
            Technique::Classical => "classical",
            Technique::Complete => "complete",
            Technique::Shape => "shape",
            Technique::ShapeFromMiddle => "shape, middle keys first",
            Technique::ShapeAndColor => "shape and color",
            Technique::Random => "random",
        }
    }

    fn explore(self, context: &Context, coverage: &mut Coverage, length: usize) -> Exploration {
        let explorer = Explorer::new(context).coverage(coverage).max_length(length).budget(TIME);
        let found = match self {
            Technique::Classical => explorer.classical().explore(),
            Technique::Complete => explorer.explore(),
            Technique::Shape | Technique::ShapeFromMiddle => {
                explorer.abstraction(Abstraction::Shape).explore()
            }
            Technique::ShapeAndColor => explorer.abstraction(Abstraction::shape_and(["color"])).explore(),
            Technique::Random => explorer.random(RandomSearch { runs: RANDOM_RUNS, length, seed: 1 }),
        };
        found.expect("the tree map can be compared")
    }
}

fn name_of(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Blocks => "blocks",
        Criterion::Predicates => "predicates",
    }
}

/// The middle of some keys, then the middles of both halves, and so on.
fn from_the_middle(keys: usize) -> Vec<u8> {
    let mut order = vec![];
    let mut ranges = VecDeque::new();
    ranges.push_back(0..keys);
    while let Some(range) = ranges.pop_front() {
        if !range.is_empty() {
            let middle = range.start + range.len() / 2;
            order.push(middle as u8);
            ranges.extend([range.start..middle, middle + 1..range.end]);
        }
    }
    order
}

fn context(keys: Vec<u8>) -> Context {
    Context::builder()
        .pool(Pool::<Map>::empty(1).and_made_by(Map::new).cloned().linearized().frozen())
        .pool(Pool::of(keys))
        .method("insert", (by_mut::<Map>(), value::<u8>()), nothing(), |(map, key)| map.insert(key, 0))
        .method("remove", (by_mut::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| map.remove(key))
        .method("get", (by_ref::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| {
            map.get(key);
        })
        .build()
        .expect("a context")
}

/// The result of a run, as a line of the table.
struct Line {
    covered: usize,
    text: String,
    is_cut_short: bool,
}

fn run(criterion: Criterion, technique: Technique, length: usize) -> Line {
    let context = context(match technique {
        Technique::ShapeFromMiddle => from_the_middle(length),
        _ => (0..length as u8).collect(),
    });
    let mut coverage = Coverage::of::<Map>(criterion);
    let found = technique.explore(&context, &mut coverage, length);
    let is_cut_short = found.stop == Stop::LimitReached(Limit::Time);
    let peak = peak_memory_in_kb().map_or("?".to_owned(), |kb| format!("{:.1}", kb as f64 / 1000.0));
    let text = format!(
        "| {} | {} of {} | {length}{} | {:.2} | {peak} | {:.2} | {:.1} | {} | {} | {} |",
        technique.name(),
        coverage.covered(),
        coverage.total(),
        if is_cut_short { " (not finished)" } else { "" },
        found.time.as_secs_f64(),
        found.bytes as f64 / 1e6,
        found.suite.average_length(),
        found.suite.witnesses.len(),
        found.states,
        found.transitions
    );
    Line { covered: coverage.covered(), text, is_cut_short }
}

/// The peak memory of this process, where the system provides it.
fn peak_memory_in_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The shortest length with the highest coverage.
fn best_length(criterion: Criterion, technique: Technique) -> usize {
    let mut best = (0, 1);
    for length in 1..=LONGEST_RANDOM {
        let line = run(criterion, technique, length);
        let is_too_large = peak_memory_in_kb().is_some_and(|kb| kb > MEMORY_IN_KB);
        if line.is_cut_short || is_too_large {
            break;
        }
        if line.covered > best.0 {
            best = (line.covered, length);
        }
        // Ten more keys and calls covered nothing new.
        if technique != Technique::Random && length >= best.1 + 10 {
            break;
        }
    }
    best.1
}

/// Runs this program once more, for one line.
fn in_own_process(arguments: &[&str]) -> String {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).args(arguments).output().expect("this program can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn head(title: &str, criterion: Criterion) {
    println!("\n{title}, {}\n", name_of(criterion));
    println!(
        "| technique | covered | sequence length | s | MB | MB for states | average length | sequences | states | transitions |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            for criterion in [Criterion::Blocks, Criterion::Predicates] {
                head("At the lengths of the paper", criterion);
                for (_, technique, length) in ROWS.iter().filter(|row| row.0 == criterion) {
                    let length = length.to_string();
                    println!("{}", in_own_process(&["row", name_of(criterion), technique.name(), &length]));
                }
            }
            for criterion in [Criterion::Blocks, Criterion::Predicates] {
                head("At the best length", criterion);
                for technique in TECHNIQUES {
                    let best = in_own_process(&["best", name_of(criterion), technique.name()]);
                    println!("{}", in_own_process(&["row", name_of(criterion), technique.name(), &best]));
                }
            }
        }
        ["row", criterion, technique, length] => {
            let length = length.parse().expect("a length");
            println!("{}", run(criterion_named(criterion), technique_named(technique), length).text);
        }
        ["best", criterion, technique] => {
            println!("{}", best_length(criterion_named(criterion), technique_named(technique)));
        }
        _ => eprintln!(
            "there are no arguments, or `row CRITERION TECHNIQUE LENGTH`, or `best CRITERION TECHNIQUE`"
        ),
    }
}

fn criterion_named(name: &str) -> Criterion {
    let both = [Criterion::Blocks, Criterion::Predicates];
    both.into_iter().find(|criterion| name_of(*criterion) == name).expect("`blocks` or `predicates`")
}

fn technique_named(name: &str) -> Technique {
    TECHNIQUES.into_iter().find(|technique| technique.name() == name).expect("the name of a technique")
}
