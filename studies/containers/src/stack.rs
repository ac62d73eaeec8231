//! A stack of linked nodes, with the methods of `java.util.Stack`.

use crate::error::EmptyStack;
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::fmt;
use std::iter;

/// Last in, first out.
#[derive(Bounded, Clone, Linearize, PartialEq, Eq)]
pub struct Stack<T> {
    top: Option<Box<Node<T>>>,
    size: usize,
}

#[derive(Bounded, Clone, Linearize, PartialEq, Eq)]
struct Node<T> {
    item: T,
    below: Option<Box<Node<T>>>,
}

#[rep_ok]
impl<T> Stack<T> {
    /// There are `size` nodes.
    pub fn rep_ok(&self) -> bool {
        let mut count = 0;
        let mut at = &self.top;
        while let Some(node) = at {
            count += 1;
            if count > self.size {
                return false;
            }
            at = &node.below;
        }
        count == self.size
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(SEARCH)))]
impl<T> Stack<T> {
    /// An empty stack.
    pub fn new() -> Self {
        Stack { top: None, size: 0 }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        while self.pop().is_ok() {}
    }

    /// Puts an element on top.
    pub fn push(&mut self, item: T) {
        let below = self.top.take();
        self.top = Some(Box::new(Node { item, below }));
        self.size += 1;
    }

    /// Removes the element on top, and returns it.
    pub fn pop(&mut self) -> Result<T, EmptyStack> {
        let node = self.top.take().ok_or(EmptyStack)?;
        self.top = node.below;
        self.size -= 1;
        Ok(node.item)
    }

    /// The element on top.
    pub fn peek(&self) -> Result<&T, EmptyStack> {
        self.top.as_ref().map(|node| &node.item).ok_or(EmptyStack)
    }

    /// The elements from the top down.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        iter::successors(self.top.as_deref(), |node| node.below.as_deref()).map(|node| &node.item)
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static SEARCH))]
impl<T: PartialEq> Stack<T> {
    /// The distance from the top of an element that is equal to this one: 1 if it is on top.
    pub fn search(&self, item: &T) -> Option<usize> {
        self.iter().position(|other| other == item).map(|above| above + 1)
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Stack::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Stack<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
