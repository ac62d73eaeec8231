//! Graphs in which objects are shared: layers, after Sugiyama, Tagawa and Toda. Links go downwards, except those that close
//! a cycle, and have a place of their own in each layer that they cross.

use super::links::Links;
use super::{Placed, Widths};

/// Between plates.
const GAP: f64 = 30.0;
/// Between links that cross a layer.
const THREAD: f64 = 14.0;
/// How often the order of the layers is improved.
const SWEEPS: usize = 8;

/// A plate, or the place where a link crosses a layer.
#[derive(Clone)]
struct Item {
    layer: usize,
    left: f64,
    right: f64,
    above: Vec<usize>,
    below: Vec<usize>,
    center: f64,
}

/// Places all nodes.
pub(super) fn place(links: &Links, widths: &Widths) -> Placed {
    let count = widths.half.len();
    let edges: Vec<(usize, usize)> =
        links.all.iter().filter(|link| link.is_drawn).map(|link| (link.from, link.to)).collect();
    let layers = layers(count, &edges);
    let mut items: Vec<Item> = (0..count)
        .map(|node| Item {
            layer: layers[node],
            left: widths.half[node],
            right: widths.half[node] + widths.loops[node],
            above: vec![],
            below: vec![],
            center: 0.0,
        })
        .collect();
    let mut threads = vec![vec![]; links.all.len()];
    for (i, link) in links.all.iter().enumerate().filter(|(_, link)| link.is_drawn) {
        let (upper, lower) =
            if layers[link.from] <= layers[link.to] { (link.from, link.to) } else { (link.to, link.from) };
        let mut last = upper;
        for layer in layers[upper] + 1..layers[lower] {
            let item = items.len();
            let half = THREAD / 2.0;
            items.push(Item {
                layer,
                left: half,
                right: half,
                above: vec![last],
                below: vec![],
                center: 0.0,
            });
            items[last].below.push(item);
            threads[i].push(item);
            last = item;
        }
        if upper != lower {
            items[last].below.push(lower);
            items[lower].above.push(last);
        }
    }
    let mut rows = vec![vec![]; items.iter().map(|item| item.layer + 1).max().unwrap_or(0)];
    (0..items.len()).for_each(|item| rows[items[item].layer].push(item));
    order(&mut rows, &mut items);
    for sweep in 0..2 * SWEEPS {
        let downwards = sweep % 2 == 0;
        let turns: Vec<usize> =
            if downwards { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        turns.into_iter().for_each(|row| straighten(&rows[row], &mut items, downwards));
    }
    Placed {
        row: layers,
        center: (0..count).map(|node| items[node].center).collect(),
        crossings: threads
            .iter()
            .map(|items_of| items_of.iter().map(|&i| items[i].center).collect())
            .collect(),
    }
}

/// Returns the layer of each node: one more than that of the lowest node with a link to it, without the links that close a
/// cycle.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut outgoing = vec![vec![]; count];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        outgoing[from].push(to);
    }
    // A depth-first walk: links to a node that is being visited close a cycle.
    let (mut state, mut order) = (vec![0u8; count], vec![]);
    let mut forward = vec![vec![]; count];
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if state[node] != 0 {
                    continue;
                }
                state[node] = 1;
            }
            match outgoing[node].get(next) {
                Some(&to) => {
                    stack.push((node, next + 1));
                    if state[to] != 1 {
                        forward[node].push(to);
                    }
                    if state[to] == 0 {
                        stack.push((to, 0));
                    }
                }
                None => {
                    state[node] = 2;
                    order.push(node);
                }
            }
        }
    }
    let mut layers = vec![0; count];
    for &node in order.iter().rev() {
        for &to in &forward[node] {
            layers[to] = layers[to].max(layers[node] + 1);
        }
    }
    layers
}

/// Orders each layer by the mean place of the neighbours in the layer before, back and forth.
fn order(rows: &mut [Vec<usize>], items: &mut [Item]) {
    let mut places = vec![0.0; items.len()];
    let note = |row: &[usize], places: &mut [f64]| {
        row.iter().enumerate().for_each(|(place, &item)| places[item] = place as f64 / row.len() as f64);
    };
    rows.iter().for_each(|row| note(row, &mut places));
    for sweep in 0..SWEEPS {
        let downwards = sweep % 2 == 0;
        let count = rows.len();
        for turn in 0..count {
            let row = &mut rows[if downwards { turn } else { count - 1 - turn }];
            let key = |item: usize| {
                let near = if downwards { &items[item].above } else { &items[item].below };
                match near.len() {
                    0 => places[item],
                    n => near.iter().map(|&other| places[other]).sum::<f64>() / n as f64,
                }
            };
            row.sort_by(|&a, &b| key(a).total_cmp(&key(b)));
            note(row, &mut places);
        }
    }
    for row in rows.iter() {
        let mut x = 0.0;
        for &item in row {
            items[item].center = x + items[item].left;
            x += items[item].left + items[item].right + GAP;
        }
    }
}

/// Moves the items of a layer to the middle of their neighbours, as far as their order and their sizes allow: the nearest
/// places in the sense of least squares, by joining neighbours that would overlap.
fn straighten(row: &[usize], items: &mut [Item], downwards: bool) {
    let mut groups: Vec<(f64, f64, usize)> = vec![];
    let mut offsets = vec![];
    let mut offset = 0.0;
    for (place, &item) in row.iter().enumerate() {
        if place > 0 {
            let before = &items[row[place - 1]];
            let is_thread = |item: &Item| item.left + item.right <= THREAD;
            let gap = if is_thread(before) && is_thread(&items[item]) { THREAD / 2.0 } else { GAP };
            offset += before.right + gap + items[item].left;
        }
        offsets.push(offset);
        let near = if downwards { &items[item].above } else { &items[item].below };
        let wanted = match near.len() {
            0 => items[item].center,
            n => near.iter().map(|&other| items[other].center).sum::<f64>() / n as f64,
        };
        let weight = if near.is_empty() { 0.2 } else { 1.0 };
        groups.push(((wanted - offset) * weight, weight, 1));
        while let [.., before, last] = &groups[..] {
            if before.0 / before.1 <= last.0 / last.1 {
                break;
            }
            let joined = (before.0 + last.0, before.1 + last.1, before.2 + last.2);
            groups.truncate(groups.len() - 2);
            groups.push(joined);
        }
    }
    let mut place = 0;
    for (sum, weight, len) in groups {
        for _ in 0..len {
            items[row[place]].center = sum / weight + offsets[place];
            place += 1;
        }
    }
}
