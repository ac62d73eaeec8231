//! Sets and maps in the order of their items.
//!
//! An invariant that iterates over a hash table reads the fields behind its entries in the order of the table, and that
//! order is random in each search. A position would then mean something else to the search that continues from it. So
//! the tables of mirrors are made with seeds for which they iterate in the order in which their items are listed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, RandomState};

/// Larger tables keep a random order: the number of attempts grows with the factorial of the number of items.
const MOST_ITEMS: usize = 6;

/// Enough for tables of [`MOST_ITEMS`] items. Keys with the same hash may have no seed.
const MOST_ATTEMPTS: usize = 20_000;

/// A container that iterates over its items in the order in which they are listed, if it can.
pub(super) trait InOrder<T>: Sized {
    /// The container with these items.
    fn in_order(items: Vec<T>) -> Self;
}

impl<K: Ord> InOrder<K> for BTreeSet<K> {
    fn in_order(items: Vec<K>) -> Self {
        items.into_iter().collect()
    }
}

impl<K: Ord, V> InOrder<(K, V)> for BTreeMap<K, V> {
    fn in_order(items: Vec<(K, V)>) -> Self {
        items.into_iter().collect()
    }
}

impl<K: Hash + Eq> InOrder<K> for HashSet<K> {
    fn in_order(items: Vec<K>) -> Self {
        let seed = seed(items.iter());
        let mut set = HashSet::with_capacity_and_hasher(items.len(), seed);
        for key in items {
            set.insert(key);
        }
        set
    }
}

impl<K: Hash + Eq, V> InOrder<(K, V)> for HashMap<K, V> {
    fn in_order(items: Vec<(K, V)>) -> Self {
        let seed = seed(items.iter().map(|(key, _)| key));
        let mut map = HashMap::with_capacity_and_hasher(items.len(), seed);
        for (key, value) in items {
            map.insert(key, value);
        }
        map
    }
}

/// A seed for which a table into which these keys are inserted iterates over them in this order.
fn seed<'a, K: Hash + Eq + 'a>(keys: impl ExactSizeIterator<Item = &'a K> + Clone) -> RandomState {
    let count = keys.len();
    let attempts = if count <= MOST_ITEMS { MOST_ATTEMPTS } else { 1 };
    let mut seed = RandomState::new();
    for _ in 1..attempts {
        let mut table = HashMap::with_capacity_and_hasher(count, seed.clone());
        for (place, key) in keys.clone().enumerate() {
            table.insert(key, place);
        }
        if table.into_values().eq(0..count) {
            break;
        }
        seed = RandomState::new();
    }
    seed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tables_iterate_in_the_order_of_their_items() {
        for count in 0..=MOST_ITEMS {
            let keys: Vec<usize> = (0..count).rev().collect();
            let set: HashSet<usize> = InOrder::in_order(keys.clone());
            assert!(set.iter().eq(&keys), "{count} keys");
            let map: HashMap<usize, bool> = InOrder::in_order(keys.iter().map(|key| (*key, true)).collect());
            assert!(map.keys().eq(&keys), "{count} keys");
        }
    }

    #[test]
    fn large_tables_and_equal_hashes_are_made_nevertheless() {
        #[derive(PartialEq, Eq)]
        struct Same(u8);
        impl Hash for Same {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }
        let set: HashSet<Same> = InOrder::in_order((0..5).map(Same).collect());
        assert_eq!(set.len(), 5);
        let set: HashSet<u32> = InOrder::in_order((0..1000).collect());
        assert_eq!(set.len(), 1000);
    }
}
