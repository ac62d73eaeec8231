//! A search tree, tested with proptest.

#[derive(Debug)]
pub struct SearchTree {
    root: Option<Box<Node>>,
}

#[derive(Debug)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl SearchTree {
    pub fn rep_ok(&self) -> bool {
        Self::ordered(&self.root, None, None)
    }

    fn ordered(node: &Option<Box<Node>>, low: Option<u8>, high: Option<u8>) -> bool {
        match node {
            Some(node) => {
                low.is_none_or(|low| low < node.key)
                    && high.is_none_or(|high| node.key < high)
                    && Self::ordered(&node.left, low, Some(node.key))
                    && Self::ordered(&node.right, Some(node.key), high)
            }
            None => true,
        }
    }
}

impl SearchTree {
    pub fn insert(&mut self, key: u8) {
        let mut place = &mut self.root;
        while let Some(node) = place {
            place = match key.cmp(&node.key) {
                std::cmp::Ordering::Less => &mut node.left,
                std::cmp::Ordering::Equal => return,
                std::cmp::Ordering::Greater => &mut node.right,
            };
        }
        *place = Some(Box::new(Node { key, left: None, right: None }));
    }

    pub fn contains(&self, key: u8) -> bool {
        let mut place = &self.root;
        while let Some(node) = place {
            place = match key.cmp(&node.key) {
                std::cmp::Ordering::Less => &node.left,
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Greater => &node.right,
            };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Trees as insertions make them.
    fn trees() -> impl Strategy<Value = SearchTree> {
        prop::collection::vec(0u8..4, 0..=4).prop_map(|keys| {
            let mut tree = SearchTree { root: None };
            keys.into_iter().for_each(|key| tree.insert(key));
            tree
        })
    }

    proptest! {
        #[test]
        fn insert_inserts(mut tree in trees(), key in 0u8..4) {
            tree.insert(key);
            prop_assert!(tree.rep_ok() && tree.contains(key));
        }
    }
}
