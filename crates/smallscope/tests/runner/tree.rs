//! The structure that most tests use, and helpers.

use smallscope::{Bounded, Check, Key, rep_ok};
use std::path::{Path, PathBuf};

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tree<K> {
    pub(crate) root: Option<Box<Node<K>>>,
    pub(crate) size: usize,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Node<K> {
    pub(crate) key: K,
    pub(crate) left: Option<Box<Node<K>>>,
    pub(crate) right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> Tree<K> {
    pub(crate) fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::ordered(&self.root, None, None)
    }

    fn count(n: &Option<Box<Node<K>>>) -> usize {
        match n {
            Some(n) => 1 + Self::count(&n.left) + Self::count(&n.right),
            None => 0,
        }
    }

    fn ordered(n: &Option<Box<Node<K>>>, lo: Option<&K>, hi: Option<&K>) -> bool {
        match n {
            Some(n) => {
                lo.is_none_or(|lo| lo < &n.key)
                    && hi.is_none_or(|hi| &n.key < hi)
                    && Self::ordered(&n.left, lo, Some(&n.key))
                    && Self::ordered(&n.right, Some(&n.key), hi)
            }
            None => true,
        }
    }
}

impl<K: Ord> Tree<K> {
    /// Forgets the right subtree of a removed node that has two children.
    pub(crate) fn remove(&mut self, key: &K) {
        let mut at = &mut self.root;
        while let Some(node) = at {
            if *key == node.key {
                break;
            }
            at = if *key < node.key {
                &mut at.as_mut().unwrap().left
            } else {
                &mut at.as_mut().unwrap().right
            };
        }
        if let Some(mut node) = at.take() {
            *at = node.left.take().or(node.right.take());
            self.size -= 1;
        }
    }

    /// The keys, in order.
    pub(crate) fn keys(&self) -> Vec<&K> {
        fn add<'a, K>(node: &'a Option<Box<Node<K>>>, keys: &mut Vec<&'a K>) {
            if let Some(node) = node {
                add(&node.left, keys);
                keys.push(&node.key);
                add(&node.right, keys);
            }
        }
        let mut keys = vec![];
        add(&self.root, &mut keys);
        keys
    }

    pub(crate) fn contains(&self, key: &K) -> bool {
        let mut at = &self.root;
        while let Some(node) = at {
            match key.cmp(&node.key) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => at = &node.left,
                std::cmp::Ordering::Greater => at = &node.right,
            }
        }
        false
    }
}

/// A test that fails for the first time in scope 3.
pub(crate) fn remove_works(mut tree: Tree<Key>, key: Key) {
    tree.remove(&key);
    assert!(tree.rep_ok(), "the tree is broken");
    assert!(!tree.contains(&key));
}

/// A check that the variables of this process do not reach.
pub(crate) fn check(name: &str, bounds: impl Into<smallscope::Bounds>) -> Check {
    Check::new(name, bounds).environment(NOTHING)
}

pub(crate) const NOTHING: [(&str, &str); 0] = [];

/// A directory that is removed in the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("smallscope-runner-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir(&dir).unwrap();
        Scratch(dir)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The file of records of a check.
    pub(crate) fn records(&self, name: &str) -> PathBuf {
        self.0.join(format!("smallscope-regressions/{name}.txt"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
