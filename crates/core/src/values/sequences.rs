//! `Vec`, `VecDeque`, `Box<[T]>` and arrays: a length slot and one slot per element, or, for structs and
//! enums with payload, a length slot and objects from a pool.

use super::elements;
use crate::absorb::Absorb;
use crate::bounds::{Choices, MAX_DOMAIN};
use crate::build::Build;
use crate::cell::Tracked;
use crate::error::Error;
use crate::layout::Kind;
use crate::link::{At, Builder, fill};
use crate::mirror::{Array, EnumItems, Items, Leaked, Seq};
use crate::shape::{Domain, Leaves, Mirrored, Part, Pointee, RepOk, Struct, Table, Value, position};
use crate::values::wrapped::{As, Container};
use crate::walk::Walk;
use std::any::TypeId;
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::mem::ManuallyDrop;

impl<T: Mirrored> Mirrored for Vec<T> {
    type Mirror = T::Seq;
    type Cell = Tracked<T::Seq>;
    type Seq = Seq<T::Seq>;
    type InMap = Tracked<T::Seq>;
}

impl<T: Mirrored> Mirrored for VecDeque<T> {
    type Mirror = As<VecDeque<()>, T::Seq>;
    type Cell = Tracked<As<VecDeque<()>, T::Seq>>;
    type Seq = Seq<As<VecDeque<()>, T::Seq>>;
    type InMap = Tracked<As<VecDeque<()>, T::Seq>>;
}

impl<T: Mirrored> Mirrored for Box<[T]> {
    type Mirror = As<Box<[()]>, T::Seq>;
    type Cell = Tracked<As<Box<[()]>, T::Seq>>;
    type Seq = Seq<As<Box<[()]>, T::Seq>>;
    type InMap = Tracked<As<Box<[()]>, T::Seq>>;
}

/// A sequence seen element by element.
pub trait Sequence: Value<Real = Vec<Self::Element>> {
    /// The real element.
    type Element: 'static;
    /// The choice of a length.
    fn choice_of_len(table: Table<'_, Self>, len: usize, a: &mut Absorb) -> Option<u32>;
    /// Opens the slots of one element.
    fn absorb_element(&'static self, i: usize, real: &Self::Element, a: &mut Absorb);
    /// Changes the elements; false if there are more or fewer of them, and nothing was done.
    fn update_elements<'a>(
        &'static self,
        reals: impl ExactSizeIterator<Item = &'a mut Self::Element>,
        b: &mut Build,
    ) -> bool;
}

/// Changes values into those of as many parts.
#[inline]
fn update_all<'a, P: Part>(
    parts: &'static [P],
    reals: impl ExactSizeIterator<Item = &'a mut P::Real>,
    b: &mut Build,
) -> bool {
    let is_as_long = parts.len() == reals.len();
    if is_as_long {
        parts.iter().zip(reals).for_each(|(part, real)| part.update(real, b));
    }
    is_as_long
}

macro_rules! update_elements {
    ($field:tt) => {
        #[inline]
        fn update_elements<'a>(
            &'static self,
            reals: impl ExactSizeIterator<Item = &'a mut Self::Element>,
            b: &mut Build,
        ) -> bool {
            update_all(self.$field.slice(), reals, b)
        }
    };
}

// SAFETY: moves what the sequence built into another container, which looks at no element.
unsafe impl<C: Container<S::Element> + 'static, S: Sequence> Value for As<C, S> {
    type Real = C::Of;
    const SHARED: bool = S::SHARED;
    const HAS_CELLS: bool = S::HAS_CELLS;
    const CUMULATIVE: bool = S::CUMULATIVE;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        let d = S::domain(b, at);
        let values =
            d.values.into_iter().map(|seq| As { seq, container: std::marker::PhantomData }).collect();
        Domain { values, kind: d.kind, masks: d.masks, lengths: d.lengths }
    }
    fn link_inside(&'static self, b: &mut Builder, at: At) {
        self.seq.link_inside(b, at);
    }
    fn walk(&'static self, w: &mut Walk) {
        self.seq.walk(w);
    }
    fn build(&'static self, b: &mut Build) -> C::Of {
        C::from_vec(self.seq.build(b))
    }
    fn update(&'static self, real: &mut C::Of, b: &mut Build) {
        if !self.seq.update_elements(C::iter_mut(real), b) {
            *real = self.build(b);
        }
    }
    fn label(&self) -> String {
        self.seq.label()
    }
    fn elements(&self) -> u32 {
        self.seq.elements()
    }
    fn choice_of(table: Table<'_, Self>, real: &C::Of, a: &mut Absorb) -> Option<u32> {
        S::choice_of_len(&mut || table().map(|t| &t.seq), C::len(real), a)
    }
    fn absorb_inside(&'static self, real: &C::Of, a: &mut Absorb) {
        (0..C::len(real)).for_each(|i| self.seq.absorb_element(i, C::get(real, i), a));
    }
}

macro_rules! vec_choice {
    () => {
        #[inline]
        fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
            if !self.update_elements(real.iter_mut(), b) {
                *real = self.build(b);
            }
        }
        fn label(&self) -> String {
            elements(self.len())
        }
        fn choice_of(table: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32> {
            Self::choice_of_len(table, real.len(), a)
        }
        fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
            real.iter().enumerate().for_each(|(i, r)| self.absorb_element(i, r, a));
        }
    };
}

// SAFETY: moves what the elements' `build` returns into a vector.
unsafe impl<T: Value> Value for Seq<T> {
    type Real = Vec<T::Real>;
    const SHARED: bool = false;
    const HAS_CELLS: bool = false;
    const CUMULATIVE: bool = true;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        let lengths = b.lengths(at);
        let longest = lengths.values.iter().max().copied().unwrap_or(0);
        let cells: &'static [Tracked<T>] = Box::leak((0..longest).map(|_| Tracked::blank()).collect());
        if longest == 0 {
            b.rehearse::<Tracked<T>>(at);
        }
        let mut shorter = 0;
        let mut seq = |len: u32| {
            let seq = Seq::new(&cells[..len as usize], shorter);
            shorter = len as usize;
            seq
        };
        Leaves { values: lengths.values.iter().map(|&l| seq(l)).collect(), masks: lengths.masks }
            .into_domain()
    }
    fn link_inside(&'static self, b: &mut Builder, at: At) {
        for (i, cell) in self.cells.slice().iter().enumerate().skip(self.shorter) {
            fill::enter(b, at, i);
            cell.link(b, at);
        }
        fill::leave(b);
    }
    fn walk(&'static self, w: &mut Walk) {
        self.cells.slice().iter().for_each(|c| Part::walk(c, w));
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        b.vec(self.cells.slice().iter().map(|c| move |b: &mut Build| Part::build(c, b)))
    }
    fn elements(&self) -> u32 {
        self.cells.slice().len() as u32
    }
    vec_choice!();
}

impl<T: Value> Sequence for Seq<T> {
    type Element = T::Real;
    fn choice_of_len(table: Table<'_, Self>, len: usize, _: &mut Absorb) -> Option<u32> {
        position(table, |s| s.len() == len)
    }
    fn absorb_element(&'static self, i: usize, real: &T::Real, a: &mut Absorb) {
        self.cells.slice()[i].absorb(real, a);
    }
    update_elements!(cells);
}

/// The table of a vector of objects: for each length, one entry per first object.
fn items<O: Part, S>(
    b: &mut Builder,
    at: At,
    (site, counted): (&'static crate::site::TypeSite, TypeId),
    make: impl Fn(&'static [O]) -> S,
) -> Domain<S> {
    let mut lengths = b.lengths(at);
    fill::expect(b, at, &lengths.values);
    let (pool, objects) = b.inline_pool::<O>(at, site, counted);
    let size = objects.len();
    fill::check_pool(b, at, pool, size);
    if lengths.values.len() as u64 * (size as u64 + 1) > MAX_DOMAIN {
        let why = format!(
            "{} lengths times {size} first elements, at most {MAX_DOMAIN} vectors fit",
            lengths.values.len()
        );
        b.fail(Error::TooLarge { at: at.site.to_string(), why });
        lengths = Choices { values: vec![0], masks: vec![u64::MAX] };
    }
    // Lengths that exceed the pool are kept: the heap never allows them, so their entries are never read.
    let entry = |len: u32, start: usize| make(&objects[start..(start + len as usize).min(size)]);
    let values = lengths.values.iter().flat_map(|&len| (0..=size).map(move |start| (len, start)));
    Domain {
        values: values.map(|(len, start)| entry(len, start)).collect(),
        kind: Kind::Items { pool, prefix: 0, count: lengths.values.len() as u32 },
        masks: lengths.masks,
        lengths: lengths.values,
    }
}

// SAFETY: moves what the elements' `build` returns into a vector.
unsafe impl<T: Struct + Part> Value for Items<T> {
    type Real = Vec<T::Real>;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        items(b, at, (T::SITE, T::counted()), |objects| Items(Leaked::new(objects)))
    }
    fn walk(&'static self, w: &mut Walk) {
        self.0.slice().iter().for_each(|o| o.walk(w));
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        b.vec(self.0.slice().iter().map(|o| move |b: &mut Build| o.build(b)))
    }
    vec_choice!();
}

impl<T: Struct + Part> Sequence for Items<T> {
    type Element = T::Real;
    fn choice_of_len(_: Table<'_, Self>, len: usize, a: &mut Absorb) -> Option<u32> {
        a.length(len)
    }
    fn absorb_element(&'static self, i: usize, real: &T::Real, a: &mut Absorb) {
        self.0.slice()[i].absorb(real, a);
    }
    update_elements!(0);
}

// SAFETY: moves what the elements' `build` returns into a vector.
unsafe impl<T: Value + Pointee<Object = Tracked<T>>> Value for EnumItems<T> {
    type Real = Vec<T::Real>;
    fn domain(b: &mut Builder, at: At) -> Domain<Self> {
        items(b, at, (T::SITE, T::counted()), |objects| EnumItems(Leaked::new(objects)))
    }
    fn walk(&'static self, w: &mut Walk) {
        self.0.slice().iter().for_each(|o| Part::walk(o, w));
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        b.vec(self.0.slice().iter().map(|o| move |b: &mut Build| Part::build(o, b)))
    }
    vec_choice!();
}

impl<T: Value + Pointee<Object = Tracked<T>>> Sequence for EnumItems<T> {
    type Element = T::Real;
    fn choice_of_len(_: Table<'_, Self>, len: usize, a: &mut Absorb) -> Option<u32> {
        a.length(len)
    }
    fn absorb_element(&'static self, i: usize, real: &T::Real, a: &mut Absorb) {
        self.0.slice()[i].absorb(real, a);
    }
    update_elements!(0);
}

impl<T: RepOk> RepOk for Vec<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.iter().all(RepOk::rep_ok)
    }
}

impl<T: RepOk> RepOk for VecDeque<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.iter().all(RepOk::rep_ok)
    }
}

impl<T: RepOk> RepOk for Box<[T]> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.iter().all(RepOk::rep_ok)
    }
}

impl<T: RepOk> RepOk for Seq<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.__cells().iter().all(T::holds_in)
    }
}

impl<T: RepOk> RepOk for Items<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.0.iter().all(RepOk::rep_ok)
    }
}

impl<T: RepOk> RepOk for EnumItems<T> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.iter().all(RepOk::rep_ok)
    }
}

impl<T: Mirrored, const N: usize> Mirrored for [T; N] {
    type Mirror = Array<T::Mirror, N>;
    type Cell = Array<T::Mirror, N>;
    type Seq = Seq<Array<T::Mirror, N>>;
    type InMap = Array<T::Mirror, N>;
}

// SAFETY: moves what the elements' `build` returns into an array.
unsafe impl<T: Value, const N: usize> Part for Array<T, N> {
    type Real = [T::Real; N];
    fn blank() -> Self {
        Array(OnceCell::new())
    }
    fn link(&'static self, b: &mut Builder, at: At) {
        let cells: &'static [Tracked<T>] = Box::leak((0..N).map(|_| Tracked::blank()).collect());
        cells.iter().for_each(|c| c.link(b, at));
        if N == 0 {
            b.rehearse::<Tracked<T>>(at);
        }
        assert!(self.0.set(Seq::new(cells, 0)).is_ok(), "smallscope internal error: a part is linked once");
    }
    fn walk(&'static self, w: &mut Walk) {
        self.cells.slice().iter().for_each(|c| Part::walk(c, w));
    }
    fn build(&'static self, b: &mut Build) -> Self::Real {
        let cells = self.cells.slice();
        let elements: [ManuallyDrop<T::Real>; N] =
            std::array::from_fn(|i| ManuallyDrop::new(Part::build(&cells[i], b)));
        elements.map(ManuallyDrop::into_inner)
    }
    fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
        update_all(self.cells.slice(), real.iter_mut(), b);
    }
    fn absorb(&'static self, real: &Self::Real, a: &mut Absorb) {
        real.iter().enumerate().for_each(|(i, r)| self.cells.slice()[i].absorb(r, a));
    }
}

// SAFETY: as a part; one value, one choice.
unsafe impl<T: Value, const N: usize> Value for Array<T, N> {
    type Real = [T::Real; N];
    const SHARED: bool = false;
    const HAS_CELLS: bool = false;
    as_its_part!();
    fn label(&self) -> String {
        elements(N)
    }
}

impl<T: RepOk, const N: usize> RepOk for Array<T, N> {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        super::is_left_unread::<T>() || self.__cells().iter().all(T::holds_in)
    }
}

impl<T: RepOk, const N: usize> RepOk for [T; N] {
    const INVARIANT: Option<&'static str> = T::INVARIANT;
    fn rep_ok(&self) -> bool {
        self.iter().all(RepOk::rep_ok)
    }
}
