//! What is known about the table of a field. Everything here is compiled once and not once per type.

use crate::layout::{Code, Keys, Kind, LARGEST_NUMBER, Texts};
use crate::shape::Value;
use std::any::TypeId;
use std::rc::Rc;

/// A table with what is known about it. Cells of one field share it, if they can.
pub(super) struct SharedDomain {
    /// How many first values are `None`.
    pub(super) nones: u32,
    /// What the others stand for.
    pub(super) code: Option<Code>,
    /// The keys inside of them.
    pub(super) keys: Option<Rc<Keys>>,
    pub(super) len: usize,
    pub(super) kind: Kind,
    /// How many elements each of them has, if that is counted.
    pub(super) elements: Rc<[u32]>,
    pub(super) masks: Rc<[u64]>,
    pub(super) lengths: Rc<[u32]>,
    pub(super) texts: Texts,
}

impl SharedDomain {
    /// Finds out what the values stand for.
    pub(super) fn new(
        table: Rc<dyn Table>,
        kind: Kind,
        elements: Rc<[u32]>,
        masks: Vec<u64>,
        lengths: Vec<u32>,
    ) -> SharedDomain {
        let len = table.len();
        let mut nones = 0;
        while nones < len && table.is_nothing(nones) {
            nones += 1;
        }
        SharedDomain {
            nones: nones as u32,
            code: code(&*table, nones),
            keys: None,
            len,
            kind,
            elements,
            masks: masks.into(),
            lengths: lengths.into(),
            texts: Rc::new(move |i| table.label(i as usize)),
        }
    }
}

/// How many elements of sequences each value of a table has, if there are some. Those that are objects are counted as
/// such.
pub(super) fn elements(table: &dyn Table) -> Rc<[u32]> {
    let mut elements = vec![];
    for i in 0..table.len() {
        elements.push(table.elements(i));
    }
    if elements.iter().all(|&n| n == 0) { Rc::new([]) } else { elements.into() }
}

/// What is asked of the values of a table, for code that is compiled once and not once per type.
pub(super) trait Table {
    /// The type of the values.
    fn of(&self) -> TypeId;
    fn len(&self) -> usize;
    /// Whether keys are inside of the values.
    fn has_keys(&self) -> bool;
    /// Whether a value is `None`.
    fn is_nothing(&self, i: usize) -> bool;
    /// The number that a value stands for.
    fn code(&self, i: usize) -> Option<i64>;
    /// How many elements of sequences a value has.
    fn elements(&self, i: usize) -> u32;
    /// A value in words.
    fn label(&self, i: usize) -> String;
}

impl<T: Value> Table for &'static [T] {
    fn of(&self) -> TypeId {
        TypeId::of::<T>()
    }

    fn len(&self) -> usize {
        (**self).len()
    }

    fn has_keys(&self) -> bool {
        T::KEYS
    }

    fn is_nothing(&self, i: usize) -> bool {
        self[i].is_nothing()
    }

    fn code(&self, i: usize) -> Option<i64> {
        self[i].code()
    }

    fn elements(&self, i: usize) -> u32 {
        self[i].elements()
    }

    fn label(&self, i: usize) -> String {
        self[i].label()
    }
}

/// What the values of a table stand for, if those behind the first ones are consecutive numbers.
fn code(table: &dyn Table, nones: usize) -> Option<Code> {
    if nones == table.len() {
        return None;
    }
    let first = table.code(nones)?;
    if first.unsigned_abs() > LARGEST_NUMBER {
        return None;
    }
    let base = first - nones as i64;
    let is_consecutive = (nones..table.len()).all(|i| table.code(i) == Some(base + i as i64));
    is_consecutive.then_some(Code { of: table.of(), base })
}
