//! Nodes in a vector, with their places as links. A mutant can link them wrongly, but not break memory.

use std::ops::{Index, IndexMut};

/// The place of a node, or [`NIL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Id(pub(crate) u32);

/// No node. To read a node there is a panic.
pub const NIL: Id = Id(u32::MAX);

/// The nodes of a structure.
#[derive(Debug, Clone)]
pub struct Arena<N>(Vec<N>);

impl<N> Default for Arena<N> {
    fn default() -> Arena<N> {
        Arena(vec![])
    }
}

impl<N> Arena<N> {
    /// Adds a node.
    pub fn add(&mut self, node: N) -> Id {
        self.0.push(node);
        Id(self.0.len() as u32 - 1)
    }

    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl<N> Index<Id> for Arena<N> {
    type Output = N;
    fn index(&self, id: Id) -> &N {
        &self.0[id.0 as usize]
    }
}

impl<N> IndexMut<Id> for Arena<N> {
    fn index_mut(&mut self, id: Id) -> &mut N {
        &mut self.0[id.0 as usize]
    }
}

/// What an operation leaves behind, as numbers. Equal structures have equal numbers, whatever places their nodes have.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shape {
    numbers: Vec<i64>,
    /// How many more nodes may be visited: a mutant can make a circle.
    left: usize,
}

impl Shape {
    /// The numbers.
    pub fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// Begins a walk over a structure with so many nodes.
    pub fn of(nodes: usize) -> Shape {
        Shape { numbers: Vec::with_capacity(4 * nodes + 4), left: nodes }
    }

    /// Adds a number.
    pub fn push(&mut self, number: i64) {
        self.numbers.push(number);
    }

    /// Visits a node. Whether it is there, and the walk may go on.
    pub fn enter(&mut self, id: Id) -> bool {
        if id == NIL {
            self.numbers.push(-1);
            return false;
        }
        if self.left == 0 {
            self.numbers.push(-2);
            return false;
        }
        self.left -= 1;
        true
    }
}
