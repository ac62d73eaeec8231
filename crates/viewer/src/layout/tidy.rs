//! Trees and lists: objects that follow each other stand side by side, and a parent stands over the middle of its children.
//!
//! After Reingold and Tilford: subtrees are placed on their own and moved together until they nearly touch in some row.

use super::arrange::{Arrangement, Child, Unit};
use super::links::Role;
use super::{FRAME, Placed, Widths};

/// Between objects of different subtrees.
const GAP: f64 = 26.0;
/// Between objects that follow each other, with room for an arrow.
const ARROW: f64 = 46.0;
/// Between the elements of a vector.
const ELEMENT: f64 = 26.0;
/// Between an object and its only child, horizontally, if that is on the left or on the right.
const ASIDE: f64 = 26.0;

/// A placed subtree.
#[derive(Default)]
struct Block {
    centers: Vec<(usize, f64)>,
    /// The ends of each row, from the top.
    ends: Vec<(f64, f64)>,
    /// Where the line from the parent ends.
    anchor: f64,
}

/// Places all nodes. Without recursion: a list may be as long as it likes.
pub(super) fn place(arrangement: &Arrangement, widths: &Widths) -> Placed {
    let count = widths.half.len();
    let mut placed = Placed { row: vec![0; count], center: vec![0.0; count], crossings: vec![] };
    let mut order: Vec<usize> =
        arrangement.roots.iter().flat_map(|unit| unit.nodes.iter().copied()).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        for child in arrangement.children[node].iter().flat_map(|child| &child.unit.nodes) {
            placed.row[*child] = placed.row[node] + 1;
            order.push(*child);
        }
        next += 1;
    }
    // What is below a node comes behind it in this order.
    let mut blocks: Vec<Block> = (0..count).map(|_| Block::default()).collect();
    for &node in order.iter().rev() {
        blocks[node] = place_node(node, &arrangement.children[node], widths, &mut blocks);
    }
    let mut whole = Block::default();
    for unit in &arrangement.roots {
        whole.join(place_unit(unit, &mut blocks), ARROW, ARROW);
    }
    for (node, center) in whole.centers {
        placed.center[node] = center;
    }
    placed
}

/// Puts the blocks of nodes that stand side by side together.
fn place_unit(unit: &Unit, blocks: &mut [Block]) -> Block {
    let mut block = Block::default();
    let first_gap = if unit.is_framed { ELEMENT } else { ARROW };
    for &node in &unit.nodes {
        block.join(std::mem::take(&mut blocks[node]), first_gap, GAP);
    }
    if unit.is_framed {
        let center = |node: Option<&usize>| {
            block.centers.iter().find(|(n, _)| Some(n) == node).map_or(0.0, |(_, center)| *center)
        };
        block.anchor = (center(unit.nodes.first()) + center(unit.nodes.last())) / 2.0;
        if let Some((low, high)) = block.ends.first_mut() {
            (*low, *high) = (*low - FRAME, *high + FRAME);
        }
    }
    block
}

/// Puts a node over the blocks of its children.
fn place_node(node: usize, children: &[Child], widths: &Widths, blocks: &mut [Block]) -> Block {
    let mut below = Block::default();
    let mut anchors = vec![];
    for Child { unit, .. } in children {
        let block = place_unit(unit, blocks);
        let anchor = block.anchor;
        let shift = below.join(block, GAP, GAP);
        anchors.push(anchor + shift);
    }
    let center = match (&anchors[..], children.first().map(|child| child.role)) {
        ([], _) => 0.0,
        ([only], Some(Role::Left)) => only + ASIDE,
        ([only], Some(Role::Right)) => only - ASIDE,
        ([first, .., last], _) => (first + last) / 2.0,
        ([only], _) => *only,
    };
    let mut block = Block { centers: below.centers, ends: vec![], anchor: center };
    block.centers.push((node, center));
    block.ends.push((center - widths.half[node], center + widths.half[node] + widths.loops[node]));
    block.ends.extend(below.ends);
    block
}

impl Block {
    /// Puts another block on the right, as near as the gaps in the first row and in the others allow. Returns how far that
    /// block was moved.
    fn join(&mut self, mut other: Block, first_gap: f64, gap: f64) -> f64 {
        let mut shift = f64::NEG_INFINITY;
        for (row, (left, right)) in self.ends.iter().zip(&other.ends).enumerate() {
            shift = shift.max(left.1 + if row == 0 { first_gap } else { gap } - right.0);
        }
        if shift == f64::NEG_INFINITY {
            shift = 0.0;
        }
        if self.ends.is_empty() {
            self.anchor = other.anchor + shift;
        }
        self.centers.extend(other.centers.drain(..).map(|(node, center)| (node, center + shift)));
        for (row, (low, high)) in other.ends.into_iter().enumerate() {
            match self.ends.get_mut(row) {
                Some(ends) => ends.1 = ends.1.max(high + shift),
                None => self.ends.push((low + shift, high + shift)),
            }
        }
        shift
    }
}
