//! The shape of a graph: rows of objects that follow each other, and what is below each of them. Every object is in it once.

use super::links::{Link, Links, Role};
use crate::graph::Graph;

/// Objects that stand side by side.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub nodes: Vec<usize>,
    /// They are the elements of a vector, which has a frame.
    pub is_framed: bool,
}

/// What is below an object.
#[derive(Debug)]
pub(crate) struct Child {
    pub unit: Unit,
    pub role: Role,
}

#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    pub roots: Vec<Unit>,
    /// By node.
    pub children: Vec<Vec<Child>>,
    /// Whether each link is part of the shape.
    pub is_shape: Vec<bool>,
}

impl Arrangement {
    pub fn of(graph: &Graph, links: &Links) -> Arrangement {
        let count = graph.nodes.len();
        let mut outgoing = vec![vec![]; count];
        for (i, link) in links.all.iter().enumerate() {
            outgoing[link.from].push(i);
        }
        let mut builder = Builder {
            links,
            outgoing,
            is_placed: vec![false; count],
            arrangement: Arrangement {
                roots: vec![],
                children: (0..count).map(|_| vec![]).collect(),
                is_shape: vec![false; links.all.len()],
            },
        };
        let is_root = |&node: &usize| graph.nodes[node].pool().is_none();
        for node in (0..count).filter(is_root).chain(0..count) {
            if !builder.is_placed[node] {
                builder.place_root(node);
            }
        }
        builder.arrangement
    }

    /// Whether the names of the fields say nothing about the shape, and objects are shared: layers show such graphs better.
    pub fn is_tangled(&self, graph: &Graph, links: &Links) -> bool {
        let is_object = |link: &Link| graph.nodes[link.from].pool().is_some() && link.from != link.to;
        let is_directed = links.all.iter().any(|link| is_object(link) && link.role != Role::Down);
        let crosses = |(link, is_shape): (&Link, &bool)| is_object(link) && !is_shape && link.is_drawn;
        !is_directed && links.arenas.is_empty() && links.all.iter().zip(&self.is_shape).any(crosses)
    }
}

struct Builder<'a> {
    links: &'a Links,
    outgoing: Vec<Vec<usize>>,
    is_placed: Vec<bool>,
    arrangement: Arrangement,
}

impl Builder<'_> {
    fn place_root(&mut self, node: usize) {
        let unit = self.row_from(node);
        // Nodes whose children are still to be found.
        let mut waiting: Vec<usize> = unit.nodes.iter().rev().copied().collect();
        self.arrangement.roots.push(unit);
        while let Some(node) = waiting.pop() {
            let children = self.children_of(node);
            let below = children.iter().rev().flat_map(|child| child.unit.nodes.iter().rev());
            waiting.extend(below);
            self.arrangement.children[node] = children;
        }
    }

    /// Places an object and those that follow it.
    fn row_from(&mut self, head: usize) -> Unit {
        self.is_placed[head] = true;
        let mut nodes = vec![head];
        let mut at = head;
        while let Some(i) = self.outgoing[at].iter().copied().find(|&i| {
            let link = &self.links.all[i];
            link.role == Role::Along && !self.is_placed[link.to]
        }) {
            self.arrangement.is_shape[i] = true;
            at = self.links.all[i].to;
            self.is_placed[at] = true;
            nodes.push(at);
        }
        Unit { nodes, is_framed: false }
    }

    fn children_of(&mut self, node: usize) -> Vec<Child> {
        let mut children = vec![];
        for arena in self.links.arenas.iter().filter(|arena| arena.owner == node) {
            let nodes: Vec<usize> =
                arena.members.iter().copied().filter(|&member| !self.is_placed[member]).collect();
            if !nodes.is_empty() {
                nodes.iter().for_each(|&member| self.is_placed[member] = true);
                children.push(Child { unit: Unit { nodes, is_framed: true }, role: Role::Down });
            }
        }
        for i in self.outgoing[node].clone() {
            let Link { to, role, .. } = self.links.all[i];
            if matches!(role, Role::Left | Role::Down | Role::Right) && !self.is_placed[to] {
                self.arrangement.is_shape[i] = true;
                children.push(Child { unit: self.row_from(to), role });
            }
        }
        // `left` may be declared behind `right`.
        children.sort_by_key(|child| match child.role {
            Role::Left => 0,
            Role::Right => 2,
            _ => 1,
        });
        children
    }
}
