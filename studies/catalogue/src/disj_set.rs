//! Disjoint sets as a forest of parent indices with ranks.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | disj-set | 1 | 4 | 2 | original tool |
//! | disj-set | 2 | 24 | 5 | original tool |
//! | disj-set | 3 | 278 | 38 | original tool |
//! | disj-set | 4 | 7,915 | 914 | original tool; its own tests assert it |
//! | disj-set | 5 | 413,855 | 41,546 | original tool; its own tests assert it |

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
            if self.elements[i].parent >= self.size {
                return false;
            }
            let parent = self.elements[i].parent;
            if parent == i {
                roots += 1;
                continue;
            }
            if self.elements[parent].rank <= self.elements[i].rank {
                return false;
            }
            if self.elements[i].rank + 1 == self.elements[parent].rank {
                next_to_a_child[parent] = true;
            }
        }
        let mut missing = roots;
        for (element, is_next_to_a_child) in self.elements.iter().zip(next_to_a_child) {
            if missing == 0 {
                return true;
            }
            if !is_next_to_a_child && element.rank == 0 {
                missing -= 1;
            }
        }
        missing == 0
    }
}

impl DisjSet {
    /// This many sets of one element each.
    pub fn new(size: usize) -> Self {
        let elements = (0..size).map(|i| Box::new(Record { parent: i, rank: 0 })).collect();
        DisjSet { size, elements }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the forest is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The element above this one; itself for a root.
    pub fn parent(&self, element: usize) -> usize {
        self.elements[element].parent
    }

    /// The rank of an element: smaller than that of its parent.
    pub fn rank(&self, element: usize) -> usize {
        self.elements[element].rank
    }

    /// The root that stands for the set of an element.
    pub fn find(&self, element: usize) -> usize {
        let mut at = element;
        while self.parent(at) != at {
            at = self.parent(at);
        }
        at
    }

    /// Whether two elements are in the same set.
    pub fn same_set(&self, a: usize, b: usize) -> bool {
        self.find(a) == self.find(b)
    }

    /// Number of sets.
    pub fn set_count(&self) -> usize {
        (0..self.size).filter(|&i| self.parent(i) == i).count()
    }

    /// Adds a set of one new element.
    pub fn add(&mut self) -> usize {
        let element = self.size;
        self.elements.push(Box::new(Record { parent: element, rank: 0 }));
        self.size += 1;
        element
    }

    /// Unites the sets of two elements: the root of lower rank becomes a child of the other. Returns false if the
    /// sets were the same.
    pub fn union(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        let (rank_a, rank_b) = (self.elements[a].rank, self.elements[b].rank);
        let (above, below) = if rank_a < rank_b { (b, a) } else { (a, b) };
        self.elements[below].parent = above;
        if rank_a == rank_b {
            self.elements[above].rank += 1;
        }
        true
    }

    /// Makes every element on the path to the root a child of the root, and returns the root. Ranks stay: they
    /// increase from child to parent, and so from any element to its root.
    pub fn find_and_compress(&mut self, element: usize) -> usize {
        let root = self.find(element);
        let mut at = element;
        while at != root {
            at = std::mem::replace(&mut self.elements[at].parent, root);
        }
        root
    }
}

/// Up to `n` elements and sizes; parents and ranks below `n`.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Record", n as u32)
        .len("DisjSet.elements", 0..=n)
        .ints("DisjSet.size", 0..=n)
        .ints("Record.parent", 0..=n - 1)
        .ints("Record.rank", 0..=n - 1)
}
