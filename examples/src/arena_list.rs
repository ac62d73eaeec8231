//! A list whose nodes live in a vector and refer to each other by index.

/// A list of numbers in an arena without gaps.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct ArenaList {
    nodes: Vec<Node>,
    #[cfg_attr(test, bounded(index = "nodes"))]
    first: Option<usize>,
}

#[derive(Debug)]
#[cfg_attr(test, derive(smallscope::Bounded))]
struct Node {
    item: u8,
    #[cfg_attr(test, bounded(index = "ArenaList.nodes"))]
    next: Option<usize>,
}

#[cfg_attr(test, smallscope::rep_ok)]
impl ArenaList {
    /// The invariant: the list visits every node of the arena once.
    pub fn rep_ok(&self) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut at = self.first;
        while let Some(i) = at {
            if std::mem::replace(&mut seen[i], true) {
                return false;
            }
            at = self.nodes[i].next;
        }
        seen.iter().all(|seen| *seen)
    }
}

impl ArenaList {
    /// The items from first to last.
    pub fn items(&self) -> Vec<u8> {
        let mut items = vec![];
        let mut at = self.first;
        while let Some(i) = at {
            items.push(self.nodes[i].item);
            at = self.nodes[i].next;
        }
        items
    }

    /// Removes the first item. The last node of the arena moves into the gap, so the index that refers to it changes.
    pub fn pop_first(&mut self) -> Option<u8> {
        let gap = self.first?;
        let removed = self.nodes.swap_remove(gap);
        self.first = removed.next;
        let moved = self.nodes.len();
        let indices = self.nodes.iter_mut().map(|node| &mut node.next);
        for index in indices.chain([&mut self.first]).filter(|index| **index == Some(moved)) {
            *index = Some(gap);
        }
        Some(removed.item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[smallscope::test(scope = 4)]
    fn pop_first_removes_the_first_item(mut list: ArenaList) {
        let items = list.items();
        assert_eq!(list.pop_first(), items.first().copied());
        assert!(list.rep_ok(), "the list is broken: {list:?}");
        assert_eq!(list.items(), items.get(1..).unwrap_or_default());
    }
}
