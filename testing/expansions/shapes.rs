//! Types of many shapes: generics, tuples, unit types, raw identifiers, names that generated code might use itself.

use smallscope::{Bounded, rep_ok};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::sync::Arc;

/// A constant and two type parameters, with bounds.
#[derive(Bounded, Debug, Clone)]
pub struct Buffer<T, M, const N: usize>
where
    T: Copy + PartialOrd,
{
    items: [T; N],
    #[bounded(range = 0..=3)]
    pub(crate) len: u8,
    marker: PhantomData<M>,
}

#[rep_ok]
impl<T, M, const N: usize> Buffer<T, M, N>
where
    T: Copy + PartialOrd,
{
    fn rep_ok(&self) -> bool {
        usize::from(self.len) <= N && self.items.windows(2).all(|pair| pair[0] <= pair[1])
    }
}

/// A tuple with private and public fields.
#[derive(Bounded, Debug)]
#[bounded(no_invariant, derive(PartialEq))]
pub struct Pair(pub u8, Unit, pub(crate) Option<char>);

/// A unit.
#[derive(Bounded, Debug, PartialEq, Clone, Copy)]
#[bounded(no_invariant, derive(PartialEq))]
pub struct Unit;

/// Names that generated code might use itself.
#[derive(Bounded, Debug)]
pub struct Names {
    r#type: u8,
    b: bool,
    real: bool,
    at: Option<Box<Names>>,
    #[bounded(derived = Self::count)]
    w: usize,
}

#[rep_ok]
impl Names {
    fn rep_ok(&self) -> bool {
        let value = self.r#type;
        value < 2 && self.b == self.real && self.w == self.count()
    }

    fn count(&self) -> usize {
        self.at.as_ref().map_or(1, |at| 1 + at.count())
    }
}

/// Containers, and variants without names of their own.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
pub struct Containers {
    #[bounded(len = 0..=1)]
    queue: VecDeque<bool>,
    #[bounded(len = 0..=1)]
    map: HashMap<u8, bool>,
    #[bounded(len = 0..=1)]
    set: HashSet<bool>,
    #[bounded(len = 0..=1)]
    ordered: BTreeMap<bool, u8>,
    #[bounded(alphabet = "ab", len = 0..=1)]
    text: String,
    #[bounded(variants(A))]
    kind: Kind,
    shared: Arc<Unit>,
}

/// Variants.
#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    A,
    B,
}

/// Paths that the macros write need no more than these names, which the lint `unused_qualifications` knows.
pub use self::Kind::{A, B};

macro_rules! structure {
    ($name:ident, $field:ident) => {
        /// Defined by a macro.
        #[derive(Bounded, Debug)]
        pub struct $name {
            $field: u8,
        }

        #[rep_ok]
        impl $name {
            fn rep_ok(&self) -> bool {
                self.$field < 9
            }
        }
    };
}

structure!(First, value);
structure!(Second, slot);

#[cfg(test)]
mod tests {
    use super::{Buffer, Containers, First, Kind, Names, Pair, Second};

    #[smallscope::test(scope = 2)]
    fn buffers(buffer: Buffer<u8, String, 2>) {
        assert!(buffer.rep_ok() && buffer.len <= 2);
    }

    #[smallscope::test(scope = 2, disjoint = "off", threads = 1, order = "single", edges = false)]
    fn several(pair: Pair, (first, second): (u8, bool), third: &First, _: Second) {
        assert!(pair.0 < 2 && first < 2 && third.value < 2);
        let _ = second;
    }

    #[smallscope::test(scope = 1, clusters = false, audit)]
    fn names(names: &Names) -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(names.w, names.count());
        Ok(())
    }

    #[smallscope::test(scope = 1, budget = "10s", max = 500)]
    fn containers(value: Containers) {
        assert_eq!(value.kind, Kind::A);
    }
}
