//! Keeps some values of each class while it is offered all of them.
//!
//! The quota of a class depends on the number of classes, which is known only at the end, and shrinks with every new
//! class. So the reducer keeps up to twice as many values as in the end, and the result is the same as with a second
//! pass over all values.

use crate::criteria::classify::Class;
use crate::criteria::reduction::{Choice, Reduction};
use std::collections::HashMap;

/// Keeps some values of each class.
///
/// ```
/// use smallscope_runner::criteria::{Class, Reducer};
/// let mut reducer = Reducer::new("cdc per-class 2 first".parse().unwrap(), 0);
/// for n in 0..10u32 {
///     reducer.offer(Class(u128::from(n % 3)), || 0, || n, || format!("rest {}", n % 3));
/// }
/// let reduced = reducer.finish();
/// assert_eq!(reduced.kept, [0, 1, 2, 3, 4, 5]);
/// assert_eq!((reduced.values, reduced.classes.len(), reduced.most), (10, 3, 2));
/// assert_eq!((reduced.classes[0].size, reduced.classes[0].kept), (4, 2));
/// ```
pub struct Reducer<V> {
    reduction: Reduction,
    /// The number of all values, if the quota is a share of it.
    total: u64,
    numbers: HashMap<Class, usize>,
    rows: Vec<Row<V>>,
    offered: u64,
    /// The quota of a class for the classes so far.
    most: u64,
    /// The quota when all classes were last shortened to it.
    cut_to: u64,
}

struct Row<V> {
    class: Class,
    size: u64,
    /// Sorted: by number for the first ones, by priority for random ones.
    kept: Vec<Item<V>>,
    description: String,
}

struct Item<V> {
    priority: u64,
    /// Its number among all values.
    number: u64,
    value: V,
}

/// A reduced suite.
#[derive(Debug, Clone)]
pub struct Reduced<V> {
    /// How many values there were.
    pub values: u64,
    /// The largest number of values that was kept of one class.
    pub most: u64,
    /// The classes, in the order in which they were found.
    pub classes: Vec<ClassRow>,
    /// The values that were kept, in the order in which they were offered.
    pub kept: Vec<V>,
}

/// A class of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassRow {
    /// Its fingerprint.
    pub class: Class,
    /// What its values have in common.
    pub description: String,
    /// How many values it has.
    pub size: u64,
    /// How many of them were kept.
    pub kept: u64,
    /// The index of its first value in [`Reduced::kept`].
    pub witness: usize,
}

impl<V> Reducer<V> {
    /// Creates a reducer for a suite of `total` values. The number is used only if the quota is a share.
    pub fn new(reduction: Reduction, total: u64) -> Reducer<V> {
        let most = reduction.quota.most(total, 1);
        Reducer { reduction, total, numbers: HashMap::new(), rows: vec![], offered: 0, most, cut_to: most }
    }

    /// Creates an empty reducer of the same kind.
    pub fn another(&self) -> Reducer<V> {
        Reducer::new(self.reduction, self.total)
    }

    /// Returns the reduction.
    pub fn reduction(&self) -> Reduction {
        self.reduction
    }

    /// Returns how many values were offered.
    pub fn offered(&self) -> u64 {
        self.offered
    }

    /// Returns how many classes were found.
    pub fn classes(&self) -> usize {
        self.rows.len()
    }

    /// Offers a value of a class. Calls `priority` if the choice is random, `value` if the value is kept for now, and
    /// `description` if the class is new.
    pub fn offer(
        &mut self,
        class: Class,
        priority: impl FnOnce() -> u64,
        value: impl FnOnce() -> V,
        description: impl FnOnce() -> String,
    ) {
        let row = self.row(class, description);
        let number = self.offered;
        self.offered += 1;
        let (most, is_random) = (self.most as usize, self.reduction.choice != Choice::First);
        let row = &mut self.rows[row];
        row.size += 1;
        if !is_random {
            if row.kept.len() < most {
                row.kept.push(Item { priority: 0, number, value: value() });
            }
            return;
        }
        let priority = priority();
        let place = row.kept.partition_point(|item| (item.priority, item.number) < (priority, number));
        if place < most {
            row.kept.insert(place, Item { priority, number, value: value() });
            row.kept.truncate(most);
        }
    }

    /// Whether no further value of a class would be kept, so that it is enough to [count](Self::count) them.
    pub fn is_full(&self, class: Class) -> bool {
        self.reduction.choice == Choice::First
            && self.numbers.get(&class).is_some_and(|&row| self.rows[row].kept.len() as u64 >= self.most)
    }

    /// Counts values of a full class.
    pub fn count(&mut self, class: Class, values: u64) {
        if let Some(&row) = self.numbers.get(&class) {
            self.rows[row].size += values;
            self.offered += values;
        }
    }

    /// Adds what another reducer kept of the values that come next.
    pub fn merge(&mut self, later: Reducer<V>) {
        let is_random = self.reduction.choice != Choice::First;
        for Row { class, size, kept, description } in later.rows {
            let row = self.row(class, || description);
            let most = self.most as usize;
            let row = &mut self.rows[row];
            row.size += size;
            let before = self.offered;
            let items = kept.into_iter().map(|item| Item { number: before + item.number, ..item });
            if is_random {
                row.kept.extend(items);
                row.kept.sort_by_key(|item| (item.priority, item.number));
                row.kept.truncate(most);
            } else {
                let free = most.saturating_sub(row.kept.len());
                row.kept.extend(items.take(free));
            }
        }
        self.offered += later.offered;
    }

    /// Returns what is kept in the end.
    pub fn finish(mut self) -> Reduced<V> {
        self.cut();
        let mut items: Vec<(usize, Item<V>)> = vec![];
        let mut classes: Vec<ClassRow> = vec![];
        for (number, Row { class, size, kept, description }) in self.rows.into_iter().enumerate() {
            classes.push(ClassRow { class, description, size, kept: kept.len() as u64, witness: usize::MAX });
            items.extend(kept.into_iter().map(|item| (number, item)));
        }
        items.sort_by_key(|(_, item)| item.number);
        for (place, (row, _)) in items.iter().enumerate() {
            let witness = &mut classes[*row].witness;
            *witness = place.min(*witness);
        }
        let kept = items.into_iter().map(|(_, item)| item.value).collect();
        Reduced { values: self.offered, most: self.most, classes, kept }
    }

    /// Returns the number of a class, and adds it if it is new.
    fn row(&mut self, class: Class, description: impl FnOnce() -> String) -> usize {
        if let Some(&row) = self.numbers.get(&class) {
            return row;
        }
        let row = self.rows.len();
        self.numbers.insert(class, row);
        self.rows.push(Row { class, size: 0, kept: vec![], description: description() });
        self.most = self.reduction.quota.most(self.total, self.rows.len() as u64);
        if self.most <= self.cut_to / 2 {
            self.cut();
        }
        row
    }

    /// Drops the values beyond the quota.
    fn cut(&mut self) {
        self.cut_to = self.most;
        for row in &mut self.rows {
            row.kept.truncate(self.most as usize);
        }
    }
}
