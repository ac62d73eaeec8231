//! The traits between types and the search.
//!
//! A real type `T` has a *mirror* ([`Mirrored`]): what a predicate sees instead of it. Mirror structs are
//! [`Part`]s, made of cells. What a cell holds is a [`Value`]: plain data, a mirror pointer, a sequence, a
//! variant of an enum. Only `derive(Bounded)` should implement these traits.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::conjuncts::ConjunctSite;
use crate::eq_class::Classifier;
use crate::key::Key;
use crate::layout::Kind;
use crate::link::{At, Builder};
use crate::mirror::RefCell;
use crate::probe::DecisionSite;
use crate::site::TypeSite;
use crate::walk::Walk;
use std::any::TypeId;

/// A type whose values can be enumerated. Get it with `#[derive(Bounded)]` and `#[rep_ok]`.
pub trait Bounded: Mirrored<Cell: Part<Real = Self> + RepOk> + RepOk + Sized + 'static {}

impl<T> Bounded for T where T: Mirrored<Cell: Part<Real = T> + RepOk> + RepOk + Sized + 'static {}

/// The invariant: that of `#[rep_ok]`, for the real type and for its mirror.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no invariant",
    label = "smallscope needs to know which values are valid",
    note = "write `#[rep_ok] impl {Self} {{ fn rep_ok(&self) -> bool {{ .. }} }}`, or put `#[bounded(no_invariant)]` on the type if every value is valid"
)]
pub trait RepOk {
    /// The name of the invariant, `Type::rep_ok`; none if every value is valid. That of a container is the one of its
    /// elements.
    const INVARIANT: Option<&'static str> = Some("rep_ok");

    /// Whether the value is valid.
    fn rep_ok(&self) -> bool;

    /// The same for the value of a cell. That of a tuple need not be read as a whole.
    #[inline]
    fn holds_in(cell: &Tracked<Self>) -> bool
    where
        Self: Sized,
    {
        cell.__read().rep_ok()
    }

    /// The numbered decisions of the invariant.
    fn decisions() -> &'static [DecisionSite]
    where
        Self: Sized,
    {
        &[]
    }

    /// How to find the class of a value, if the type has `#[eq_class]`.
    fn classifier() -> Option<Classifier<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// The conjuncts of the invariant, if it ends with a conjunction.
    fn conjuncts() -> &'static [ConjunctSite]
    where
        Self: Sized,
    {
        &[]
    }

    /// The same for each input of a product.
    fn conjuncts_of_inputs() -> Vec<&'static [ConjunctSite]>
    where
        Self: Sized,
    {
        vec![]
    }
}

/// Finds out whether a value has an invariant, in generated code that cannot know: the inherent methods are there only if it
/// has, and go before those of [`NoInvariant`].
pub struct InvariantProbe<'a, T>(pub &'a T);

impl<T: RepOk> InvariantProbe<'_, T> {
    /// The name of the invariant.
    #[inline(always)]
    pub fn invariant(&self) -> Option<&'static str> {
        T::INVARIANT
    }

    /// Runs the invariant.
    #[inline]
    pub fn holds(&self) -> bool {
        self.0.rep_ok()
    }
}

/// The answers of an [`InvariantProbe`] for a type without an invariant.
pub trait NoInvariant {
    /// None.
    #[inline(always)]
    fn invariant(&self) -> Option<&'static str> {
        None
    }

    /// Every value is valid.
    #[inline]
    fn holds(&self) -> bool {
        true
    }
}

impl<T> NoInvariant for InvariantProbe<'_, T> {}

/// A real type with a mirror.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no bounded domain",
    label = "smallscope cannot enumerate this type",
    note = "if it is yours, add `#[derive(Bounded)]` to it; otherwise list the values to try with `#[bounded(values = [..])]` on the field; if an invariant merely uses it as a helper, write `#[rep_ok(opaque({Self}))]`"
)]
pub trait Mirrored {
    /// What the type looks like to a predicate.
    type Mirror;
    /// What a field of this type is stored as in a mirror struct.
    type Cell;
    /// What a `Vec` of this type looks like to a predicate.
    type Seq;
    /// What a map's value of this type looks like to a predicate.
    type InMap;
    /// True; cannot be evaluated for an enum that lacks a derive, which is reported there.
    const IS_ENUMERABLE: bool = true;
}

/// A part of the mirror heap at a fixed address: a cell, a mirror struct, a tuple of cells.
///
/// # Safety
///
/// `build` hands out values whose pointers may lead to memory that is filled only when the whole build is
/// finished. An implementation may move what it gets from other `build`s into its own result and do nothing
/// else with it; in particular not dereference, clone or drop it.
///
/// `update` must leave the value that `build` would have made. It gives each part of the value to one other `update`
/// at most, or replaces it, and then leaves that part alone: boxes in it are changed later, too.
pub unsafe trait Part: Sized + 'static {
    /// The real type.
    type Real: 'static;
    /// A part that is not linked yet.
    fn blank() -> Self;
    /// Gives every cell its slot.
    fn link(&'static self, b: &mut Builder, at: At);
    /// Reads every slot reachable from here, depth first, in declaration order.
    fn walk(&'static self, w: &mut Walk);
    /// The real counterpart of the current candidate.
    fn build(&'static self, b: &mut Build) -> Self::Real;
    /// Changes any value into that, keeping what it can of it.
    fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
        *real = self.build(b);
    }
    /// Opens every slot with the choice that the real value has.
    fn absorb(&'static self, real: &Self::Real, a: &mut Absorb);
    /// How many constants there are.
    const CONSTANTS: u32 = 0;
    /// Objects that a `Box` can hold without taking one from its pool: the variants without fields of an enum. They belong to
    /// no heap and have no slots.
    fn constants(b: &mut Builder, at: At) -> Vec<Self> {
        let _ = (b, at);
        vec![]
    }
    /// What a constant is, in a word.
    fn constant_label(&'static self) -> String {
        String::new()
    }
    /// The number of the constant that stands for a real value.
    fn constant_of(real: &Self::Real, a: &mut Absorb) -> Option<u32> {
        let _ = (real, a);
        None
    }
}

/// What a cell can hold.
///
/// # Safety
///
/// As for [`Part`]; `domain` must return as many values as its kind has choices; and values of a type that is `SHARED` may be
/// copied bit by bit, so they have no interior mutability that a copy must not have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of a bounded field",
    label = "smallscope cannot enumerate this",
    note = "use a type with a built-in domain, derive `Bounded` for it, or list values with `#[bounded(values = [..])]` on the field; keys of maps and elements of sets are plain data: integers, `bool`, `char`, `String`, `smallscope::Key`, tuples of these, enums without payload"
)]
pub unsafe trait Value: Sized + 'static {
    /// The real type.
    type Real: 'static;
    /// Whether all cells of one field can share a table; false where values have cells inside. Shared values have
    /// no interior mutability.
    const SHARED: bool = true;
    /// Whether each value of the table contains the cells of those before it (sequences of growing length).
    const CUMULATIVE: bool = false;
    /// Whether its values can be or contain keys, other than in cells inside.
    const KEYS: bool = false;
    /// Whether its values hash these keys.
    const HASHES_KEYS: bool = false;
    /// For an enum with variants without fields and others: whether each variant has no fields. Empty for all other types.
    const FIELDLESS: &'static [bool] = &[];
    /// Whether it is a set or a map.
    const HAS_KEYS: bool = false;
    /// Whether values have cells inside, so that a copy of one is not the same value.
    const HAS_CELLS: bool = !Self::SHARED;
    /// Whether a cell of such a value has no slot but cells for its components. Then the functions about parts take the
    /// place of those about tables.
    const IS_SPLIT: bool = false;
    /// Gives a cell the cells of the components, and links them.
    fn split(cell: &'static Tracked<Self>, b: &mut Builder, at: At) {
        let _ = (cell, b, at);
        unreachable!("{NOT_SPLIT}");
    }
    /// Reads every slot reachable from the components.
    fn walk_parts(cell: &'static Tracked<Self>, w: &mut Walk) {
        let _ = (cell, w);
        unreachable!("{NOT_SPLIT}");
    }
    /// The real counterpart of the components.
    fn build_parts(cell: &'static Tracked<Self>, b: &mut Build) -> Self::Real {
        let _ = (cell, b);
        unreachable!("{NOT_SPLIT}");
    }
    /// Changes any value into that, keeping what it can of it.
    fn update_parts(cell: &'static Tracked<Self>, real: &mut Self::Real, b: &mut Build) {
        *real = Self::build_parts(cell, b);
    }
    /// Opens the slots of the components.
    fn absorb_parts(cell: &'static Tracked<Self>, real: &Self::Real, a: &mut Absorb) {
        let _ = (cell, real, a);
        unreachable!("{NOT_SPLIT}");
    }
    /// The table of values with what the engine needs to know.
    fn domain(b: &mut Builder, at: At) -> Domain<Self>;
    /// Links the cells inside a value that now is at its final address.
    fn link_inside(&'static self, b: &mut Builder, at: At) {
        let _ = (b, at);
    }
    /// Reads every slot reachable from here: none, unless there are cells inside, or pointers.
    #[inline]
    fn walk(&'static self, w: &mut Walk) {
        let _ = w;
    }
    /// The real counterpart.
    fn build(&'static self, b: &mut Build) -> Self::Real;
    /// Changes any value into that, keeping what it can of it.
    fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
        *real = self.build(b);
    }
    /// What it is, in a word or two, for drawings.
    fn label(&self) -> String;
    /// The choice that a real value corresponds to. Called with the values of the table; pointers and
    /// vectors of objects ask `a` instead.
    fn choice_of(table: Table<'_, Self>, real: &Self::Real, a: &mut Absorb) -> Option<u32>;
    /// Opens the slots inside, once the choice is made.
    fn absorb_inside(&'static self, real: &Self::Real, a: &mut Absorb) {
        let _ = (real, a);
    }
    /// The number that it stands for, for types whose values are ordered like numbers.
    fn code(&self) -> Option<i64> {
        None
    }
    /// How many elements of sequences it has, apart from those in cells inside: the characters of a string, the elements of
    /// a set, the cells of a vector.
    fn elements(&self) -> u32 {
        0
    }
    /// Whether it is a `None` of plain data.
    fn is_nothing(&self) -> bool {
        false
    }
    /// What stands for the value of a slot that is not decided, for types that can leave that open.
    fn undecided(slot: u32) -> Option<Self> {
        let _ = slot;
        None
    }
    /// A copy with other keys, which compare with each other in the same way. Cells inside are new. None if there are no
    /// keys.
    fn with_keys(&self, keys: &mut dyn FnMut(Key) -> Key) -> Option<Self> {
        let _ = keys;
        None
    }
    /// Whether it is the same choice as another value with keys.
    fn is_same(&self, other: &Self) -> bool {
        let _ = other;
        false
    }
}

/// How many variants before one have no fields.
#[inline]
pub(crate) const fn fieldless_before(is_fieldless: &[bool], variant: usize) -> u32 {
    let (mut count, mut i) = (0, 0);
    while i < variant {
        count += is_fieldless[i] as u32;
        i += 1;
    }
    count
}
const NOT_SPLIT: &str = "smallscope internal error: a value without parts";

/// Returns the values of a table, one by one. As an iterator, it would have methods that nothing calls, compiled for each
/// type.
pub type Table<'a, T> = &'a mut dyn FnMut() -> Option<&'static T>;

/// The number of the first value that fits.
pub fn position<T>(next: Table<'_, T>, mut fits: impl FnMut(&'static T) -> bool) -> Option<u32> {
    let mut number = 0;
    while let Some(value) = next() {
        if fits(value) {
            return Some(number);
        }
        number += 1;
    }
    None
}

/// A type that may instantiate a type parameter: it is its own mirror.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand for a type parameter of a structure: take an integer, `bool`, `char`, `String`, `smallscope::Key`, or an enum without payload that derives `Bounded`, `Clone`, `Ord` and `Hash`",
    label = "not plain data"
)]
pub trait Param: Leaf + Ord + std::hash::Hash + std::fmt::Debug {}

#[diagnostic::do_not_recommend]
impl<T: Leaf + Ord + std::hash::Hash + std::fmt::Debug> Param for T {}

/// Plain data: its own mirror, no cells inside, no pointers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data",
    label = "neither an integer, `bool`, `char`, `String` or `Key` nor made of these",
    note = "type parameters, keys of maps and elements of sets are integers, `bool`, `char`, `String`, `smallscope::Key`, tuples and sets of these, or enums without payload that derive `Bounded`, `Clone`, `PartialEq`, `Eq`, `PartialOrd`, `Ord` and `Hash`"
)]
pub trait Leaf: Clone + PartialEq + Value<Real = Self> + Mirrored<Mirror = Self> {
    /// Whether its values can be or contain keys.
    const IS_KEYED: bool = false;
    /// Whether its values hash these keys.
    const IS_HASHED: bool = false;
    /// Whether it is a set.
    const IS_SET: bool = false;
    /// All values of a field, in trying order.
    fn leaves(b: &mut Builder, at: At) -> Leaves<Self>;
    /// The value in words, for drawings.
    fn show(&self) -> String;
    /// The value that stands for an index into a vector, for types that can (`#[bounded(index = ..)]`).
    fn index(i: u32) -> Option<Self> {
        let _ = i;
        None
    }
    /// The number that it stands for; see [`Value::code`].
    fn number(&self) -> Option<i64> {
        None
    }
    /// How many elements of sequences it has; see [`Value::elements`].
    fn length(&self) -> u32 {
        0
    }
    /// What stands for a value that is not decided; see [`Value::undecided`].
    fn open(slot: u32) -> Option<Self> {
        let _ = slot;
        None
    }
    /// A copy with other keys; see [`Value::with_keys`].
    fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self {
        let _ = keys;
        self.clone()
    }
}

/// Values of plain data with the scopes in which each is available.
pub struct Leaves<T> {
    /// The values.
    pub values: Vec<T>,
    /// One mask per value, bit `s` for scope `s`.
    pub masks: Vec<u64>,
}

impl<T> Leaves<T> {
    /// Values that do not depend on the scope.
    pub fn fixed(values: Vec<T>) -> Self {
        let masks = vec![u64::MAX; values.len()];
        Leaves { values, masks }
    }

    /// The table of a cell.
    pub fn into_domain(self) -> Domain<T> {
        let count = self.values.len() as u32;
        Domain {
            values: self.values,
            kind: Kind::Values { count, frugal: true },
            masks: self.masks,
            lengths: vec![],
        }
    }
}

/// A table of values, and what its choices are.
pub struct Domain<T> {
    /// The table.
    pub values: Vec<T>,
    /// What the choices are.
    pub kind: Kind,
    /// The scopes in which each choice is available; empty for all.
    pub masks: Vec<u64>,
    /// The lengths of a vector of objects.
    pub lengths: Vec<u32>,
}

impl<T> Domain<T> {
    /// A table of values of which each is one choice.
    pub fn plain(values: Vec<T>) -> Self {
        Leaves::fixed(values).into_domain()
    }
}

/// What a mirror pointer can point to. Implemented for all type parameters, so that predicates need no further bounds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mirror type",
    label = "the real type, inside code that runs on mirrors",
    note = "derive `Bounded` for it; if it comes from another module, name its path: `#[rep_ok(path::to::Type)]`; raw pointers, `Box` and `Rc` must point to structures"
)]
pub trait Pointee: Sized {
    /// What lies in the pool.
    type Object;
    /// What lies in the pool when there is a `RefCell` around it.
    type RefObject;
    /// The name of the type.
    const SITE: &'static TypeSite;
    /// The type whose objects are counted: without a `RefCell` around it.
    fn counted() -> TypeId
    where
        Self: 'static,
    {
        TypeId::of::<Self>()
    }
    /// What a predicate sees of the object.
    fn target(object: &Self::Object) -> &Self;
    /// What a predicate sees of the object when there is a `RefCell` around it.
    fn ref_target(object: &Self::RefObject) -> &RefCell<Self>;
}

/// A mirror struct as `derive(Bounded)` makes it: as a value, it is one choice with cells inside.
pub trait Body: Part + Pointee {}

/// A mirror struct: what raw pointers can point to, and what vectors hold side by side.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mirror struct",
    label = "raw pointers and vectors of objects need a struct here",
    note = "wrap the enum in a struct, or use `Box`, `Rc` or `Arc`"
)]
pub trait Struct: Pointee<Object = Self> {}
