//! A functional red-black tree as a map, insertion after Okasaki and deletion after Kahrs, with fifteen errors.

use super::Task;
use super::map::Map;
use crate::experiment::Unfinished;
use smallscope::search::{Options, Search};
use smallscope::summaries::Summaries;
use smallscope::{Bounded, Bounds, rep_ok};
use std::cmp::Ordering;

#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
enum Color {
    Red,
    Black,
}

const RED: Color = Color::Red;
const BLACK: Color = Color::Black;

/// An empty tree, or a node.
#[derive(Clone)]
pub(super) struct Rbt(Option<Box<Node>>);

#[derive(Clone)]
struct Node {
    color: Color,
    left: Rbt,
    entry: (u8, u32),
    right: Rbt,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Error {
    None,
    MiscolorInsert,
    MiscolorDelete,
    MiscolorBalLeft,
    MiscolorBalRight,
    MiscolorJoin1,
    MiscolorJoin2,
    NoBalanceInsert1,
    NoBalanceInsert2,
    SwapCd,
    SwapBc,
    Insert1,
    Insert2,
    Insert3,
    Delete4,
    Delete5,
}

/// Errors and properties, as published.
pub(super) fn tasks() -> Vec<Task> {
    const SWAP: [&str; 10] = [
        "InsertValid",
        "InsertModel",
        "InsertPost",
        "DeleteValid",
        "DeletePost",
        "DeleteModel",
        "DeleteDelete",
        "DeleteInsert",
        "InsertDelete",
        "InsertInsert",
    ];
    const BALANCE: [&str; 3] = ["InsertValid", "DeleteInsert", "InsertDelete"];
    const DELETE: [&str; 4] = ["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert"];
    let mut tasks: Vec<Task> = vec![];
    let mut add = |error, properties: &[&'static str], more: &[&'static str]| {
        tasks.extend(properties.iter().chain(more).map(|&property| (error, property)));
    };
    add("miscolor_insert", &["InsertValid", "DeleteInsert"], &[]);
    add("miscolor_delete", &["DeleteValid"], &[]);
    add("miscolor_balLeft", &["DeleteValid", "DeleteDelete"], &[]);
    add("miscolor_balRight", &["DeleteValid", "DeleteDelete"], &[]);
    add("miscolor_join_1", &["DeleteValid"], &[]);
    add("miscolor_join_2", &["DeleteValid", "DeleteDelete"], &[]);
    add("no_balance_insert_1", &BALANCE, &[]);
    add("no_balance_insert_2", &BALANCE, &[]);
    add("swap_cd", &SWAP, &[]);
    add("swap_bc", &SWAP, &[]);
    add("insert_1", &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert"], &[]);
    add("insert_2", &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert"], &["InsertDelete"]);
    add("insert_3", &["InsertPost", "InsertModel", "InsertDelete", "InsertInsert"], &[]);
    add("delete_4", &DELETE, &["InsertDelete"]);
    add("delete_5", &DELETE, &[]);
    tasks
}

const EMPTY: Rbt = Rbt(None);

fn node(color: Color, left: Rbt, entry: (u8, u32), right: Rbt) -> Rbt {
    Rbt(Some(Box::new(Node { color, left, entry, right })))
}

/// The two subtrees and the entry of a node of a color.
fn parts(tree: &Rbt, color: Color) -> Option<(&Rbt, (u8, u32), &Rbt)> {
    let node = tree.0.as_ref().filter(|node| node.color == color)?;
    Some((&node.left, node.entry, &node.right))
}

/// A black node with these subtrees, after a red node below a red one was made the root.
fn balance(error: Error, left: Rbt, y: (u8, u32), right: Rbt) -> Rbt {
    let three = |a: &Rbt, x, b: &Rbt, y, c: &Rbt, z, d: &Rbt| {
        node(RED, node(BLACK, a.clone(), x, b.clone()), y, node(BLACK, c.clone(), z, d.clone()))
    };
    if let Some((inner, z, d)) = parts(&left, RED) {
        if let Some((a, x, b)) = parts(inner, RED) {
            // `d` and `right` are the subtrees c and d.
            return if error == Error::SwapCd {
                three(a, x, b, z, &right, y, d)
            } else {
                three(a, x, b, z, d, y, &right)
            };
        }
        if let Some((b, w, c)) = parts(d, RED) {
            return three(inner, z, b, w, c, y, &right);
        }
    }
    if let Some((inner, z, d)) = parts(&right, RED) {
        if let Some((b, w, c)) = parts(inner, RED) {
            return if error == Error::SwapBc {
                three(&left, y, c, w, b, z, d)
            } else {
                three(&left, y, b, w, c, z, d)
            };
        }
        if let Some((c, w, last)) = parts(d, RED) {
            return three(&left, y, inner, z, c, w, last);
        }
    }
    node(BLACK, left, y, right)
}

/// Balances a black node; a red one stays as it is.
fn balanced(error: Error, color: Color, left: Rbt, entry: (u8, u32), right: Rbt) -> Rbt {
    if color == BLACK { balance(error, left, entry, right) } else { node(RED, left, entry, right) }
}

impl Rbt {
    fn colored(&self, color: Color) -> Rbt {
        match &self.0 {
            None => EMPTY,
            Some(at) => node(color, at.left.clone(), at.entry, at.right.clone()),
        }
    }

    fn insert_into(&self, error: Error, new: (u8, u32)) -> Rbt {
        let single = || node(if error == Error::MiscolorInsert { BLACK } else { RED }, EMPTY, new, EMPTY);
        let Some(at) = &self.0 else { return single() };
        if error == Error::Insert1 {
            return single();
        }
        let Node { color, left, entry, right } = &**at;
        match new.0.cmp(&entry.0) {
            Ordering::Less => {
                let left = left.insert_into(error, new);
                match error {
                    Error::NoBalanceInsert1 => node(*color, left, *entry, right.clone()),
                    _ => balanced(error, *color, left, *entry, right.clone()),
                }
            }
            Ordering::Greater if error != Error::Insert2 => {
                let right = right.insert_into(error, new);
                match error {
                    Error::NoBalanceInsert2 => node(*color, left.clone(), *entry, right),
                    _ => balanced(error, *color, left.clone(), *entry, right),
                }
            }
            _ if error == Error::Insert3 => self.clone(),
            _ => node(*color, left.clone(), (entry.0, new.1), right.clone()),
        }
    }

    /// Deletes a key. The black height of a black tree is one less afterwards.
    fn delete_from(&self, error: Error, key: u8) -> Option<Rbt> {
        let Some(at) = &self.0 else { return Some(EMPTY) };
        let Node { left, entry, right, .. } = &**at;
        if key == entry.0 {
            return join(error, left, right);
        }
        let goes_left = (key < entry.0) != (error == Error::Delete5);
        let side = if goes_left { left } else { right };
        let changed = side.delete_from(error, key)?;
        if error == Error::Delete4 {
            return Some(changed);
        }
        let was_black = parts(side, BLACK).is_some();
        match (goes_left, was_black) {
            (true, true) => balance_left(error, changed, *entry, right.clone()),
            (true, false) => Some(node(RED, changed, *entry, right.clone())),
            (false, true) => balance_right(error, left.clone(), *entry, changed),
            (false, false) => Some(node(RED, left.clone(), *entry, changed)),
        }
    }

    fn collect(&self, entries: &mut Vec<(u8, u32)>) {
        if let Some(at) = &self.0 {
            at.left.collect(entries);
            entries.push(at.entry);
            at.right.collect(entries);
        }
    }

    /// The number of black nodes on every path, if no red node has a red child.
    fn black_height(&self) -> Option<usize> {
        let Some(at) = &self.0 else { return Some(0) };
        let is_red = |tree: &Rbt| parts(tree, RED).is_some();
        if at.color == RED && (is_red(&at.left) || is_red(&at.right)) {
            return None;
        }
        let (left, right) = (at.left.black_height()?, at.right.black_height()?);
        (left == right).then(|| left + usize::from(at.color == BLACK))
    }
}

/// A tree whose left subtree has lost a black node.
fn balance_left(error: Error, left: Rbt, y: (u8, u32), right: Rbt) -> Option<Rbt> {
    if let Some((a, x, b)) = parts(&left, RED) {
        return Some(node(RED, node(BLACK, a.clone(), x, b.clone()), y, right));
    }
    if parts(&right, BLACK).is_some() {
        return Some(balance(error, left, y, right.colored(RED)));
    }
    let (inner, z, c) = parts(&right, RED)?;
    let (a, w, b) = parts(inner, BLACK)?;
    let c = if error == Error::MiscolorBalLeft { c.clone() } else { reddened(c)? };
    Some(node(RED, node(BLACK, left, y, a.clone()), w, balance(error, b.clone(), z, c)))
}

/// A tree whose right subtree has lost a black node.
fn balance_right(error: Error, left: Rbt, y: (u8, u32), right: Rbt) -> Option<Rbt> {
    if let Some((a, x, b)) = parts(&right, RED) {
        return Some(node(RED, left, y, node(BLACK, a.clone(), x, b.clone())));
    }
    if parts(&left, BLACK).is_some() {
        return Some(balance(error, left.colored(RED), y, right));
    }
    let (a, x, inner) = parts(&left, RED)?;
    let (b, w, c) = parts(inner, BLACK)?;
    let a = if error == Error::MiscolorBalRight { a.clone() } else { reddened(a)? };
    Some(node(RED, balance(error, a, x, b.clone()), w, node(BLACK, c.clone(), y, right)))
}

/// A black tree as a red one. Other trees do not occur here in a valid tree.
fn reddened(tree: &Rbt) -> Option<Rbt> {
    parts(tree, BLACK)?;
    Some(tree.colored(RED))
}

/// Joins two trees of the same black height, all keys of the first below those of the second.
fn join(error: Error, first: &Rbt, second: &Rbt) -> Option<Rbt> {
    let (Some(l), Some(r)) = (&first.0, &second.0) else {
        return Some(if first.0.is_none() { second.clone() } else { first.clone() });
    };
    let outer = |color, a: &Rbt, b: &Rbt, z, c: &Rbt, d: &Rbt| {
        let (left, right) =
            (node(color, a.clone(), l.entry, b.clone()), node(color, c.clone(), r.entry, d.clone()));
        node(RED, left, z, right)
    };
    match (l.color, r.color) {
        (RED, RED) => {
            let middle = join(error, &l.right, &r.left)?;
            let color = if error == Error::MiscolorJoin1 { BLACK } else { RED };
            Some(match parts(&middle, RED) {
                Some((b, z, c)) => outer(color, &l.left, b, z, c, &r.right),
                None => node(RED, l.left.clone(), l.entry, node(RED, middle, r.entry, r.right.clone())),
            })
        }
        (BLACK, BLACK) => {
            let middle = join(error, &l.right, &r.left)?;
            let color = if error == Error::MiscolorJoin2 { RED } else { BLACK };
            match parts(&middle, RED) {
                Some((b, z, c)) => Some(outer(color, &l.left, b, z, c, &r.right)),
                None => {
                    let right = node(BLACK, middle, r.entry, r.right.clone());
                    balance_left(error, l.left.clone(), l.entry, right)
                }
            }
        }
        (BLACK, RED) => Some(node(RED, join(error, first, &r.left)?, r.entry, r.right.clone())),
        (RED, BLACK) => Some(node(RED, l.left.clone(), l.entry, join(error, &l.right, second)?)),
    }
}

impl Map for Rbt {
    type Errors = Error;

    fn with_error(error: &str) -> Error {
        match error {
            "miscolor_insert" => Error::MiscolorInsert,
            "miscolor_delete" => Error::MiscolorDelete,
            "miscolor_balLeft" => Error::MiscolorBalLeft,
            "miscolor_balRight" => Error::MiscolorBalRight,
            "miscolor_join_1" => Error::MiscolorJoin1,
            "miscolor_join_2" => Error::MiscolorJoin2,
            "no_balance_insert_1" => Error::NoBalanceInsert1,
            "no_balance_insert_2" => Error::NoBalanceInsert2,
            "swap_cd" => Error::SwapCd,
            "swap_bc" => Error::SwapBc,
            "insert_1" => Error::Insert1,
            "insert_2" => Error::Insert2,
            "insert_3" => Error::Insert3,
            "delete_4" => Error::Delete4,
            "delete_5" => Error::Delete5,
            _ => Error::None,
        }
    }

    fn insert(&self, error: Error, key: u8, value: u32) -> Option<Rbt> {
        Some(self.insert_into(error, (key, value)).colored(BLACK))
    }

    fn delete(&self, error: Error, key: u8) -> Option<Rbt> {
        let deleted = self.delete_from(error, key)?;
        Some(if error == Error::MiscolorDelete { deleted } else { deleted.colored(BLACK) })
    }

    fn find(&self, key: u8) -> Option<u32> {
        let at = self.0.as_ref()?;
        match key.cmp(&at.entry.0) {
            Ordering::Less => at.left.find(key),
            Ordering::Greater => at.right.find(key),
            Ordering::Equal => Some(at.entry.1),
        }
    }

    fn entries(&self) -> Vec<(u8, u32)> {
        let mut entries = vec![];
        self.collect(&mut entries);
        entries
    }

    fn is_valid(&self) -> bool {
        self.entries().windows(2).all(|pair| pair[0].0 < pair[1].0) && self.black_height().is_some()
    }

    fn all(nodes: usize, keys: u8, first: u32) -> Result<Vec<Rbt>, Unfinished> {
        let bounds = Bounds::exact()
            .objects("Branch", nodes as u32)
            .ints("Tree.size", nodes as i64..=nodes as i64)
            .ints("Branch.key", 1..=i64::from(keys.max(1)));
        let options = Options { summaries: Summaries::On, ..Options::default() };
        let mut search = Search::<Tree>::new(&bounds, options).map_err(Unfinished::because)?;
        let mut all = vec![];
        while let Some(tree) = search.next_value() {
            all.push(labelled(&tree.map_err(Unfinished::because)?.root, &mut { first }));
        }
        Ok(all)
    }

    fn show(&self) -> String {
        match &self.0 {
            None => ".".into(),
            Some(at) => {
                let color = if at.color == RED { "R" } else { "B" };
                format!("({color} {} {} {})", at.left.show(), at.entry.0, at.right.show())
            }
        }
    }
}

fn labelled(branch: &Option<Box<Branch>>, label: &mut u32) -> Rbt {
    let Some(branch) = branch else { return EMPTY };
    *label += 1;
    let entry = (branch.key, *label);
    node(branch.color, labelled(&branch.left, label), entry, labelled(&branch.right, label))
}

/// What is searched for: the tree without values, with the natural invariant.
#[derive(Bounded, Debug)]
struct Tree {
    root: Option<Box<Branch>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Branch {
    color: Color,
    left: Option<Box<Branch>>,
    key: u8,
    right: Option<Box<Branch>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
            && Self::no_red_red(&self.root)
            && Self::black_height(&self.root).is_some()
            && Self::is_ordered(&self.root, None, None)
    }

    fn count(tree: &Option<Box<Branch>>) -> usize {
        match tree {
            None => 0,
            Some(node) => 1 + Self::count(&node.left) + Self::count(&node.right),
        }
    }

    fn is_red(tree: &Option<Box<Branch>>) -> bool {
        tree.as_ref().is_some_and(|node| node.color == Color::Red)
    }

    fn no_red_red(tree: &Option<Box<Branch>>) -> bool {
        let Some(node) = tree else { return true };
        if node.color == Color::Red && (Self::is_red(&node.left) || Self::is_red(&node.right)) {
            return false;
        }
        Self::no_red_red(&node.left) && Self::no_red_red(&node.right)
    }

    fn black_height(tree: &Option<Box<Branch>>) -> Option<usize> {
        let Some(node) = tree else { return Some(0) };
        let (left, right) = (Self::black_height(&node.left)?, Self::black_height(&node.right)?);
        (left == right).then(|| left + usize::from(node.color == Color::Black))
    }

    fn is_ordered(tree: &Option<Box<Branch>>, low: Option<&u8>, high: Option<&u8>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| *low < node.key)
            && high.is_none_or(|high| node.key < *high)
            && Self::is_ordered(&node.left, low, Some(&node.key))
            && Self::is_ordered(&node.right, Some(&node.key), high)
    }
}
