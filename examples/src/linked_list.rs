//! A doubly linked list: `Rc` forwards, `Weak` backwards.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// A list of numbers with access to both ends.
#[derive(Default)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct LinkedList {
    first: Option<Rc<RefCell<Node>>>,
    last: Weak<RefCell<Node>>,
}

#[cfg_attr(test, derive(smallscope::Bounded))]
struct Node {
    item: u8,
    next: Option<Rc<RefCell<Node>>>,
    previous: Weak<RefCell<Node>>,
}

#[cfg_attr(test, smallscope::rep_ok)]
impl LinkedList {
    /// The invariant: each node is the predecessor of its successor, and `last` is the node without a successor.
    pub fn rep_ok(&self) -> bool {
        match &self.first {
            None => self.last.upgrade().is_none(),
            Some(first) => first.borrow().previous.upgrade().is_none() && self.is_linked(first),
        }
    }

    /// Ends on cyclic candidates, too: a node that is reached again has another predecessor than before, or none.
    fn is_linked(&self, node: &Rc<RefCell<Node>>) -> bool {
        match &node.borrow().next {
            None => self.last.upgrade().is_some_and(|last| Rc::ptr_eq(&last, node)),
            Some(next) => {
                next.borrow().previous.upgrade().is_some_and(|previous| Rc::ptr_eq(&previous, node))
                    && self.is_linked(next)
            }
        }
    }
}

impl LinkedList {
    /// The items from first to last.
    pub fn items(&self) -> Vec<u8> {
        let mut items = vec![];
        let mut at = self.first.clone();
        while let Some(node) = at {
            items.push(node.borrow().item);
            at = node.borrow().next.clone();
        }
        items
    }

    /// Adds an item at the end.
    pub fn push_back(&mut self, item: u8) {
        let node = Rc::new(RefCell::new(Node { item, next: None, previous: self.last.clone() }));
        let previous = std::mem::replace(&mut self.last, Rc::downgrade(&node)).upgrade();
        match previous {
            Some(previous) => previous.borrow_mut().next = Some(node),
            None => self.first = Some(node),
        }
    }

    /// Removes the last item.
    pub fn pop_back(&mut self) -> Option<u8> {
        let last = self.last.upgrade()?;
        self.last = last.borrow().previous.clone();
        match self.last.upgrade() {
            Some(previous) => previous.borrow_mut().next = None,
            None => self.first = None,
        }
        let item = last.borrow().item;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[smallscope::test(scope = 4)]
    fn push_back_adds_at_the_end(mut list: LinkedList, item: u8) {
        let mut items = list.items();
        list.push_back(item);
        items.push(item);
        assert!(list.rep_ok());
        assert_eq!(list.items(), items);
    }

    #[smallscope::test(scope = 4)]
    fn pop_back_removes_the_last_item(mut list: LinkedList) {
        let mut items = list.items();
        assert_eq!(list.pop_back(), items.pop());
        assert!(list.rep_ok());
        assert_eq!(list.items(), items);
    }

    /// Up to four of the numbers 0 to 3.
    #[test]
    fn there_is_one_list_for_each_word() {
        assert_eq!(smallscope::count::<LinkedList>(4).valid, 1 + 4 + 16 + 64 + 256);
    }
}
