//! A doubly linked list, after `java.util.LinkedList`: each node owns the next one and knows the one before.

use crate::error::{OutOfBounds, check};
use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};
use std::cell::RefCell;
use std::fmt;
use std::rc::{Rc, Weak};

type Link<T> = Option<Rc<RefCell<Node<T>>>>;

/// A list of nodes that are linked in both directions.
#[derive(Bounded, Linearize)]
pub struct LinkedList<T> {
    first: Option<Rc<RefCell<Node<T>>>>,
    /// Dangling if there is no node.
    last: Weak<RefCell<Node<T>>>,
    size: usize,
}

#[derive(Bounded, Linearize)]
struct Node<T> {
    item: T,
    next: Option<Rc<RefCell<Node<T>>>>,
    /// Dangling in the first node.
    previous: Weak<RefCell<Node<T>>>,
}

#[rep_ok]
impl<T> LinkedList<T> {
    /// From `first`, `size` nodes lead to `last`, and each knows the one before. So none of them comes twice.
    pub fn rep_ok(&self) -> bool {
        let Some(first) = &self.first else { return self.size == 0 && self.last.upgrade().is_none() };
        if first.borrow().previous.upgrade().is_some() {
            return false;
        }
        let mut node = Rc::clone(first);
        let mut count = 1;
        loop {
            let next = node.borrow().next.clone();
            let Some(next) = next else { break };
            if !next.borrow().previous.upgrade().is_some_and(|previous| Rc::ptr_eq(&previous, &node)) {
                return false;
            }
            node = next;
            count += 1;
        }
        count == self.size && self.last.upgrade().is_some_and(|last| Rc::ptr_eq(&last, &node))
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(COPIES, SEARCH)))]
impl<T> LinkedList<T> {
    /// An empty list.
    pub fn new() -> Self {
        LinkedList { first: None, last: Weak::new(), size: 0 }
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
        // One after the other: dropping the first node would drop the others inside of each other.
        while self.pop_first().is_some() {}
    }

    /// Adds an element in front.
    pub fn add_first(&mut self, item: T) {
        let after = self.first.take();
        self.link(None, item, after);
    }

    /// Adds an element at the end.
    pub fn add_last(&mut self, item: T) {
        self.link(self.last.upgrade(), item, None);
    }

    /// Adds an element in front of the one at a place, or at the end.
    pub fn insert(&mut self, index: usize, item: T) -> Result<(), OutOfBounds> {
        check(index, self.size + 1, self.size)?;
        match self.node(index) {
            Some(after) => {
                let before = after.borrow().previous.upgrade();
                self.link(before, item, Some(after));
            }
            None => self.add_last(item),
        }
        Ok(())
    }

    /// Removes the first element, and returns it.
    pub fn pop_first(&mut self) -> Option<T> {
        self.first.clone().map(|node| self.unlink(node))
    }

    /// Removes the last element, and returns it.
    pub fn pop_last(&mut self) -> Option<T> {
        self.last.upgrade().map(|node| self.unlink(node))
    }

    /// Removes the element at a place, and returns it.
    pub fn remove_at(&mut self, index: usize) -> Result<T, OutOfBounds> {
        let node = self.node(index).ok_or(OutOfBounds { index, len: self.size })?;
        Ok(self.unlink(node))
    }

    /// Replaces the element at a place, and returns it.
    pub fn set(&mut self, index: usize, item: T) -> Result<T, OutOfBounds> {
        let node = self.node(index).ok_or(OutOfBounds { index, len: self.size })?;
        Ok(std::mem::replace(&mut node.borrow_mut().item, item))
    }

    /// The node at a place, from the end that is nearer.
    fn node(&self, index: usize) -> Link<T> {
        if index >= self.size {
            return None;
        }
        if index < self.size / 2 {
            let mut node = self.first.clone()?;
            for _ in 0..index {
                let next = node.borrow().next.clone()?;
                node = next;
            }
            Some(node)
        } else {
            let mut node = self.last.upgrade()?;
            for _ in index + 1..self.size {
                let previous = node.borrow().previous.upgrade()?;
                node = previous;
            }
            Some(node)
        }
    }

    /// Puts a new node between two others. The new node becomes the owner of the one after it.
    fn link(&mut self, before: Link<T>, item: T, after: Link<T>) {
        let previous = before.as_ref().map_or_else(Weak::new, Rc::downgrade);
        let node = Rc::new(RefCell::new(Node { item, next: after.clone(), previous }));
        match &after {
            Some(after) => after.borrow_mut().previous = Rc::downgrade(&node),
            None => self.last = Rc::downgrade(&node),
        }
        match before {
            Some(before) => before.borrow_mut().next = Some(node),
            None => self.first = Some(node),
        }
        self.size += 1;
    }

    fn unlink(&mut self, node: Rc<RefCell<Node<T>>>) -> T {
        let before = node.borrow().previous.upgrade();
        let after = node.borrow_mut().next.take();
        match &after {
            Some(after) => {
                after.borrow_mut().previous = before.as_ref().map_or_else(Weak::new, Rc::downgrade)
            }
            None => self.last = before.as_ref().map_or_else(Weak::new, Rc::downgrade),
        }
        match before {
            Some(before) => before.borrow_mut().next = after,
            None => self.first = after,
        }
        self.size -= 1;
        let Some(node) = Rc::into_inner(node) else {
            unreachable!("nothing else owns a node that is not linked")
        };
        node.into_inner().item
    }

    /// Passes the elements from first to last to a function, until it returns a result.
    fn find<R>(&self, mut look: impl FnMut(usize, &T) -> Option<R>) -> Option<R> {
        let mut node = self.first.clone()?;
        for index in 0.. {
            if let Some(answer) = look(index, &node.borrow().item) {
                return Some(answer);
            }
            let next = node.borrow().next.clone()?;
            node = next;
        }
        None
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static COPIES))]
impl<T: Clone> LinkedList<T> {
    /// The element at a place.
    pub fn get(&self, index: usize) -> Option<T> {
        self.node(index).map(|node| node.borrow().item.clone())
    }

    /// The first element.
    pub fn first(&self) -> Option<T> {
        self.get(0)
    }

    /// The last element.
    pub fn last(&self) -> Option<T> {
        self.get(self.size.checked_sub(1)?)
    }

    /// The elements from first to last.
    pub fn to_vec(&self) -> Vec<T> {
        let mut items = Vec::with_capacity(self.size);
        self.find(|_, item| {
            items.push(item.clone());
            None::<()>
        });
        items
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static SEARCH))]
impl<T: PartialEq> LinkedList<T> {
    /// Whether an element is there.
    pub fn contains(&self, item: &T) -> bool {
        self.index_of(item).is_some()
    }

    /// The first place of an element.
    pub fn index_of(&self, item: &T) -> Option<usize> {
        self.find(|index, other| (other == item).then_some(index))
    }

    /// Removes the first element that is equal to this one; false if there is none.
    pub fn remove(&mut self, item: &T) -> bool {
        self.index_of(item).is_some_and(|index| self.remove_at(index).is_ok())
    }
}

impl<T> Default for LinkedList<T> {
    fn default() -> Self {
        LinkedList::new()
    }
}

impl<T> Drop for LinkedList<T> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A separate list, with new nodes.
impl<T: Clone> Clone for LinkedList<T> {
    fn clone(&self) -> Self {
        let mut copy = LinkedList::new();
        self.find(|_, item| {
            copy.add_last(item.clone());
            None::<()>
        });
        copy
    }
}

impl<T: PartialEq> PartialEq for LinkedList<T> {
    fn eq(&self, other: &Self) -> bool {
        let (mut ours, mut theirs) = (self.first.clone(), other.first.clone());
        while let (Some(our), Some(their)) = (&ours, &theirs) {
            if our.borrow().item != their.borrow().item {
                return false;
            }
            let next = (our.borrow().next.clone(), their.borrow().next.clone());
            (ours, theirs) = next;
        }
        ours.is_none() && theirs.is_none()
    }
}

impl<T: Eq> Eq for LinkedList<T> {}

impl<T: fmt::Debug> fmt::Debug for LinkedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        self.find(|_, item| {
            list.entry(item);
            None::<()>
        });
        list.finish()
    }
}
