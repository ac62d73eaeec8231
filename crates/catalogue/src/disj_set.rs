//! Disjoint sets as a forest of parent indices with ranks.

use smallscope::{Bounded, Bounds, rep_ok};

/// Union-find: element `i` belongs to the set of the root that its parents lead to.
#[derive(Bounded, Debug, Clone)]
pub struct DisjSet {
    size: usize,
    #[expect(clippy::vec_box, reason = "records have an identity in the original")]
    elements: Vec<Box<Record>>,
}

#[derive(Bounded, Debug, Clone)]
struct Record {
    parent: usize,
    rank: usize,
}

#[rep_ok]
impl DisjSet {
    /// Different records; parents in range, of larger rank; enough elements of rank 0 for the roots.
    pub fn rep_ok(&self) -> bool {
        if self.elements.len() != self.size {
            return false;
        }
        for i in 0..self.size {
            for j in i + 1..self.size {
                if std::ptr::eq::<Record>(&*self.elements[i], &*self.elements[j]) {
                    return false;
                }
            }
        }
        let mut roots = 0;
        let mut next_to_a_child = vec![false; self.size];
        for i in 0..self.size {
            let parent = self.elements[i].parent;
            if parent >= self.size {
                return false;
            }
            if parent == i {
                roots += 1;
                continue;
            }
            let above = self.elements[parent].rank;
            let rank = self.elements[i].rank;
            if rank >= above {
                return false;
            }
            if rank + 1 == above {
                next_to_a_child[parent] = true;
            }
        }
        let zeros = (0..self.size).filter(|&i| !next_to_a_child[i] && self.elements[i].rank == 0).count();
        roots <= zeros
    }
}

/// Everything up to `n`: elements and size; parents and ranks below `n`.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Record", n as u32)
        .len("DisjSet.elements", 0..=n)
        .ints("DisjSet.size", 0..=n)
        .ints("Record.parent", 0..=n - 1)
        .ints("Record.rank", 0..=n - 1)
}
