//! Binary heaps in an array with spare capacity at the end, as in a priority queue.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | heap-array | 1,1,1 | 8 | 4 | original tool |
//! | heap-array | 2,2,2 | 45 | 15 | original tool |
//! | heap-array | 3,3,3 | 240 | 66 | original tool |
//! | heap-array | 4,4,4 | 1,425 | 320 | original tool |
//! | heap-array | 5,5,5 | 8,916 | 1,919 | original tool |
//! | heap-array | 6,6,6 | 64,533 | 13,139 | original tool; its own tests assert it |
//! | heap-array | 7,7,7 | 519,968 | 117,562 | original tool; its own tests assert it |
//! | heap-array | 8,8,8 | 5,231,385 | 1,005,075 | original tool |

use smallscope::{Bounded, Bounds, rep_ok};

/// The largest element is at index 0; the children of `i` are at `2 i + 1` and `2 i + 2`.
#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
pub struct HeapArray<T> {
    size: usize,
    array: Vec<Option<T>>,
}

#[rep_ok]
impl<T: Ord> HeapArray<T> {
    /// The first `size` places are a heap, the others are empty.
    pub fn rep_ok(&self) -> bool {
        if self.size > self.array.len() {
            return false;
        }
        for i in 0..self.size {
            let Some(element) = &self.array[i] else { return false };
            if i > 0 && self.array[(i - 1) / 2].as_ref().is_none_or(|parent| element > parent) {
                return false;
            }
        }
        (self.size..self.array.len()).all(|i| self.array[i].is_none())
    }
}

impl<T> Default for HeapArray<T> {
    fn default() -> Self {
        HeapArray { size: 0, array: vec![] }
    }
}

impl<T: Ord> HeapArray<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the heap is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Number of elements that fit in.
    pub fn capacity(&self) -> usize {
        self.array.len()
    }

    /// The elements, largest first, otherwise in no order.
    pub fn elements(&self) -> impl Iterator<Item = &T> {
        self.array.iter().flatten()
    }

    /// The largest element.
    pub fn peek(&self) -> Option<&T> {
        self.array.first()?.as_ref()
    }

    /// Adds an element, in the spare capacity if there is any.
    pub fn push(&mut self, element: T) {
        let mut i = self.size;
        if i < self.array.len() {
            self.array[i] = Some(element);
        } else {
            self.array.push(Some(element));
        }
        self.size += 1;
        while i > 0 && self.array[i] > self.array[(i - 1) / 2] {
            self.array.swap(i, (i - 1) / 2);
            i = (i - 1) / 2;
        }
    }

    /// Removes and returns the largest element.
    pub fn pop(&mut self) -> Option<T> {
        self.size = self.size.checked_sub(1)?;
        self.array.swap(0, self.size);
        let largest = self.array[self.size].take();
        let mut i = 0;
        loop {
            let children = [2 * i + 1, 2 * i + 2].into_iter().filter(|&c| c < self.size);
            let Some(child) = children.max_by_key(|&c| &self.array[c]) else { return largest };
            if self.array[child] <= self.array[i] {
                return largest;
            }
            self.array.swap(i, child);
            i = child;
        }
    }
}

/// Sizes, lengths and values up to a maximum each.
pub fn bounds(max_size: i64, max_length: i64, max_value: i64) -> Bounds {
    Bounds::exact()
        .ints("HeapArray.size", 0..=max_size)
        .len("HeapArray.array", 0..=max_length)
        .ints("HeapArray.array", 0..=max_value)
}
