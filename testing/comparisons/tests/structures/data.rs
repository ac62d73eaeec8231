//! Structures of containers and arrays, with invariants.

use crate::{agreed, by_scope, checked};
use smallscope::{Bounded, Bounds, Engine, rep_ok};
use smallscope_reference::Settings;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

#[derive(Bounded)]
struct Heap {
    items: Vec<u8>,
}

#[rep_ok]
impl Heap {
    fn rep_ok(&self) -> bool {
        (1..self.items.len()).all(|i| self.items[(i - 1) / 2] <= self.items[i])
    }
}

#[test]
fn heaps_in_an_array() {
    // Heaps of length 0..=3 over three values: 1, 3, 6, and sum over the root of the squares.
    let bounds = Bounds::scope(3).len("Heap.items", 0..=3);
    assert_eq!(agreed::<Heap>(&bounds), 1 + 3 + 6 + (9 + 4 + 1));
}

#[derive(Bounded)]
struct Sorted {
    queue: VecDeque<u8>,
    slice: Box<[bool]>,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        self.queue.iter().zip(self.queue.iter().skip(1)).all(|(a, b)| a < b)
            && self.slice.len() == self.queue.len()
    }
}

#[test]
fn ascending_queues() {
    // Subsets of size k of n values, times 2^k: 3^n.
    assert_eq!(by_scope::<Sorted>(0..=3), [1, 3, 9, 27]);
}

#[derive(Bounded)]
struct Partition {
    #[bounded(len = scope..=scope)]
    blocks: Vec<Rc<Block>>,
}

#[derive(Bounded)]
struct Block {
    first: u8,
}

#[rep_ok]
impl Partition {
    /// Every block knows its first place.
    fn rep_ok(&self) -> bool {
        (0..self.blocks.len()).all(|i| {
            let first = (0..self.blocks.len()).find(|&j| Rc::ptr_eq(&self.blocks[i], &self.blocks[j]));
            first == Some(self.blocks[i].first as usize)
        })
    }
}

#[test]
fn partitions_are_bell() {
    assert_eq!(by_scope::<Partition>(0..=3), [1, 1, 2, 5]);
}

#[derive(Bounded)]
struct Trie {
    end: bool,
    children: BTreeMap<char, Box<Trie>>,
}

#[rep_ok]
impl Trie {
    /// No useless branches below the root.
    fn rep_ok(&self) -> bool {
        self.children.values().all(|child| (child.end || !child.children.is_empty()) && child.rep_ok())
    }
}

#[test]
fn tries_are_sets_of_words() {
    let settings = Settings { engines: vec![Engine::Owned], ..Settings::default() };
    let bounds =
        Bounds::exact().objects("Trie", 2).alphabet("Trie.children", "ab").len("Trie.children", 0..=2);
    // With two nodes: subsets of {"", a, b}, and those with one of aa, ab, ba, bb in place of the sibling.
    assert_eq!(checked::<Trie>(&bounds, &settings).valid, 8 + 4 * 2 * 2);
}

#[derive(Bounded)]
struct Index {
    rows: Vec<Row>,
    by_key: BTreeMap<u8, u8>,
    seen: HashSet<u8>,
}

#[derive(Bounded)]
struct Row {
    key: u8,
    deleted: bool,
}

#[rep_ok]
impl Index {
    /// The map leads from the key of each live row to its number.
    fn rep_ok(&self) -> bool {
        let mut live = 0;
        for (number, row) in self.rows.iter().enumerate() {
            if row.deleted {
                continue;
            }
            live += 1;
            if self.by_key.get(&row.key) != Some(&(number as u8)) || !self.seen.contains(&row.key) {
                return false;
            }
        }
        live == self.by_key.len()
    }
}

#[test]
fn rows_with_an_index() {
    agreed::<Index>(&Bounds::scope(1));
    agreed::<Index>(&Bounds::scope(2));
}

#[derive(Bounded)]
struct Matrix {
    rows: Vec<Vec<bool>>,
    diagonal: [u8; 2],
    corner: (u8, Option<Box<Row>>),
}

#[rep_ok]
impl Matrix {
    /// Square; the pair is ordered; the corner is there only if the first number is 0.
    fn rep_ok(&self) -> bool {
        let n = self.rows.len();
        let (first, rest) = &self.corner;
        self.rows.iter().all(|row| row.len() == n)
            && self.diagonal[0] <= self.diagonal[1]
            && (*first == 0) == rest.is_some()
    }
}

#[test]
fn square_matrices() {
    let bounds = Bounds::scope(2).objects("Row", 1).ints("Row.key", [3]);
    assert_eq!(agreed::<Matrix>(&bounds), (1 + 2 + 16) * 3 * (2 + 1));
}

#[derive(Bounded)]
enum Json {
    Null,
    Number(u8),
    List(Vec<Json>),
    Map(HashMap<bool, Box<Json>>),
}

#[rep_ok]
impl Json {
    /// Lists are not empty and end with a number.
    fn rep_ok(&self) -> bool {
        match self {
            Json::Null | Json::Number(_) => true,
            Json::List(items) => {
                matches!(items.last(), Some(Json::Number(_))) && items.iter().all(|item| item.rep_ok())
            }
            Json::Map(map) => map.len() < 2 && map.values().all(|value| value.rep_ok()),
        }
    }
}

#[test]
fn enums_with_containers() {
    let settings = Settings { engines: vec![Engine::Owned], ..Settings::default() };
    for n in 0..=1 {
        checked::<Json>(&Bounds::scope(n), &settings);
    }
    let bounds = Bounds::scope(2).ints("Json::Number.0", [1]).len("Json::Map.0", 0..=1);
    checked::<Json>(&bounds, &settings);
}
