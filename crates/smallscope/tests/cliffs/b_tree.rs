//! B-trees of order 4, scope 8: 740 values. Explored today: 5,022,882; with an
//! index loop in place of `windows`: 30,611.
use smallscope::{Bounded, rep_ok};

const MAX: usize = 3; // order 4: at most 3 keys, at least 1

#[derive(Bounded, Debug, Clone)]
pub struct BTree {
    root: Option<Box<Node>>,
}

#[derive(Bounded, Debug, Clone)]
pub struct Node {
    keys: Vec<u8>,
    children: Vec<Box<Node>>,
}

#[rep_ok]
impl BTree {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|r| Self::check(r, None, None).is_some())
    }

    /// The height, if the subtree is a B-tree with keys between `lo` and `hi`.
    fn check(node: &Node, lo: Option<u8>, hi: Option<u8>) -> Option<usize> {
        if node.keys.is_empty() || node.keys.len() > MAX {
            return None;
        }
        if !node.keys.windows(2).all(|w| w[0] < w[1]) {
            return None;
        }
        if lo.is_some_and(|lo| node.keys[0] <= lo) || hi.is_some_and(|hi| *node.keys.last().unwrap() >= hi) {
            return None;
        }
        if node.children.is_empty() {
            return Some(0);
        }
        if node.children.len() != node.keys.len() + 1 {
            return None;
        }
        let mut height = None;
        for (i, child) in node.children.iter().enumerate() {
            let lo = if i == 0 { lo } else { Some(node.keys[i - 1]) };
            let hi = if i == node.keys.len() { hi } else { Some(node.keys[i]) };
            let h = Self::check(child, lo, hi)?;
            if height.is_some_and(|height| height != h) {
                return None;
            }
            height = Some(h);
        }
        height.map(|h| h + 1)
    }
}
