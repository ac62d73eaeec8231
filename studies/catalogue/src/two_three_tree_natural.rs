//! 2-3 trees with an invariant of recursive helpers as they are usually written.

use smallscope::{Bounded, Bounds, rep_ok};

/// A 2-3 tree: inner nodes have two or three children, and all leaves are at the same depth.
#[derive(Bounded, Debug, Clone)]
pub struct TwoThreeTree {
    root: Box<Node>,
    leaves: usize,
}

#[derive(Bounded, Debug, Clone)]
#[expect(clippy::vec_box, reason = "subtrees are summarised behind boxes")]
struct Node {
    #[bounded(len = 0..=3)]
    children: Vec<Box<Node>>,
}

#[rep_ok]
impl TwoThreeTree {
    /// The number of leaves is right, and they are at the same depth.
    pub fn rep_ok(&self) -> bool {
        Self::leaves(&self.root) == self.leaves && Self::depth(&self.root).is_some()
    }

    fn leaves(node: &Node) -> usize {
        if node.children.is_empty() { 1 } else { node.children.iter().map(|child| Self::leaves(child)).sum() }
    }

    fn depth(node: &Node) -> Option<usize> {
        if node.children.is_empty() {
            return Some(0);
        }
        if node.children.len() == 1 {
            return None;
        }
        let mut depths = node.children.iter().map(|child| Self::depth(child));
        let first = depths.next()??;
        depths.all(|depth| depth == Some(first)).then_some(first + 1)
    }
}

/// A number of leaves in a range, and as many nodes as these need at most.
pub fn bounds(min_leaves: i64, max_leaves: i64) -> Bounds {
    let nodes = (2 * max_leaves - 1).max(1);
    Bounds::exact().objects("Node", nodes as u32).ints("TwoThreeTree.leaves", min_leaves..=max_leaves)
}
