//! Where rows begin, and what each link does: it passes through channels and rows, or bends inside of one channel.

use super::links::{Link, Links};
use super::plate::Draft;
use super::{FRAME, Placed};

/// The height of a channel without bends.
const CHANNEL: f64 = 44.0;
/// How much deeper a bend around another bend is.
const BEND: f64 = 13.0;
/// Bends around more others are no deeper.
const DEEPEST: usize = 14;

/// The way of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// From a node to itself; the how manieth of these.
    Loop(usize),
    /// To the neighbour in the row.
    Straight,
    /// To another node of the row, above or below the row: the depth is 1 or more.
    Bend { is_above: bool, depth: usize },
    /// To a row below.
    Down,
    /// To a row above.
    Up,
}

pub(crate) struct Rows {
    tops: Vec<f64>,
    bottoms: Vec<f64>,
    /// The nodes of each row from left to right.
    pub nodes: Vec<Vec<usize>>,
    /// By link.
    pub ways: Vec<Option<Way>>,
}

impl Rows {
    pub fn new(placed: &Placed, drafts: &[Draft], links: &Links) -> Rows {
        let count = placed.row.iter().max().map_or(0, |last| last + 1);
        let mut nodes = vec![vec![]; count];
        (0..drafts.len()).for_each(|node| nodes[placed.row[node]].push(node));
        for row in &mut nodes {
            row.sort_by(|&a: &usize, &b: &usize| placed.center[a].total_cmp(&placed.center[b]));
        }
        let ways = ways(placed, &nodes, links);
        let (mut tops, mut bottoms) = (vec![], vec![]);
        let mut y = 0.0;
        for (row, members) in nodes.iter().enumerate() {
            y += channel(row, &ways, placed, links);
            let is_framed = |arena: &super::links::Arena| arena.members.iter().any(|&m| placed.row[m] == row);
            if links.arenas.iter().any(is_framed) {
                y += FRAME;
            }
            tops.push(y);
            y += members.iter().map(|&node| drafts[node].height).fold(0.0, f64::max);
            bottoms.push(y);
        }
        Rows { tops, bottoms, nodes, ways }
    }

    pub fn top(&self, row: usize) -> f64 {
        self.tops[row]
    }

    pub fn bottom(&self, row: usize) -> f64 {
        self.bottoms[row]
    }
}

/// How deep a bend reaches into its channel.
pub(crate) fn reach(depth: usize) -> f64 {
    20.0 + BEND * depth as f64
}

/// Returns the height of the channel above a row.
fn channel(row: usize, ways: &[Option<Way>], placed: &Placed, links: &Links) -> f64 {
    let mut height = if row == 0 { 0.0 } else { CHANNEL };
    for (link, way) in links.all.iter().zip(ways) {
        let Some(Way::Bend { is_above, depth }) = way else { continue };
        let of = if *is_above { placed.row[link.from] } else { placed.row[link.from] + 1 };
        if of == row {
            height = height.max(reach(*depth) + 14.0);
        }
    }
    height
}

fn ways(placed: &Placed, nodes: &[Vec<usize>], links: &Links) -> Vec<Option<Way>> {
    let mut ways: Vec<Option<Way>> = vec![None; links.all.len()];
    let mut straight: Vec<(usize, usize)> = vec![];
    let mut loops = vec![0; placed.row.len()];
    let place = |node: usize| nodes[placed.row[node]].iter().position(|&other| other == node).unwrap_or(0);
    // Links of the shape come first, so that they have the straight way.
    let mut turns: Vec<usize> = (0..links.all.len()).filter(|&i| links.all[i].is_drawn).collect();
    turns.sort_by_key(|&i| {
        (links.all[i].is_index, links.all[i].role as u8 != super::links::Role::Along as u8)
    });
    for i in turns {
        let Link { from, to, .. } = links.all[i];
        let (a, b) = (place(from), place(to));
        ways[i] = Some(match placed.row[from].cmp(&placed.row[to]) {
            _ if from == to => {
                loops[from] += 1;
                Way::Loop(loops[from] - 1)
            }
            std::cmp::Ordering::Less => Way::Down,
            std::cmp::Ordering::Greater => Way::Up,
            std::cmp::Ordering::Equal => {
                let pair = (from.min(to), from.max(to));
                if a.abs_diff(b) == 1 && !straight.contains(&pair) && !links.all[i].is_index {
                    straight.push(pair);
                    Way::Straight
                } else {
                    Way::Bend { is_above: a < b, depth: 1 }
                }
            }
        });
    }
    deepen(&mut ways, placed, links);
    ways
}

/// Lets wide bends pass around narrow ones.
fn deepen(ways: &mut [Option<Way>], placed: &Placed, links: &Links) {
    let span = |i: usize| {
        let (a, b) = (placed.center[links.all[i].from], placed.center[links.all[i].to]);
        (a.min(b), a.max(b))
    };
    let mut bends: Vec<usize> =
        (0..ways.len()).filter(|&i| matches!(ways[i], Some(Way::Bend { .. }))).collect();
    bends.sort_by(|&i, &j| {
        let width = |i: usize| span(i).1 - span(i).0;
        width(i).total_cmp(&width(j))
    });
    for (n, &i) in bends.iter().enumerate() {
        let Some(Way::Bend { is_above, .. }) = ways[i] else { continue };
        let mut depth = 1;
        for &j in &bends[..n] {
            let Some(Way::Bend { is_above: other_above, depth: other }) = ways[j] else { continue };
            let is_same_channel =
                is_above == other_above && placed.row[links.all[i].from] == placed.row[links.all[j].from];
            let is_inside = span(i).0 < span(j).1 && span(j).0 < span(i).1;
            if is_same_channel && is_inside {
                depth = depth.max(other + 1);
            }
        }
        ways[i] = Some(Way::Bend { is_above, depth: depth.min(DEEPEST) });
    }
}
