//! `Option`: one more choice in front, unless bounds or attributes say that it is never `None`.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::key::Key;
use crate::layout::Kind;
use crate::link::{At, Builder};
use crate::mirror::{self, Seq};
use crate::shape::{Domain, Leaf, Leaves, Mirrored, Part, RepOk, Table, Value};
use crate::values::MapValue;
use crate::values::tuples::{Optional, optional_holds, same_real};
use crate::walk::Walk;

impl<T: Mirrored> Mirrored for Option<T> {
    type Mirror = Option<T::Mirror>;
    type Cell = Tracked<Option<T::Mirror>>;
    type Seq = Seq<Option<T::Mirror>>;
    type InMap = Tracked<Option<T::Mirror>>;
}

// SAFETY: passes on what `T::build` returns; one more value, one more choice.
unsafe impl<T: Value> Value for Option<T> {
    type Real = Option<T::Real>;
    const SHARED: bool = T::SHARED;
    const CUMULATIVE: bool = T::CUMULATIVE;
    const KEYS: bool = T::KEYS;
    const HASHES_KEYS: bool = T::HASHES_KEYS;
    const HAS_CELLS: bool = T::HAS_CELLS;
    // Keys of sets and maps are asked about, which takes a cell of the set or map.
    same_real!(Optional<T>, T::IS_SPLIT || T::HAS_KEYS);

    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        let d = T::domain(b, at);
        let may_be_none = b.may_be_null(at);
        // Pointers have a place for `None` in their table in any case.
        let has_none = may_be_none || matches!(d.kind, Kind::Pointer(_));
        let mut values = Vec::with_capacity(d.values.len() + 1);
        if has_none {
            values.push(None);
        }
        for value in d.values {
            values.push(Some(value));
        }
        let (mut kind, mut masks) = (d.kind, d.masks);
        if has_none {
            add_none(&mut kind, &mut masks, may_be_none);
        }
        Domain { values, kind, masks, lengths: d.lengths }
    }

    fn link_inside(&'static self, b: &mut Builder, at: At) {
        if let Some(x) = self {
            x.link_inside(b, at);
        }
    }

    fn walk(&'static self, w: &mut Walk) {
        if let Some(x) = self {
            x.walk(w);
        }
    }

    #[inline]
    fn build(&'static self, b: &mut Build) -> Self::Real {
        self.as_ref().map(|x| x.build(b))
    }

    #[inline]
    fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
        match (self, &mut *real) {
            // A value without a destructor has nothing worth keeping.
            (Some(x), Some(real)) if std::mem::needs_drop::<T::Real>() => x.update(real, b),
            (this, _) => *real = this.build(b),
        }
    }

    fn label(&self) -> String {
        self.as_ref().map_or_else(|| "none".into(), T::label)
    }

    fn choice_of(table: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
        let mut first = table();
        let may_be_none = matches!(first, Some(None));
        match real {
            Some(real) => {
                let mut contents = || {
                    loop {
                        if let Some(content) = first.take().or_else(&mut *table)? {
                            return Some(content);
                        }
                    }
                };
                T::choice_of(&mut contents, real, a).map(|c| c + u32::from(may_be_none))
            }
            None => may_be_none.then_some(0),
        }
    }

    fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
        if let (Some(x), Some(real)) = (self, real) {
            x.absorb_inside(real, a);
        }
    }

    fn code(&self) -> Option<i64> {
        self.as_ref().and_then(T::code)
    }

    fn elements(&self) -> u32 {
        self.as_ref().map_or(0, T::elements)
    }

    fn is_nothing(&self) -> bool {
        self.is_none()
    }

    fn undecided(slot: u32) -> Option<Self> {
        T::undecided(slot).map(Some)
    }

    fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Option<Self> {
        match self {
            Some(x) => x.with_keys(keys).map(Some),
            None => Some(None),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(x), Some(y)) => x.is_same(y),
            (x, y) => x.is_none() && y.is_none(),
        }
    }
}

impl<T: Leaf> Leaf for Option<T> {
    const IS_KEYED: bool = T::IS_KEYED;
    const IS_HASHED: bool = T::IS_HASHED;

    fn leaves(b: &mut Builder, at: At) -> Leaves<Self> {
        let l = T::leaves(b, at);
        Leaves {
            values: std::iter::once(None).chain(l.values.into_iter().map(Some)).collect(),
            masks: std::iter::once(u64::MAX).chain(l.masks).collect(),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".into(), T::show)
    }

    fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self {
        self.as_ref().map(|x| x.rekeyed(keys))
    }

    fn length(&self) -> u32 {
        self.as_ref().map_or(0, T::length)
    }
}

impl<T: RepOk> RepOk for Option<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.as_ref().is_none_or(RepOk::rep_ok)
    }
    fn holds_in(cell: &Tracked<Self>) -> bool {
        if cell.is_split() { optional_holds(cell) } else { cell.__read().rep_ok() }
    }
}

impl<T: Leaf> MapValue for Option<T> {
    type BTreeMap<K> = mirror::BTreeMap<K, Option<T>>;
    type HashMap<K> = mirror::HashMap<K, Option<T>>;
}

/// Notes that the first value of a table is none, which was added.
fn add_none(kind: &mut Kind, masks: &mut Vec<u64>, may_be_none: bool) {
    if !masks.is_empty() {
        masks.insert(0, u64::MAX);
    }
    match kind {
        Kind::Values { count, .. } => *count += 1,
        Kind::Items { prefix, .. } | Kind::Index { prefix, .. } => *prefix += 1,
        Kind::Pointer(p) => {
            p.prefix += 1;
            p.nones += 1;
            p.nullable = may_be_none;
            p.prepaid = !may_be_none && p.prepaid;
        }
    }
}
