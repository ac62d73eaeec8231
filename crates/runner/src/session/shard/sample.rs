//! A sample of the tree of paths, to estimate how much work lies where.
//!
//! The tree is expanded level by level. As long as a level has few nodes, all of them are kept. Otherwise a fixed number of
//! them is drawn, spread over the order of the search, and each stands for its share of the level. So the cost depends on
//! the depth of the tree and not on its size, and parts that reach deep are not missed, as they are by random descents.

use super::expand::Expander;
use crate::session::error::Error;
use smallscope_core::{AnySearch, Branching};
use smallscope_support::hash::spread;

/// Fewer branches than this are always told apart: what a choice leads to depends much on the choice.
const LEAST_BRANCHES: usize = 64;

/// A node that was drawn.
struct Node {
    path: Vec<u32>,
    /// How many nodes of its level it stands for.
    weight: f64,
    /// The work at its branches that lead nowhere else.
    work: f64,
    children: Vec<u32>,
}

/// A sample of a search.
pub(super) struct Sample {
    nodes: Vec<Node>,
    /// The number of combinations, if the search combines disjoint parts. They take equal work.
    combinations: Option<u128>,
    /// The estimate of all work: runs of the invariant, and values if they count.
    pub total: f64,
    /// The runs of the invariant that it took.
    pub runs: u64,
}

impl Sample {
    /// Takes a sample with up to `beam` nodes per level. None if it was stopped.
    pub fn take(
        search: &mut AnySearch,
        expander: &mut Expander<'_>,
        beam: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Sample>, Error> {
        Branching::default().find(search, &[], 1, expander.with_values).map_err(Error::Bounds)?;
        if let Ok(Some(count)) = search.combinations() {
            return Ok(Some(Sample {
                nodes: vec![],
                combinations: Some(count),
                total: count as f64,
                runs: 0,
            }));
        }
        let root = Node { path: vec![], weight: 1.0, work: 0.0, children: vec![] };
        let mut sample = Sample { nodes: vec![root], combinations: None, total: 0.0, runs: 0 };
        let mut level = vec![0];
        let mut depth = 0;
        while !level.is_empty() {
            let most = (2 * beam / level.len()).max(LEAST_BRANCHES) as u32;
            let mut next = vec![];
            let paths = level.iter().map(|node| sample.nodes[*node as usize].path.clone()).collect();
            let with_values = expander.with_values;
            let mut parents = level.iter();
            let is_done = expander.expand(search, paths, most, is_stopped, &mut |branching| {
                if let Some(parent) = parents.next() {
                    sample.add(*parent, branching, with_values, &mut next);
                }
            })?;
            if !is_done {
                return Ok(None);
            }
            depth += 1;
            level = sample.draw(next, beam, depth);
        }
        sample.total = sample.nodes.iter().map(|node| node.work).sum();
        Ok(Some(sample))
    }

    /// Adds the children of a node to the next level.
    fn add(&mut self, parent: u32, branching: &Branching, with_values: bool, next: &mut Vec<(u32, Node)>) {
        let node = &mut self.nodes[parent as usize];
        self.runs += branching.runs;
        for branch in &branching.branches {
            let weight = node.weight * f64::from(branch.choices.max(1));
            let units = u8::from(branch.is_run) + u8::from(branch.is_value && with_values);
            node.work += weight * f64::from(units);
            if branch.goes_on {
                let mut path = branching.path.clone();
                path.push(branch.choice);
                next.push((parent, Node { path, weight, work: 0.0, children: vec![] }));
            }
        }
    }

    /// Keeps up to `beam` nodes of a level, each with the weight that it stands for. Returns their numbers.
    fn draw(&mut self, next: Vec<(u32, Node)>, beam: usize, depth: u64) -> Vec<u32> {
        let is_small = next.len() <= beam;
        let step = next.iter().map(|(_, node)| node.weight).sum::<f64>() / beam as f64;
        let (mut passed, mut drawn, mut level) = (0.0, 0_u64, vec![]);
        for (parent, mut node) in next {
            if !is_small {
                passed += node.weight;
                let before = drawn;
                // One place in each interval: a fixed place would miss what repeats itself.
                while (drawn as f64 + jitter(depth, drawn)) * step < passed {
                    drawn += 1;
                }
                node.weight = (drawn - before) as f64 * step;
            }
            if node.weight > 0.0 {
                let number = self.nodes.len() as u32;
                self.nodes.push(node);
                self.nodes[parent as usize].children.push(number);
                level.push(number);
            }
        }
        level
    }

    /// Returns paths at which the work before reaches each of the given amounts, which rise, with the index of the amount.
    pub fn cuts(
        &self,
        search: &mut AnySearch,
        amounts: &[f64],
    ) -> Result<Vec<(usize, Vec<u32>)>, smallscope_core::Error> {
        let mut cuts = vec![];
        if let Some(count) = self.combinations {
            for (index, amount) in amounts.iter().enumerate() {
                let number = (*amount as u128).min(count);
                if number > 0 && number < count {
                    search.go_to_combination(number)?;
                    cuts.push((index, search.path()));
                }
            }
            return Ok(cuts);
        }
        let (mut behind, mut index, mut stack) = (0.0, 0, vec![0]);
        // The order of the search: a node, then what is below it.
        while let Some(number) = stack.pop() {
            let node: &Node = &self.nodes[number as usize];
            let middle = behind + node.work / 2.0;
            let reached = index + amounts[index..].iter().take_while(|amount| **amount <= middle).count();
            if reached > index {
                cuts.extend((!node.path.is_empty()).then(|| (reached - 1, node.path.clone())));
                index = reached;
            }
            behind += node.work;
            stack.extend(node.children.iter().rev());
        }
        Ok(cuts)
    }
}

/// Returns a number from 0 to 1 that is the same in every run.
fn jitter(level: u64, number: u64) -> f64 {
    (spread(number ^ spread(level)) >> 11) as f64 / (1_u64 << 53) as f64
}
