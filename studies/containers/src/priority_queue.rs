//! A binary heap in an array, after `java.util.PriorityQueue`: the least element comes first.

use smallscope::sequences::Linearize;
use smallscope::{Bounded, rep_ok};

/// A queue whose least element comes first. Equal elements come in any order.
#[derive(Bounded, Clone, Debug, Linearize)]
pub struct PriorityQueue<T> {
    /// The children of place `i` are at `2 * i + 1` and `2 * i + 2`.
    heap: Vec<T>,
}

#[rep_ok]
impl<T: Ord> PriorityQueue<T> {
    /// No element is less than its parent.
    pub fn rep_ok(&self) -> bool {
        (1..self.heap.len()).all(|child| self.heap[(child - 1) / 2] <= self.heap[child])
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(static WITHOUT_ORDER))]
impl<T> PriorityQueue<T> {
    /// An empty queue.
    pub fn new() -> Self {
        PriorityQueue { heap: vec![] }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.heap.clear();
    }

    /// The least element.
    pub fn peek(&self) -> Option<&T> {
        self.heap.first()
    }

    /// The elements, as they lie in the heap.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.heap.iter()
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
#[cfg_attr(feature = "cover", smallscope_cover::cover(also(WITHOUT_ORDER)))]
impl<T: Ord> PriorityQueue<T> {
    /// Adds an element.
    pub fn add(&mut self, item: T) {
        self.heap.push(item);
        self.sift_up(self.heap.len() - 1);
    }

    /// Removes the least element, and returns it.
    pub fn poll(&mut self) -> Option<T> {
        if self.heap.is_empty() { None } else { Some(self.remove_at(0)) }
    }

    /// Whether an element is there.
    pub fn contains(&self, item: &T) -> bool {
        self.heap.contains(item)
    }

    /// Removes one element that is equal to this one; false if there is none.
    pub fn remove(&mut self, item: &T) -> bool {
        let place = self.heap.iter().position(|other| other == item);
        place.map(|place| self.remove_at(place)).is_some()
    }

    /// Adds an element, then removes the least one and returns it.
    pub fn add_and_poll(&mut self, mut item: T) -> T {
        if !self.heap.is_empty() && self.heap[0] < item {
            std::mem::swap(&mut self.heap[0], &mut item);
            self.sift_down(0);
        }
        item
    }

    /// The last element moves to the place of the removed one, from where it may have to move up or down.
    fn remove_at(&mut self, place: usize) -> T {
        let removed = self.heap.swap_remove(place);
        if place < self.heap.len() {
            self.sift_down(place);
            self.sift_up(place);
        }
        removed
    }

    fn sift_up(&mut self, mut place: usize) {
        while place > 0 {
            let parent = (place - 1) / 2;
            if self.heap[parent] <= self.heap[place] {
                return;
            }
            self.heap.swap(parent, place);
            place = parent;
        }
    }

    fn sift_down(&mut self, mut place: usize) {
        loop {
            let left = 2 * place + 1;
            let Some(mut least) = self.heap.get(left).map(|_| left) else { return };
            if self.heap.get(left + 1).is_some_and(|right| *right < self.heap[left]) {
                least = left + 1;
            }
            if self.heap[place] <= self.heap[least] {
                return;
            }
            self.heap.swap(place, least);
            place = least;
        }
    }
}

impl<T> Default for PriorityQueue<T> {
    fn default() -> Self {
        PriorityQueue::new()
    }
}

/// Queues are equal if they have the same elements, in any heap order.
impl<T: Ord> PartialEq for PriorityQueue<T> {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |queue: &Self| {
            let mut items: Vec<usize> = (0..queue.heap.len()).collect();
            items.sort_by(|a, b| queue.heap[*a].cmp(&queue.heap[*b]));
            items
        };
        let ours = sorted(self).into_iter().map(|i| &self.heap[i]);
        ours.eq(sorted(other).into_iter().map(|i| &other.heap[i]))
    }
}

impl<T: Ord> Eq for PriorityQueue<T> {}
