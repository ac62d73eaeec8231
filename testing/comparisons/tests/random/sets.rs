//! Sets of which programs look keys up, by the functions that instrumented code calls on mirrors.

use crate::ask::{Ask, Asking, Spot};
use crate::look::Object;
use crate::program::{Path, Run};
use smallscope::__private::Tracked;
use smallscope_core::ask::{NOTHING, Promise};
use std::collections::BTreeSet;

/// A set, real or in a cell.
#[derive(Clone, Copy)]
pub enum SetSpot<'a> {
    Real(&'a BTreeSet<u8>),
    Cell(&'a Tracked<BTreeSet<u8>>),
}

impl Ask for BTreeSet<u8> {
    fn asking(spot: Spot<'_, Self>) -> Asking<'_> {
        match spot {
            Spot::Ref(set) => Asking::Set(SetSpot::Real(set)),
            _ => Asking::Nothing,
        }
    }
    fn asking_cell(cell: &Tracked<Self>) -> Asking<'_> {
        Asking::Set(SetSpot::Cell(cell))
    }
}

/// What is looked up.
#[derive(Debug, Clone, Copy)]
pub enum SetTest {
    Contains,
    Get,
    IsEmpty,
    Length,
    First,
    Last,
    Loop,
    Reversed,
    Range,
    Subset,
    Superset,
    Disjoint,
    /// Reads the set.
    Sum,
}

impl SetTest {
    pub const ALL: [SetTest; 13] = [
        SetTest::Contains,
        SetTest::Get,
        SetTest::IsEmpty,
        SetTest::Length,
        SetTest::First,
        SetTest::Last,
        SetTest::Loop,
        SetTest::Reversed,
        SetTest::Range,
        SetTest::Subset,
        SetTest::Superset,
        SetTest::Disjoint,
        SetTest::Sum,
    ];
}

/// Runs the same code on a set and on what looks into one.
macro_rules! look_up {
    ($set:expr, $whole:expr, $test:expr, $n:expr) => {{
        let (set, n) = ($set, $n);
        match $test {
            SetTest::Contains => set.contains(&n),
            SetTest::Get => set.get(&n).is_some(),
            SetTest::IsEmpty => set.is_empty(),
            SetTest::Length => set.len() == usize::from(n),
            SetTest::First => set.first() == Some(&n),
            SetTest::Last => set.last() == Some(&n),
            SetTest::Loop => set.iter().all(|k| *k <= n),
            SetTest::Reversed => set.iter().rev().take(2).any(|k| *k == n),
            SetTest::Range => set.range(n..).next().is_none(),
            SetTest::Sum => $whole.iter().sum::<u8>() > n,
            SetTest::Subset | SetTest::Superset | SetTest::Disjoint => false,
        }
    }};
}

impl<'a> Run<'a> {
    /// The answer to a question about a set, or about two.
    pub(crate) fn sets(
        &self,
        test: SetTest,
        (a, b): (&Path, &Path),
        n: u8,
        promise: Promise,
        here: &'a dyn Object,
    ) -> bool {
        let (Asking::Set(a), Asking::Set(b)) = (self.field_at(a, here, false), self.field_at(b, here, false))
        else {
            return false;
        };
        let is_pair = matches!(test, SetTest::Subset | SetTest::Superset | SetTest::Disjoint);
        self.note(if is_pair { "two sets" } else { "a set" });
        if is_pair {
            return pair(test, a, b, promise);
        }
        match a {
            SetSpot::Real(set) => look_up!(set, set, test, n),
            SetSpot::Cell(cell) => {
                let is_promised = matches!(test, SetTest::Contains | SetTest::Get | SetTest::IsEmpty);
                let promise = if is_promised { promise } else { NOTHING };
                match test {
                    SetTest::Sum => cell.__read().iter().sum::<u8>() > n,
                    _ => look_up!(cell.__look().__under(promise), cell.__read(), test, n),
                }
            }
        }
    }
}

fn pair(test: SetTest, a: SetSpot<'_>, b: SetSpot<'_>, promise: Promise) -> bool {
    match (a, b) {
        (SetSpot::Real(a), SetSpot::Real(b)) => match test {
            SetTest::Subset => a.is_subset(b),
            SetTest::Superset => a.is_superset(b),
            _ => a.is_disjoint(b),
        },
        (SetSpot::Cell(a), SetSpot::Cell(b)) => {
            let (a, b) = (a.__look().__pairwise().__under(promise), b.__look());
            match test {
                SetTest::Subset => a.is_subset(&b),
                SetTest::Superset => a.is_superset(&b),
                _ => a.is_disjoint(&b),
            }
        }
        _ => unreachable!("a cell among real values"),
    }
}
