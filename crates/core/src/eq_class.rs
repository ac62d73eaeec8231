//! Equivalence classes of values: what a criterion says about a value, which values have the same, and what was
//! covered.
//!
//! `#[eq_class]` implements [`EqClass`] for a structure, and makes a copy for its mirror. The search runs that on valid
//! candidates and looks at what it reads, as it does with the invariant; see [`crate::options::Classes`].

use crate::candidate::Candidate;
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A structure whose values fall into classes. `#[eq_class]` implements it.
pub trait EqClass {
    /// Says which class the value is in.
    fn classify(&self, to: &mut dyn FnMut(ClassValue<'_>));
}

/// How to classify a value of a type.
pub type Classifier<T> = fn(&T, &mut dyn FnMut(ClassValue<'_>));

/// What `fn eq_class` has returned: a fingerprint by which classes are told apart, and its text.
#[derive(Clone, Copy)]
pub struct ClassValue<'a> {
    /// Equal for equal values.
    pub fingerprint: u128,
    /// The value.
    pub value: &'a dyn fmt::Debug,
}

impl<'a> ClassValue<'a> {
    /// Any value stands for a class. Its hash is taken here, while reads are observed.
    pub fn of<V: ClassKey>(value: &'a V) -> Self {
        let half = |seed: u8| {
            let mut hasher = DefaultHasher::new();
            seed.hash(&mut hasher);
            value.hash(&mut hasher);
            u128::from(hasher.finish())
        };
        ClassValue { fingerprint: half(0) << 64 | half(1), value }
    }
}

/// What a class function can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a class: return a value that is `Hash + Eq + Debug`, such as a number, a tuple or a `String`",
    label = "`Hash`, `Eq` or `Debug` is missing"
)]
pub trait ClassKey: Hash + Eq + fmt::Debug {}

#[diagnostic::do_not_recommend]
impl<T: Hash + Eq + fmt::Debug> ClassKey for T {}

/// A class made of named predicates: what `classes![empty => .., sorted => ..]` makes. Values are in the same class if the
/// same predicates hold. Its text names those: `{empty, sorted}`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassSet {
    names: &'static [&'static str],
    holds: u64,
}

/// The class of values for which certain predicates hold.
///
/// # Panics
///
/// If there are more than 64 of them.
#[inline]
pub fn class_set(names: &'static [&'static str], holds: &[bool]) -> ClassSet {
    assert!(names.len() <= 64, "a class is made of 64 predicates at most; these are {}", names.len());
    let holds = holds.iter().enumerate().fold(0, |bits, (i, &holds)| bits | u64::from(holds) << i);
    ClassSet { names, holds }
}

impl ClassSet {
    /// Whether the predicate with this name holds; none if there is none.
    #[inline]
    pub fn holds(&self, name: &str) -> Option<bool> {
        self.names.iter().position(|other| *other == name).map(|i| self.holds >> i & 1 == 1)
    }
}

impl fmt::Debug for ClassSet {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = |(i, name): (usize, &&'static str)| (self.holds >> i & 1 == 1).then_some(*name);
        let names: Vec<&str> = self.names.iter().enumerate().filter_map(holds).collect();
        write!(f, "{{{}}}", names.join(", "))
    }
}

/// A class that was covered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoveredClass {
    /// What `eq_class` returned, as text.
    pub label: String,
    /// How many values of it were delivered.
    pub count: u64,
    /// The first one: its number among all values that were delivered, counted from 1.
    pub first: u64,
    /// The first one: its candidate.
    pub witness: Candidate,
    /// The scope of the pass that has found it, where there are several.
    pub scope: Option<u32>,
}

impl CoveredClass {
    /// A class that another process has met.
    #[inline]
    pub fn new(
        label: String,
        (count, first): (u64, u64),
        witness: Candidate,
        scope: Option<u32>,
    ) -> CoveredClass {
        CoveredClass { label, count, first, witness, scope }
    }
}

/// The classes that were covered, in the order in which they were met.
#[derive(Debug, Clone, Default)]
pub struct ClassTable {
    rows: Vec<CoveredClass>,
    /// The fingerprints of the rows, and the row of each.
    fingerprints: Vec<u128>,
    places: HashMap<u128, usize>,
    /// How often classes were computed.
    runs: u64,
    skipped: Skipped,
}

/// What a search has passed over because its class was covered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skipped {
    /// Nothing.
    #[default]
    Nothing,
    /// Candidates on which the invariant has not run.
    Candidates,
    /// Valid values.
    Values,
}

impl ClassTable {
    /// The classes.
    pub fn rows(&self) -> &[CoveredClass] {
        &self.rows
    }

    /// The fingerprints of the classes, in the same order.
    #[inline]
    pub fn fingerprints(&self) -> &[u128] {
        &self.fingerprints
    }

    /// The classes of another process. No value was skipped.
    #[inline]
    pub fn from_rows(rows: Vec<(u128, CoveredClass)>, runs: u64) -> ClassTable {
        let mut table = ClassTable { runs, ..ClassTable::default() };
        for (fingerprint, row) in rows {
            table.add(fingerprint, row);
        }
        table
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none was met.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many values of them were delivered.
    pub fn delivered(&self) -> u64 {
        self.rows.iter().map(|row| row.count).sum()
    }

    /// How often `eq_class` was run.
    #[inline]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// What was passed over because its class was covered.
    pub fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Says in which scope the classes were met of which that is not known.
    pub fn set_scope(&mut self, scope: Option<u32>) {
        for row in &mut self.rows {
            row.scope = row.scope.or(scope);
        }
    }

    /// Adds what was covered later.
    pub fn append(&mut self, later: ClassTable) {
        let before = self.delivered();
        for (i, row) in later.rows.into_iter().enumerate() {
            let fingerprint = later.fingerprints[i];
            match self.places.get(&fingerprint) {
                Some(&known) => self.rows[known].count += row.count,
                None => {
                    self.add(fingerprint, CoveredClass { first: before + row.first, ..row });
                }
            }
        }
        self.runs += later.runs;
        self.skip(later.skipped);
    }

    pub(crate) fn skip(&mut self, skipped: Skipped) {
        self.skipped = self.skipped.max(skipped);
    }

    pub(crate) fn ran(&mut self) {
        self.runs += 1;
    }

    pub(crate) fn place(&self, fingerprint: u128) -> Option<usize> {
        self.places.get(&fingerprint).copied()
    }

    pub(crate) fn add(&mut self, fingerprint: u128, row: CoveredClass) -> usize {
        let place = self.rows.len();
        self.places.insert(fingerprint, place);
        self.fingerprints.push(fingerprint);
        self.rows.push(row);
        place
    }

    pub(crate) fn count(&mut self, place: usize, values: u64) {
        self.rows[place].count += values;
    }
}

/// How many classes a text shows.
const SHOWN: usize = 64;

/// A line for each class: how many values, the number of the first one, and what the class is.
impl fmt::Display for ClassTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&CoveredClass) -> u64, title: &str| {
            self.rows.iter().map(|row| of(row).to_string().len()).fold(title.len(), usize::max)
        };
        let (values, first) = (width(|row| row.count, "values"), width(|row| row.first, "first"));
        write!(f, "{:>values$}  {:>first$}  class", "values", "first")?;
        for CoveredClass { label, count, first: number, .. } in self.rows.iter().take(SHOWN) {
            write!(f, "\n{count:>values$}  {number:>first$}  {label}")?;
        }
        match self.rows.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n.. and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, count: u64, first: u64) -> CoveredClass {
        CoveredClass { label: label.into(), count, first, witness: Candidate(vec![]), scope: None }
    }

    #[test]
    fn fingerprints_tell_values_apart() {
        let print = |v: (u8, bool)| ClassValue::of(&v).fingerprint;
        assert_eq!(print((1, true)), print((1, true)));
        assert_ne!(print((1, true)), print((1, false)));
    }

    #[test]
    fn a_class_of_predicates_names_those_that_hold() {
        let class = class_set(&["empty", "sorted", "full"], &[true, true, false]);
        assert_eq!(format!("{class:?}"), "{empty, sorted}");
        assert_eq!((class.holds("full"), class.holds("fulll")), (Some(false), None));
        assert_ne!(class, class_set(&["empty", "sorted", "full"], &[true, false, false]));
    }

    #[test]
    fn tables_are_added_in_order() {
        let (mut first, mut second) = (ClassTable::default(), ClassTable::default());
        first.add(1, row("a", 2, 1));
        second.add(2, row("b", 1, 1));
        second.add(1, row("a", 3, 2));
        first.append(second);
        assert_eq!(first.rows(), [row("a", 5, 1), row("b", 1, 3)]);
        assert_eq!(first.delivered(), 6);
        assert_eq!(first.to_string(), "values  first  class\n     5      1  a\n     1      3  b");
    }
}
