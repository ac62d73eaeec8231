//! A functional search tree as a map, with eight errors.

use super::Task;
use super::map::Map;
use crate::experiment::Unfinished;
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};

/// An empty tree, or a node.
#[derive(Clone)]
pub(super) struct Bst(Option<Box<Node>>);

#[derive(Clone)]
struct Node {
    left: Bst,
    key: u8,
    value: u32,
    right: Bst,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Error {
    None,
    Insert1,
    Insert2,
    Insert3,
    Delete4,
    Delete5,
    Union6,
    Union7,
    Union8,
}

/// Errors and properties, as published.
pub(super) fn tasks() -> Vec<Task> {
    const INSERT: [&str; 6] =
        ["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert", "InsertUnion", "UnionDeleteInsert"];
    const DELETE: [&str; 6] =
        ["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert", "DeleteUnion", "UnionDeleteInsert"];
    const UNION: [&str; 6] =
        ["UnionPost", "UnionModel", "DeleteUnion", "InsertUnion", "UnionDeleteInsert", "UnionUnionAssoc"];
    let mut tasks: Vec<Task> = vec![];
    let mut add = |error, properties: &[&'static str], more: &[&'static str]| {
        tasks.extend(properties.iter().chain(more).map(|&property| (error, property)));
    };
    add("insert_1", &INSERT, &[]);
    add("insert_2", &INSERT, &["InsertDelete"]);
    add("insert_3", &INSERT[..2], &["InsertDelete", "InsertInsert", "InsertUnion", "UnionDeleteInsert"]);
    add("delete_4", &DELETE, &["InsertDelete"]);
    add("delete_5", &DELETE, &[]);
    add("union_6", &UNION, &["UnionValid", "UnionUnionIdem"]);
    add("union_7", &UNION, &["UnionValid"]);
    add("union_8", &UNION, &[]);
    tasks
}

const EMPTY: Bst = Bst(None);

fn node(left: Bst, key: u8, value: u32, right: Bst) -> Bst {
    Bst(Some(Box::new(Node { left, key, value, right })))
}

impl Bst {
    fn insert_into(&self, error: Error, key: u8, value: u32) -> Bst {
        let Some(at) = &self.0 else { return node(EMPTY, key, value, EMPTY) };
        if error == Error::Insert1 {
            return node(EMPTY, key, value, EMPTY);
        }
        let Node { left, key: here, value: old, right } = &**at;
        if key < *here {
            node(left.insert_into(error, key, value), *here, *old, right.clone())
        } else if key > *here && error != Error::Insert2 {
            node(left.clone(), *here, *old, right.insert_into(error, key, value))
        } else if error == Error::Insert3 {
            self.clone()
        } else {
            node(left.clone(), *here, value, right.clone())
        }
    }

    fn delete_from(&self, error: Error, key: u8) -> Bst {
        let Some(at) = &self.0 else { return EMPTY };
        let Node { left, key: here, value, right } = &**at;
        if key == *here {
            return left.join(right);
        }
        let goes_left = (key < *here) != (error == Error::Delete5);
        let changed = if goes_left { left } else { right }.delete_from(error, key);
        match (error, goes_left) {
            (Error::Delete4, _) => changed,
            (_, true) => node(changed, *here, *value, right.clone()),
            (_, false) => node(left.clone(), *here, *value, changed),
        }
    }

    /// Joins two trees, all keys of the first below those of the second.
    fn join(&self, other: &Bst) -> Bst {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return if self.0.is_none() { other.clone() } else { self.clone() };
        };
        node(a.left.clone(), a.key, a.value, node(a.right.join(&b.left), b.key, b.value, b.right.clone()))
    }

    /// The keys below a key, or above it.
    fn part(&self, key: u8, is_below: bool) -> Bst {
        let Some(at) = &self.0 else { return EMPTY };
        let Node { left, key: here, value, right } = &**at;
        match (key.cmp(here), is_below) {
            (std::cmp::Ordering::Equal, true) => left.clone(),
            (std::cmp::Ordering::Equal, false) => right.clone(),
            (std::cmp::Ordering::Less, true) => left.part(key, true),
            (std::cmp::Ordering::Greater, false) => right.part(key, false),
            (std::cmp::Ordering::Greater, true) => node(left.clone(), *here, *value, right.part(key, true)),
            (std::cmp::Ordering::Less, false) => node(left.part(key, false), *here, *value, right.clone()),
        }
    }

    fn united(&self, error: Error, other: &Bst) -> Bst {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return if self.0.is_none() { other.clone() } else { self.clone() };
        };
        let right_side = |below: Bst| node(a.right.united(error, &below), b.key, b.value, b.right.clone());
        match error {
            Error::Union6 => node(a.left.clone(), a.key, a.value, right_side(b.left.clone())),
            Error::Union7 | Error::Union8 if a.key == b.key => {
                node(a.left.united(error, &b.left), a.key, a.value, a.right.united(error, &b.right))
            }
            Error::Union7 | Error::Union8 if a.key > b.key => other.united(error, self),
            Error::Union7 => node(a.left.clone(), a.key, a.value, right_side(b.left.clone())),
            Error::Union8 => {
                let left = a.left.united(error, &b.left.part(a.key, true));
                let rest = node(b.left.part(a.key, false), b.key, b.value, b.right.clone());
                node(left, a.key, a.value, a.right.united(error, &rest))
            }
            _ => {
                let (below, above) = (other.part(a.key, true), other.part(a.key, false));
                node(a.left.united(error, &below), a.key, a.value, a.right.united(error, &above))
            }
        }
    }

    fn collect(&self, entries: &mut Vec<(u8, u32)>) {
        if let Some(at) = &self.0 {
            at.left.collect(entries);
            entries.push((at.key, at.value));
            at.right.collect(entries);
        }
    }
}

impl Map for Bst {
    type Errors = Error;

    fn with_error(error: &str) -> Error {
        match error {
            "insert_1" => Error::Insert1,
            "insert_2" => Error::Insert2,
            "insert_3" => Error::Insert3,
            "delete_4" => Error::Delete4,
            "delete_5" => Error::Delete5,
            "union_6" => Error::Union6,
            "union_7" => Error::Union7,
            "union_8" => Error::Union8,
            _ => Error::None,
        }
    }

    fn insert(&self, error: Error, key: u8, value: u32) -> Option<Bst> {
        Some(self.insert_into(error, key, value))
    }

    fn delete(&self, error: Error, key: u8) -> Option<Bst> {
        Some(self.delete_from(error, key))
    }

    fn union(&self, error: Error, other: &Bst) -> Option<Bst> {
        Some(self.united(error, other))
    }

    fn find(&self, key: u8) -> Option<u32> {
        let at = self.0.as_ref()?;
        match key.cmp(&at.key) {
            std::cmp::Ordering::Less => at.left.find(key),
            std::cmp::Ordering::Greater => at.right.find(key),
            std::cmp::Ordering::Equal => Some(at.value),
        }
    }

    fn entries(&self) -> Vec<(u8, u32)> {
        let mut entries = vec![];
        self.collect(&mut entries);
        entries
    }

    fn is_valid(&self) -> bool {
        self.entries().windows(2).all(|pair| pair[0].0 < pair[1].0)
    }

    fn all(nodes: usize, keys: u8, first: u32) -> Result<Vec<Bst>, Unfinished> {
        let bounds = Bounds::exact()
            .objects("Branch", nodes as u32)
            .ints("Tree.size", nodes as i64..=nodes as i64)
            .ints("Branch.key", 1..=i64::from(keys.max(1)));
        let mut search = Search::<Tree>::new(&bounds, Options::default()).map_err(Unfinished::because)?;
        let mut all = vec![];
        while let Some(tree) = search.next_value() {
            all.push(labelled(&tree.map_err(Unfinished::because)?.root, &mut { first }));
        }
        Ok(all)
    }

    fn show(&self) -> String {
        match &self.0 {
            None => ".".into(),
            Some(at) => format!("({} {} {})", at.left.show(), at.key, at.right.show()),
        }
    }
}

fn labelled(branch: &Option<Box<Branch>>, label: &mut u32) -> Bst {
    let Some(branch) = branch else { return EMPTY };
    *label += 1;
    let value = *label;
    node(labelled(&branch.left, label), branch.key, value, labelled(&branch.right, label))
}

/// What is searched for: the tree without values, with the natural invariant.
#[derive(Bounded, Debug)]
struct Tree {
    root: Option<Box<Branch>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Branch {
    left: Option<Box<Branch>>,
    key: u8,
    right: Option<Box<Branch>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_ordered(&self.root, None, None)
    }

    fn count(tree: &Option<Box<Branch>>) -> usize {
        match tree {
            None => 0,
            Some(node) => 1 + Self::count(&node.left) + Self::count(&node.right),
        }
    }

    fn is_ordered(tree: &Option<Box<Branch>>, low: Option<&u8>, high: Option<&u8>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| *low < node.key)
            && high.is_none_or(|high| node.key < *high)
            && Self::is_ordered(&node.left, low, Some(&node.key))
            && Self::is_ordered(&node.right, Some(&node.key), high)
    }
}
