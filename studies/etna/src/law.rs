//! Properties by the inputs that they take, and checks of them on every input.

use crate::maps::OrderedMap;
use smallscope::{Bounded, Check, Report};
use std::cell::RefCell;
use std::fmt::Debug;

/// A property of maps, with the inputs that it takes. The last argument is the mutant.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, clippy::type_complexity, reason = "the names and types say which inputs")]
pub enum Law<M: OrderedMap> {
    One(fn(&M, M::Mutant) -> bool),
    Key(fn(&M, &M::Key, M::Mutant) -> bool),
    Keys(fn(&M, &M::Key, &M::Key, M::Mutant) -> bool),
    KeyValue(fn(&M, &M::Key, u8, M::Mutant) -> bool),
    KeysValue(fn(&M, &M::Key, &M::Key, u8, M::Mutant) -> bool),
    KeysValues(fn(&M, &M::Key, &M::Key, u8, u8, M::Mutant) -> bool),
    Two(fn(&M, &M, M::Mutant) -> bool),
    TwoKey(fn(&M, &M, &M::Key, M::Mutant) -> bool),
    TwoKeyValue(fn(&M, &M, &M::Key, u8, M::Mutant) -> bool),
    Three(fn(&M, &M, &M, M::Mutant) -> bool),
}

/// The input on which a property failed: its text, and how many nodes it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The arguments of the property.
    pub text: String,
    /// The nodes of all maps or of the term.
    pub nodes: usize,
}

/// Where a failing property leaves its input.
#[derive(Debug, Default)]
pub(crate) struct Witness(RefCell<Option<Counterexample>>);

impl Witness {
    /// Fails unless the property holds.
    pub(crate) fn expect(
        &self,
        holds: bool,
        input: &dyn Debug,
        nodes: impl FnOnce() -> usize,
    ) -> Result<(), ()> {
        if holds {
            return Ok(());
        }
        *self.0.borrow_mut() = Some(Counterexample { text: format!("{input:?}"), nodes: nodes() });
        Err(())
    }

    pub(crate) fn into_inner(self) -> Option<Counterexample> {
        self.0.into_inner()
    }
}

impl<M: OrderedMap<Key: Bounded + Debug> + Bounded + Debug> Law<M> {
    /// The names of the inputs, for bounds.
    pub fn arguments(&self) -> &'static [&'static str] {
        match self {
            Law::One(_) => &["map"],
            Law::Key(_) => &["map", "key"],
            Law::Keys(_) => &["map", "key", "other"],
            Law::KeyValue(_) => &["map", "key", "value"],
            Law::KeysValue(_) => &["map", "key", "other", "value"],
            Law::KeysValues(_) => &["map", "key", "other", "value", "other value"],
            Law::Two(_) => &["a", "b"],
            Law::TwoKey(_) => &["a", "b", "key"],
            Law::TwoKeyValue(_) => &["a", "b", "key", "value"],
            Law::Three(_) => &["a", "b", "c"],
        }
    }

    /// Runs the property of a mutant on every input of a check, up to the first on which it fails.
    pub fn check(self, check: Check, mutant: M::Mutant) -> (Report, Option<Counterexample>) {
        let witness = Witness::default();
        let size = |maps: &[&M]| maps.iter().map(|map| map.entries().len()).sum::<usize>();
        let w = &witness;
        let report = match self {
            Law::One(holds) => check.run(|m: &M| w.expect(holds(m, mutant), &m, || size(&[m]))),
            Law::Key(holds) => {
                check.run(|m: &M, k: M::Key| w.expect(holds(m, &k, mutant), &(m, &k), || size(&[m])))
            }
            Law::Keys(holds) => check.run(|m: &M, k: M::Key, l: M::Key| {
                w.expect(holds(m, &k, &l, mutant), &(m, &k, &l), || size(&[m]))
            }),
            Law::KeyValue(holds) => check
                .run(|m: &M, k: M::Key, v: u8| w.expect(holds(m, &k, v, mutant), &(m, &k, v), || size(&[m]))),
            Law::KeysValue(holds) => check.run(|m: &M, k: M::Key, l: M::Key, v: u8| {
                w.expect(holds(m, &k, &l, v, mutant), &(m, &k, &l, v), || size(&[m]))
            }),
            Law::KeysValues(holds) => check.run(|m: &M, k: M::Key, l: M::Key, v: u8, x: u8| {
                w.expect(holds(m, &k, &l, v, x, mutant), &(m, &k, &l, v, x), || size(&[m]))
            }),
            Law::Two(holds) => {
                check.run(|a: &M, b: &M| w.expect(holds(a, b, mutant), &(a, b), || size(&[a, b])))
            }
            Law::TwoKey(holds) => check.run(|a: &M, b: &M, k: M::Key| {
                w.expect(holds(a, b, &k, mutant), &(a, b, &k), || size(&[a, b]))
            }),
            Law::TwoKeyValue(holds) => check.run(|a: &M, b: &M, k: M::Key, v: u8| {
                w.expect(holds(a, b, &k, v, mutant), &(a, b, &k, v), || size(&[a, b]))
            }),
            Law::Three(holds) => check
                .run(|a: &M, b: &M, c: &M| w.expect(holds(a, b, c, mutant), &(a, b, c), || size(&[a, b, c]))),
        };
        (report, witness.into_inner())
    }
}
