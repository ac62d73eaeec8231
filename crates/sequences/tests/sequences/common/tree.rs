//! The type under test: plain Rust, so that printed tests can be compiled with it.

/// A map as a search tree without balance: what a test may want to break.
#[derive(Clone, Debug, Default, Hash, PartialEq, Eq)]
pub struct Tree {
    pub root: Link,
    pub size: usize,
}

pub type Link = Option<Box<Node>>;

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct Node {
    pub key: i32,
    pub value: i32,
    pub left: Link,
    pub right: Link,
}

#[derive(Debug)]
pub struct Missing;

impl Tree {
    pub fn new() -> Tree {
        Tree::default()
    }

    pub fn insert(&mut self, key: i32, value: i32) -> Option<i32> {
        let mut link = &mut self.root;
        while let Some(node) = link {
            match key.cmp(&node.key) {
                std::cmp::Ordering::Less => link = &mut node.left,
                std::cmp::Ordering::Greater => link = &mut node.right,
                std::cmp::Ordering::Equal => return Some(std::mem::replace(&mut node.value, value)),
            }
        }
        *link = Some(Box::new(Node { key, value, left: None, right: None }));
        self.size += 1;
        None
    }

    pub fn get(&self, key: i32) -> Option<i32> {
        let mut link = &self.root;
        while let Some(node) = link {
            match key.cmp(&node.key) {
                std::cmp::Ordering::Less => link = &node.left,
                std::cmp::Ordering::Greater => link = &node.right,
                std::cmp::Ordering::Equal => return Some(node.value),
            }
        }
        None
    }

    pub fn try_get(&self, key: i32) -> Result<i32, Missing> {
        self.get(key).ok_or(Missing)
    }

    pub fn remove(&mut self, key: i32) -> Option<i32> {
        let mut link = &mut self.root;
        loop {
            match link {
                None => return None,
                Some(node) if key == node.key => break,
                Some(node) => link = if key < node.key { &mut node.left } else { &mut node.right },
            }
        }
        let mut node = link.take().unwrap();
        *link = match (node.left.take(), node.right.take()) {
            (None, other) | (other, None) => other,
            (left, Some(mut right)) => {
                let mut smallest = &mut right;
                while smallest.left.is_some() {
                    smallest = smallest.left.as_mut().unwrap();
                }
                smallest.left = left;
                Some(right)
            }
        };
        self.size -= 1;
        Some(node.value)
    }

    pub fn first(&self) -> i32 {
        let mut node = self.root.as_ref().expect("the tree is empty");
        while let Some(left) = &node.left {
            node = left;
        }
        node.key
    }

    pub fn merge(&mut self, other: &Tree) {
        fn visit(link: &Link, to: &mut Tree) {
            if let Some(node) = link {
                visit(&node.left, to);
                to.insert(node.key, node.value);
                visit(&node.right, to);
            }
        }
        visit(&other.root, self);
    }

    pub fn into_size(self) -> i32 {
        self.size as i32
    }

    pub fn len(&self) -> usize {
        self.size
    }

    pub fn rep_ok(&self) -> bool {
        fn count(link: &Link, low: Option<i32>, high: Option<i32>) -> Option<usize> {
            let Some(node) = link else { return Some(0) };
            if low.is_some_and(|low| node.key <= low) || high.is_some_and(|high| node.key >= high) {
                return None;
            }
            Some(1 + count(&node.left, low, Some(node.key))? + count(&node.right, Some(node.key), high)?)
        }
        count(&self.root, None, None) == Some(self.size)
    }
}
