//! A balanced map to be measured with: boxes, heights, no parents.

use smallscope_sequences::linearize_fields;

#[derive(Clone, Default)]
pub struct AvlMap {
    root: Link,
    size: usize,
}

type Link = Option<Box<Node>>;

#[derive(Clone)]
struct Node {
    key: i32,
    value: i32,
    height: u8,
    left: Link,
    right: Link,
}

linearize_fields!(Node { key, value, height, left, right });
linearize_fields!(AvlMap { root, size });

impl AvlMap {
    pub fn new() -> AvlMap {
        AvlMap::default()
    }

    pub fn insert(&mut self, key: i32, value: i32) -> Option<i32> {
        let old = insert(&mut self.root, key, value);
        self.size += usize::from(old.is_none());
        old
    }

    pub fn remove(&mut self, key: i32) -> Option<i32> {
        let old = remove(&mut self.root, key);
        self.size -= usize::from(old.is_some());
        old
    }

    pub fn get(&self, key: i32) -> Option<i32> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                std::cmp::Ordering::Less => &node.left,
                std::cmp::Ordering::Greater => &node.right,
                std::cmp::Ordering::Equal => return Some(node.value),
            };
        }
        None
    }

    pub fn rep_ok(&self) -> bool {
        fn check(link: &Link, low: i64, high: i64) -> Option<(usize, u8)> {
            let Some(node) = link else { return Some((0, 0)) };
            let key = i64::from(node.key);
            let (left, a) = check(&node.left, low, key)?;
            let (right, b) = check(&node.right, key, high)?;
            let is_ok = low < key && key < high && a.abs_diff(b) <= 1 && node.height == a.max(b) + 1;
            is_ok.then_some((left + right + 1, node.height))
        }
        check(&self.root, i64::MIN, i64::MAX).is_some_and(|(size, _)| size == self.size)
    }
}

fn height(link: &Link) -> u8 {
    link.as_ref().map_or(0, |node| node.height)
}

fn balance(link: &mut Link) {
    let Some(node) = link else { return };
    let (left, right) = (height(&node.left), height(&node.right));
    if left > right + 1 {
        let child = node.left.as_mut().unwrap();
        if height(&child.right) > height(&child.left) {
            rotate_left(&mut node.left);
        }
        rotate_right(link);
    } else if right > left + 1 {
        let child = node.right.as_mut().unwrap();
        if height(&child.left) > height(&child.right) {
            rotate_right(&mut node.right);
        }
        rotate_left(link);
    } else {
        node.height = left.max(right) + 1;
    }
}

fn measure(node: &mut Node) {
    node.height = height(&node.left).max(height(&node.right)) + 1;
}

fn rotate_right(link: &mut Link) {
    let mut node = link.take().unwrap();
    let mut top = node.left.take().unwrap();
    node.left = top.right.take();
    measure(&mut node);
    top.right = Some(node);
    measure(&mut top);
    *link = Some(top);
}

fn rotate_left(link: &mut Link) {
    let mut node = link.take().unwrap();
    let mut top = node.right.take().unwrap();
    node.right = top.left.take();
    measure(&mut node);
    top.left = Some(node);
    measure(&mut top);
    *link = Some(top);
}

fn insert(link: &mut Link, key: i32, value: i32) -> Option<i32> {
    let Some(node) = link else {
        *link = Some(Box::new(Node { key, value, height: 1, left: None, right: None }));
        return None;
    };
    let old = match key.cmp(&node.key) {
        std::cmp::Ordering::Less => insert(&mut node.left, key, value),
        std::cmp::Ordering::Greater => insert(&mut node.right, key, value),
        std::cmp::Ordering::Equal => return Some(std::mem::replace(&mut node.value, value)),
    };
    balance(link);
    old
}

fn remove(link: &mut Link, key: i32) -> Option<i32> {
    let node = link.as_mut()?;
    let old = match key.cmp(&node.key) {
        std::cmp::Ordering::Less => remove(&mut node.left, key),
        std::cmp::Ordering::Greater => remove(&mut node.right, key),
        std::cmp::Ordering::Equal => {
            let mut node = link.take()?;
            *link = match (node.left.take(), node.right.take()) {
                (None, other) | (other, None) => other,
                (left, right) => {
                    node.right = right;
                    let mut top = take_first(&mut node.right)?;
                    (top.left, top.right) = (left, node.right.take());
                    Some(top)
                }
            };
            Some(node.value)
        }
    };
    balance(link);
    old
}

fn take_first(link: &mut Link) -> Option<Box<Node>> {
    if link.as_ref()?.left.is_some() {
        let first = take_first(&mut link.as_mut()?.left);
        balance(link);
        return first;
    }
    let mut first = link.take()?;
    *link = first.right.take();
    Some(first)
}
