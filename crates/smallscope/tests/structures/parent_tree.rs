//! A tree of shared nodes that know their parents.

use crate::{catalan, count};
use smallscope::{Bounded, Bounds, Visited, rep_ok};
use std::cell::RefCell;
use std::rc::{Rc, Weak};

type Link = Rc<RefCell<Node>>;

#[derive(Bounded, Debug)]
struct Tree {
    root: Option<Link>,
}

#[derive(Bounded, Debug)]
struct Node {
    #[bounded(len = 0..scope)]
    children: Vec<Link>,
    parent: Weak<RefCell<Node>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return true };
        let mut seen = Visited::new();
        seen.insert(Rc::clone(root));
        root.borrow().parent.upgrade().is_none() && Self::is_tree(root, &mut seen)
    }

    fn is_tree(node: &Rc<RefCell<Node>>, seen: &mut Visited<Rc<RefCell<Node>>>) -> bool {
        for child in &node.borrow().children {
            let parent = child.borrow().parent.upgrade();
            let knows_its_parent = parent.is_some_and(|parent| Rc::ptr_eq(&parent, node));
            if !knows_its_parent || !seen.insert(Rc::clone(child)) || !Self::is_tree(child, seen) {
                return false;
            }
        }
        true
    }
}

impl Tree {
    /// Every node, a parent before its children.
    fn nodes(&self) -> Vec<Link> {
        let mut nodes: Vec<Link> = self.root.iter().cloned().collect();
        let mut next = 0;
        while next < nodes.len() {
            let children = nodes[next].borrow().children.clone();
            nodes.extend(children);
            next += 1;
        }
        nodes
    }

    /// Takes a node out, and what is below it.
    fn detach(&mut self, node: &Link) -> Tree {
        let parent = std::mem::take(&mut node.borrow_mut().parent).upgrade();
        let place = match parent {
            Some(parent) => {
                parent.borrow_mut().children.retain(|child| !Rc::ptr_eq(child, node));
                Some(Rc::clone(node))
            }
            None => self.root.take(),
        };
        Tree { root: place }
    }
}

fn depth(node: &Link) -> usize {
    let parent = node.borrow().parent.upgrade();
    parent.map_or(0, |parent| 1 + depth(&parent))
}

#[test]
fn the_plane_trees_are_counted_by_catalan() {
    for n in 0..=4 {
        let plane_trees: u64 = (1..=n).map(|k| catalan(k - 1)).sum();
        assert_eq!(count::<Tree>(&Bounds::scope(n as u32)), 1 + plane_trees);
    }
}

#[smallscope::test(scope = 4, audit)]
fn every_subtree_can_be_taken_out(tree: Tree) {
    let n = tree.nodes().len();
    for i in 0..n {
        let mut rest = copy(&tree);
        let node = Rc::clone(&rest.nodes()[i]);
        let part = rest.detach(&node);
        assert!(rest.rep_ok() && part.rep_ok());
        assert_eq!(part.nodes().len() + rest.nodes().len(), n);
        assert_eq!(depth(&node), 0);
    }
}

#[smallscope::test(scope = 4)]
fn dropping_the_root_frees_every_node(tree: Tree) {
    let nodes: Vec<Weak<_>> = tree.nodes().iter().map(Rc::downgrade).collect();
    drop(tree);
    assert!(nodes.iter().all(|node| node.upgrade().is_none()));
}

fn copy(tree: &Tree) -> Tree {
    fn below(node: &Link, parent: Weak<RefCell<Node>>) -> Link {
        let copy = Rc::new(RefCell::new(Node { children: vec![], parent }));
        let children = node.borrow().children.iter().map(|c| below(c, Rc::downgrade(&copy))).collect();
        copy.borrow_mut().children = children;
        copy
    }
    Tree { root: tree.root.as_ref().map(|root| below(root, Weak::new())) }
}
