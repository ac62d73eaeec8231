//! B-trees of order 4, without keys, with an invariant of recursive helpers as they are usually written.

use smallscope::{Bounded, Bounds, rep_ok};

/// A B-tree of order 4: a node has one to three keys, an inner node one more child than keys, and all leaves are at the
/// same depth.
#[derive(Bounded, Debug, Clone)]
pub struct NaturalBTree {
    root: Option<Box<Node>>,
    len: usize,
}

#[derive(Bounded, Debug, Clone)]
#[expect(clippy::vec_box, reason = "subtrees are summarised behind boxes")]
struct Node {
    #[bounded(range = 1..=3)]
    keys: usize,
    #[bounded(len = 0..=4)]
    children: Vec<Box<Node>>,
}

#[rep_ok]
impl NaturalBTree {
    /// The number of keys is right, nodes have as many children as they need, and leaves are at the same depth.
    pub fn rep_ok(&self) -> bool {
        match &self.root {
            None => self.len == 0,
            Some(root) => {
                Self::count(root) == self.len && Self::has_children(root) && Self::depth(root).is_some()
            }
        }
    }

    fn count(node: &Node) -> usize {
        node.keys + node.children.iter().map(|child| Self::count(child)).sum::<usize>()
    }

    fn has_children(node: &Node) -> bool {
        (node.children.is_empty() || node.children.len() == node.keys + 1)
            && node.children.iter().all(|child| Self::has_children(child))
    }

    fn depth(node: &Node) -> Option<usize> {
        let mut depths = node.children.iter().map(|child| Self::depth(child));
        let Some(first) = depths.next() else { return Some(0) };
        let first = first?;
        depths.all(|depth| depth == Some(first)).then_some(first + 1)
    }
}

/// A number of keys in a range, and as many nodes as these need at most.
pub fn bounds(min_len: i64, max_len: i64) -> Bounds {
    Bounds::exact().objects("Node", max_len as u32).ints("NaturalBTree.len", min_len..=max_len)
}
