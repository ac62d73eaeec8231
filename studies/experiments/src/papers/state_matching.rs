//! Paper 002: ways to match states of a red-black tree map, by what they cover; and linearizations that people can read.

use super::cells;
use crate::compare::short;
use crate::experiment::{Cells, Column, Experiment, Unfinished, Watch};
use smallscope::cover::{Coverage, Criterion};
use smallscope::sequences::{
    Abstraction, Context, Explorer, Limit, Linearize, Pool, RandomSearch, Sink, Stop, by_mut, by_ref,
    nothing, value,
};
use smallscope_containers::TreeMap;
use std::time::{Duration, Instant};

type Map = TreeMap<u8, u8>;

/// As in the paper.
const RANDOM_RUNS: u64 = 1000;

pub(super) fn experiments() -> Vec<Experiment> {
    let columns = [
        Column::beside("covered"),
        Column::beside("reachable"),
        Column::beside("length"),
        Column::beside("seconds"),
        Column::beside("megabytes"),
        Column::beside("average length"),
        Column::beside("states"),
        Column::beside("calls"),
    ];
    let steps = |_: &_, row: &str| if row.ends_with("classical") { 4e5 } else { 1e5 };
    vec![
        Experiment::new("002/table-1", "techniques of state matching on a tree map", &columns)
            .steps(steps)
            .remark(
                "The tree map is our own code with blocks of its own, so covered blocks and combinations stand beside those of \
                 java.util.TreeMap. Megabytes are those of our states; in the paper, of the process. Lengths are the \
                 paper's, which are the best for its code.",
            )
            .compute(technique),
        Experiment::new(
            "002/figure-4",
            "linearizations of red-black trees: numbers of nodes, colours, keys",
            &[Column::same("linearization"), Column::same("shape and colour"), Column::same("shape")],
        )
        .rows([("example".to_owned(), 1.0), ("7,3,1,5,8 inserted".to_owned(), 1.0)])
        .remark(
            "The first row has the tree of the paper's example, which is not a red-black tree (paths have two and one black \
             nodes); the second one is the state of our tree map.",
        )
        .compute(|row, _| Ok(abstractions(row))),
    ]
}

fn context(keys: Vec<u8>) -> Result<Context, Unfinished> {
    Context::builder()
        .pool(Pool::<Map>::empty(1).and_made_by(Map::new).cloned().linearized().frozen())
        .pool(Pool::of(keys))
        .method("insert", (by_mut::<Map>(), value::<u8>()), nothing(), |(map, key)| map.insert(key, 0))
        .method("remove", (by_mut::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| map.remove(key))
        .method("get", (by_ref::<Map>(), by_ref::<u8>()), nothing(), |(map, key)| {
            map.get(key);
        })
        .build()
        .map_err(Unfinished::because)
}

/// Explores up to the length of the paper.
fn technique(row: &str, watch: &Watch<'_>) -> Result<Cells, Unfinished> {
    let (criterion, technique) = row.split_once(", ").unwrap_or((row, ""));
    let criterion = if criterion == "blocks" { Criterion::Blocks } else { Criterion::Predicates };
    let published = crate::published::Table::of("002/table-1");
    let length =
        published.number(row, "length").ok_or_else(|| Unfinished::because("the paper gives no length"))?;
    let length = length as usize;
    let context = context((0..length as u8).collect())?;
    let mut coverage = Coverage::of::<Map>(criterion);
    let left = watch.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
    let explorer = Explorer::new(&context).coverage(&mut coverage).max_length(length);
    let explorer = explorer.budget(left.min(Duration::from_secs(3600)));
    let found = match technique {
        "classical" => explorer.classical().explore(),
        "complete" => explorer.explore(),
        "shape" => explorer.abstraction(Abstraction::Shape).explore(),
        _ => explorer.random(RandomSearch { runs: RANDOM_RUNS, length, seed: 1 }),
    };
    let found = found.map_err(Unfinished::because)?;
    if found.stop == Stop::LimitReached(Limit::Time) {
        return Err(Unfinished::Stopped);
    }
    let mut cells = cells([
        ("covered", coverage.covered().to_string()),
        ("length", length.to_string()),
        ("seconds", short(found.time.as_secs_f64())),
        ("megabytes", short(found.bytes as f64 / 1e6)),
        ("average length", format!("{:.1}", found.suite.average_length())),
        ("states", found.states.to_string()),
        ("calls", found.transitions.to_string()),
    ]);
    if criterion == Criterion::Blocks {
        // The containers' own tests show which three blocks cannot be reached.
        cells.insert("reachable".into(), (coverage.total() - UNREACHABLE_BLOCKS).to_string());
    }
    Ok(cells)
}

/// Blocks of the tree map that no sequence of calls reaches: see the chapter about the containers.
const UNREACHABLE_BLOCKS: usize = 3;

/// A binary tree with colours.
struct Node {
    key: u8,
    is_red: bool,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

/// What is written about each node.
#[derive(Clone, Copy)]
struct Form {
    colors: bool,
    keys: bool,
}

fn abstractions(row: &str) -> Cells {
    let root = if row == "example" {
        let mut root = None;
        for (key, is_red) in [(7, false), (3, true), (1, false), (5, false), (8, true)] {
            insert(&mut root, key, is_red);
        }
        root
    } else {
        let mut map = Map::new();
        for key in row.split(' ').next().unwrap_or_default().split(',') {
            map.insert(key.parse().expect("rows name keys"), 0);
        }
        let mut sink = Sink::new();
        map.linearize(&mut sink);
        decode(&mut sink.bytes().iter().copied())
    };
    let written = |colors, keys| {
        let mut parts = vec![];
        write(&root, Form { colors, keys }, &mut parts, &mut 0);
        parts.join(" ")
    };
    cells([
        ("linearization", written(true, true)),
        ("shape and colour", written(true, false)),
        ("shape", written(false, false)),
    ])
}

fn insert(tree: &mut Option<Box<Node>>, key: u8, is_red: bool) {
    match tree {
        None => *tree = Some(Box::new(Node { key, is_red, left: None, right: None })),
        Some(node) => insert(if key < node.key { &mut node.left } else { &mut node.right }, key, is_red),
    }
}

/// Reads the linearization of a map with small numbers: for each node its number, key, value, colour and the number of its parent,
/// then its children; zero where there is none.
fn decode(bytes: &mut impl Iterator<Item = u8>) -> Option<Box<Node>> {
    let mut next = || bytes.next().expect("a linearization is complete");
    if next() == 0 {
        return None;
    }
    let (key, _value, is_red, _parent) = (next(), next(), next() == 1, next());
    Some(Box::new(Node { key, is_red, left: decode(bytes), right: decode(bytes) }))
}

/// Writes the nodes in depth-first order, each with its number, and zero where there is none: the form of the paper.
fn write(tree: &Option<Box<Node>>, form: Form, parts: &mut Vec<String>, last: &mut usize) {
    let Some(node) = tree else { return parts.push("0".into()) };
    *last += 1;
    let color = match (form.colors, node.is_red) {
        (false, _) => "",
        (true, true) => "R",
        (true, false) => "B",
    };
    let key = if form.keys { node.key.to_string() } else { String::new() };
    parts.push(format!("{last}{color}{key}"));
    write(&node.left, form, parts, last);
    write(&node.right, form, parts, last);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linearizations_have_the_form_of_the_paper() {
        let of = |row, column: &str| abstractions(row)[column].clone();
        assert_eq!(of("example", "linearization"), "1B7 2R3 3B1 0 0 4B5 0 0 5R8 0 0");
        assert_eq!(of("example", "shape"), "1 2 3 0 0 4 0 0 5 0 0");
        assert_eq!(of("2,1,3 inserted", "linearization"), "1B2 2R1 0 0 3R3 0 0");
        assert_eq!(of("2,1,3 inserted", "shape and colour"), "1B 2R 0 0 3R 0 0");
    }
}
