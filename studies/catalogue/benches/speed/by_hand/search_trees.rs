//! Search trees of `n` nodes with the keys 0 to `n - 1`, as their keys in preorder.

use super::Generator;
use smallscope_catalogue::search_tree;

pub enum SearchTrees {}

/// As in the catalogue.
#[derive(Debug)]
#[expect(dead_code, reason = "only built and printed")]
pub struct SearchTree {
    root: Option<Box<Node>>,
    size: usize,
}

#[derive(Debug)]
#[expect(dead_code, reason = "only built and printed")]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    info: u8,
}

impl Generator for SearchTrees {
    const STRUCTURE: &str = "search-tree";
    const SMALL: &[&[i64]] = &[&[1, 1, 1, 0, 0], &[3, 3, 3, 0, 2], &[5, 5, 5, 0, 4]];
    type Key = u8;
    type Value = SearchTree;
    type InCatalogue = search_tree::SearchTree<u8>;

    fn each(args: &[i64], visit: &mut impl FnMut(&[u8])) {
        let &[nodes, min_size, max_size, 0, max_key] = args else { panic!("keys begin with 0") };
        assert!([min_size, max_size, max_key + 1] == [nodes; 3], "there are as many keys as nodes");
        let mut keys = vec![0; nodes as usize];
        fill(&mut keys, 0, &Pending { low: 0, high: nodes as u8, rest: None }, visit);
    }

    fn build(keys: &[u8]) -> SearchTree {
        SearchTree { root: subtree(&mut keys.iter().peekable(), u8::MAX), size: keys.len() }
    }

    fn text(tree: &SearchTree) -> String {
        format!("{tree:?}")
    }

    fn text_in_catalogue(tree: &search_tree::SearchTree<u8>) -> String {
        format!("{tree:?}")
    }
}

/// Subtrees whose keys are still to be put in order: the next one has those from `low` on and below `high`.
struct Pending<'a> {
    low: u8,
    high: u8,
    rest: Option<&'a Pending<'a>>,
}

/// Fills the keys from `at` on in all ways.
fn fill(keys: &mut [u8], at: usize, next: &Pending<'_>, visit: &mut impl FnMut(&[u8])) {
    let &Pending { low, high, rest } = next;
    for key in low..high {
        keys[at] = key;
        let right = Pending { low: key + 1, high, rest };
        let rest = if right.low < high { Some(&right) } else { rest };
        let left = Pending { low, high: key, rest };
        match if low < key { Some(&left) } else { rest } {
            Some(next) => fill(keys, at + 1, next, visit),
            None => visit(keys),
        }
    }
}

/// The tree of the keys below `high` that come next.
fn subtree(keys: &mut std::iter::Peekable<std::slice::Iter<'_, u8>>, high: u8) -> Option<Box<Node>> {
    let info = *keys.next_if(|key| **key < high)?;
    let left = subtree(keys, info);
    let right = subtree(keys, high);
    Some(Box::new(Node { left, right, info }))
}
