//! Sets and maps that are no fields, as arguments of functions of the copy, which take cells: `fn is_free(used: &BTreeSet<u8>, k: u8)` is given
//! `&self.used`, or a local set. And maps that an invariant puts into a value that it makes.

use super::Seq;
use super::made::{IntoCell, cell};
use crate::cell::{Copied, Tracked, contents};
use crate::shape::Pointee;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

/// `.__cell()` on what is no cell: local sets and maps. A function that is marked `#[mirror]` takes these and cells alike.
pub trait PlainCell<C> {
    /// A cell that holds it. The cell stays until the run of the invariant ends.
    fn __cell(&self) -> &C;
}

impl<C> PlainCell<C> for C {
    fn __cell(&self) -> &C {
        self
    }
}

impl<C, S: ?Sized + PlainCell<Tracked<C>>> PlainCell<Tracked<C>> for &S {
    fn __cell(&self) -> &Tracked<C> {
        (**self).__cell()
    }
}

/// A cell that holds what lives at least as long as the reference to the cell. When the cell is freed, it does not look at it.
fn kept<T: 'static>(value: &T) -> &Tracked<T> {
    contents::keep(contents::holding(value, Copied::Always))
}

macro_rules! plain_cells {
    ($($set:ident $map:ident: $($bound:ident)+;)*) => { $(
        impl<K: 'static, V: 'static> PlainCell<Tracked<Self>> for super::$map<K, V> {
            fn __cell(&self) -> &Tracked<Self> {
                kept(self)
            }
        }

        impl<K: 'static> PlainCell<Tracked<Self>> for $set<K> {
            fn __cell(&self) -> &Tracked<Self> {
                kept(self)
            }
        }

        /// A map of cells that hold these values.
        #[diagnostic::do_not_recommend]
        impl<K: Clone $(+ $bound)+, V: Clone> IntoCell<Tracked<super::$map<K, V>>> for $map<K, V> {
            fn into_cell(self) -> Tracked<super::$map<K, V>> {
                let mut values: Vec<Box<V>> = vec![];
                let mut hold = |(key, value)| {
                    let value = Box::new(value);
                    let cell = contents::holding(&*value, Copied::Always);
                    values.push(value);
                    (key, cell)
                };
                let cells = self.into_iter().map(&mut hold).collect();
                cell(super::$map::with_values(cells, values))
            }
        }

        plain_cells!(@inside $map [$($bound)+] {V} Vec<V>, Seq<V>);
        plain_cells!(@inside $map [$($bound)+] {T: Pointee} super::Box<T>, super::Box<T>);

        impl<K: Clone + 'static $(+ $bound)+, V: Clone + 'static> PlainCell<Tracked<super::$map<K, V>>> for $map<K, V> {
            fn __cell(&self) -> &Tracked<super::$map<K, V>> {
                contents::keep(cell(self.clone()))
            }
        }

        impl<K: Clone + 'static $(+ $bound)+, V: Clone + 'static> PlainCell<Tracked<$map<K, Tracked<Seq<V>>>>> for $map<K, Vec<V>> {
            fn __cell(&self) -> &Tracked<$map<K, Tracked<Seq<V>>>> {
                contents::keep(cell(self.clone()))
            }
        }
    )* };
    (@inside $map:ident [$($bound:ident)+] {$($g:tt)*} $value:ty, $held:ty) => {
        #[diagnostic::do_not_recommend]
        impl<K: $($bound +)+, $($g)*> IntoCell<Tracked<$map<K, Tracked<$held>>>> for $map<K, $value> {
            fn into_cell(self) -> Tracked<$map<K, Tracked<$held>>> {
                let cells: $map<K, Tracked<$held>> = self.into_iter().map(|(key, value)| (key, cell(value))).collect();
                cell(cells)
            }
        }
    };
}
plain_cells! {
    BTreeSet BTreeMap: Ord;
    HashSet HashMap: Eq Hash;
}
