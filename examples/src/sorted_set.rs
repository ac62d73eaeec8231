//! A set of numbers as a sorted vector.

/// Numbers in ascending order, none twice.
#[derive(Debug, Clone, Default)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct SortedSet {
    items: Vec<u8>,
}

#[cfg_attr(test, smallscope::rep_ok)]
impl SortedSet {
    /// The invariant.
    pub fn rep_ok(&self) -> bool {
        self.items.is_sorted_by(|a, b| a < b)
    }

    /// Whether the number is in the set.
    pub fn contains(&self, x: u8) -> bool {
        self.items.binary_search(&x).is_ok()
    }

    /// Adds a number.
    pub fn insert(&mut self, x: u8) {
        if let Err(place) = self.items.binary_search(&x) {
            self.items.insert(place, x);
        }
    }

    /// Adds all numbers of another set, in one pass over both.
    pub fn merge(&mut self, other: &SortedSet) {
        let mut merged = Vec::with_capacity(self.items.len() + other.items.len());
        let (mut left, mut right) = (self.items.as_slice(), other.items.as_slice());
        while let (Some((x, rest_of_left)), Some((y, rest_of_right))) =
            (left.split_first(), right.split_first())
        {
            merged.push(*x.min(y));
            if x <= y {
                left = rest_of_left;
            }
            if y <= x {
                right = rest_of_right;
            }
        }
        merged.extend(left);
        merged.extend(right);
        self.items = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[smallscope::test(scope = 5)]
    fn insert_adds_one_number(mut set: SortedSet, x: u8) {
        let before = set.clone();
        set.insert(x);
        assert!(set.rep_ok());
        assert!((0..5).all(|y| set.contains(y) == (y == x || before.contains(y))));
    }

    /// Runs on every pair of sets. The second set is only read, so the test takes a reference.
    #[smallscope::test(scope = 5)]
    fn merge_is_the_union(mut set: SortedSet, other: &SortedSet) {
        let before = set.clone();
        set.merge(other);
        assert!(set.rep_ok());
        assert!((0..5).all(|x| set.contains(x) == (before.contains(x) || other.contains(x))));
    }
}
