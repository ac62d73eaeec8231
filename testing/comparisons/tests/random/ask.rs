//! Fields that a program asks about instead of reading them: by the functions that instrumented code calls on mirrors,
//! by plain operators on real values.

use crate::sets::SetSpot;
use smallscope::__private::{Tracked, eq, ge, gt, le, lt, minus, mirror, ne, plus};
use smallscope::Key;
use smallscope_core::ask::{Asked, NOTHING, Operand, Promise, Shifted};
use smallscope_core::cell::Head;
use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::ptr::NonNull;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Whether the program runs on a real value or on mirrors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum World {
    Real,
    Mirror,
}

/// A value of plain data on one side of a comparison.
pub enum Spot<'a, T> {
    /// A real value, or one that was read.
    Ref(&'a T),
    /// A constant.
    Own(T),
    /// A cell that is asked.
    Asked(Asked<'a, T>),
    /// A sum of a cell and a number.
    Shifted(Shifted<'a, T>),
}

impl<T> Operand for Spot<'_, T> {
    type Value = T;
    fn cell(&self) -> Option<(&Head, i64)> {
        match self {
            Spot::Asked(asked) => asked.cell(),
            Spot::Shifted(shifted) => shifted.cell(),
            Spot::Ref(_) | Spot::Own(_) => None,
        }
    }
    fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        match self {
            Spot::Ref(value) => f(value),
            Spot::Own(value) => f(value),
            Spot::Asked(asked) => asked.with(f),
            Spot::Shifted(shifted) => shifted.with(f),
        }
    }
    fn with_choice<R>(&self, choice: u32, f: impl FnOnce(&T) -> R) -> R {
        match self {
            Spot::Ref(value) => f(value),
            Spot::Own(value) => f(value),
            Spot::Asked(asked) => asked.with_choice(choice, f),
            Spot::Shifted(shifted) => shifted.with_choice(choice, f),
        }
    }
}

impl<'a, T> Spot<'a, T> {
    pub fn real(&self) -> &T {
        match self {
            Spot::Ref(value) => value,
            Spot::Own(value) => value,
            Spot::Asked(_) | Spot::Shifted(_) => unreachable!("a cell among real values"),
        }
    }

    fn equals(self, op: Op, world: World, promise: Promise, other: Spot<'a, T>) -> Option<bool>
    where
        T: PartialEq,
    {
        Some(match (op, world) {
            (Op::Eq, World::Real) => self.real() == other.real(),
            (Op::Ne, World::Real) => self.real() != other.real(),
            (Op::Eq, World::Mirror) => eq(promise, self, other, |a, b| a == b),
            (Op::Ne, World::Mirror) => ne(promise, self, other, |a, b| a != b),
            _ => return None,
        })
    }

    fn compare(self, op: Op, world: World, promise: Promise, other: Spot<'a, T>) -> Option<bool>
    where
        T: PartialOrd,
    {
        Some(match (op, world) {
            (Op::Eq | Op::Ne, _) => return self.equals(op, world, promise, other),
            (Op::Lt, World::Real) => self.real() < other.real(),
            (Op::Le, World::Real) => self.real() <= other.real(),
            (Op::Gt, World::Real) => self.real() > other.real(),
            (Op::Ge, World::Real) => self.real() >= other.real(),
            (Op::Lt, World::Mirror) => lt(promise, self, other, |a, b| a < b),
            (Op::Le, World::Mirror) => le(promise, self, other, |a, b| a <= b),
            (Op::Gt, World::Mirror) => gt(promise, self, other, |a, b| a > b),
            (Op::Ge, World::Mirror) => ge(promise, self, other, |a, b| a >= b),
        })
    }
}

/// An enum without payload, which programs compare by `==` only.
#[derive(smallscope::Bounded, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hue {
    Red,
    Green,
    Blue,
}

/// What can be asked about.
pub enum Asking<'a> {
    Nothing,
    U8(Spot<'a, u8>),
    I8(Spot<'a, i8>),
    Usize(Spot<'a, usize>),
    Bool(Spot<'a, bool>),
    Hue(Spot<'a, Hue>),
    MaybeU8(Spot<'a, Option<u8>>),
    Key(Spot<'a, Key>),
    MaybeKey(Spot<'a, Option<Key>>),
    /// An optional value.
    Presence(Box<dyn Presence + 'a>),
    /// A raw pointer.
    Pointer(Box<dyn Pointer<'a> + 'a>),
    Set(SetSpot<'a>),
}

impl<'a> Asking<'a> {
    /// A constant of the same type.
    pub fn constant(&self, n: i64) -> Asking<'a> {
        let maybe = |n: i64| (n >= 0).then_some(n);
        match self {
            Asking::U8(_) => Asking::U8(Spot::Own(n.clamp(0, 255) as u8)),
            Asking::I8(_) => Asking::I8(Spot::Own(n as i8)),
            Asking::Usize(_) => Asking::Usize(Spot::Own(n.max(0) as usize)),
            Asking::Bool(_) => Asking::Bool(Spot::Own(n != 0)),
            Asking::Hue(_) => {
                Asking::Hue(Spot::Own([Hue::Red, Hue::Green, Hue::Blue][n.rem_euclid(3) as usize]))
            }
            Asking::MaybeU8(_) => Asking::MaybeU8(Spot::Own(maybe(n).map(|n| n.min(255) as u8))),
            Asking::Key(_) => Asking::Key(Spot::Own(Key::new(n.max(0) as u32))),
            Asking::MaybeKey(_) => Asking::MaybeKey(Spot::Own(maybe(n).map(|n| Key::new(n as u32)))),
            Asking::Nothing | Asking::Presence(_) | Asking::Pointer(_) | Asking::Set(_) => Asking::Nothing,
        }
    }

    /// How two of the same type compare; `None` if they do not.
    pub fn compare(self, op: Op, world: World, promise: Promise, other: Asking<'a>) -> Option<bool> {
        match (self, other) {
            (Asking::U8(a), Asking::U8(b)) => a.compare(op, world, promise, b),
            (Asking::I8(a), Asking::I8(b)) => a.compare(op, world, promise, b),
            (Asking::Usize(a), Asking::Usize(b)) => a.compare(op, world, promise, b),
            (Asking::Bool(a), Asking::Bool(b)) => a.compare(op, world, promise, b),
            (Asking::Hue(a), Asking::Hue(b)) => a.equals(op, world, promise, b),
            (Asking::MaybeU8(a), Asking::MaybeU8(b)) => a.compare(op, world, promise, b),
            (Asking::Key(a), Asking::Key(b)) => a.compare(op, world, promise, b),
            (Asking::MaybeKey(a), Asking::MaybeKey(b)) => a.compare(op, world, promise, b),
            (Asking::Pointer(a), Asking::Pointer(b)) => a.compare(op, world, promise, b),
            _ => None,
        }
    }

    /// Whether there is none; `None` if there always is something.
    pub fn ask_none(self, promise: Promise) -> Option<bool> {
        match self {
            Asking::MaybeU8(spot) => Some(Box::new(spot).is_none(promise)),
            Asking::MaybeKey(spot) => Some(Box::new(spot).is_none(promise)),
            Asking::Presence(spot) => Some(spot.is_none(promise)),
            Asking::Pointer(spot) => Some(spot.is_none(promise)),
            _ => None,
        }
    }

    /// The same question the other way round.
    pub fn ask_some(self, promise: Promise) -> Option<bool> {
        match self {
            Asking::MaybeU8(spot) => Some(Box::new(spot).is_some(promise)),
            Asking::MaybeKey(spot) => Some(Box::new(spot).is_some(promise)),
            Asking::Presence(spot) => Some(spot.is_some(promise)),
            Asking::Pointer(spot) => Some(!spot.is_none(smallscope::__private::not(promise))),
            _ => None,
        }
    }

    /// A number is added, for types that have sums. `None` if the sum can be out of range, which the guard of
    /// instrumented code excludes.
    pub fn shifted(self, by: i8, fits: bool) -> Option<Asking<'a>> {
        if by == 0 {
            return Some(self);
        }
        fits.then_some(())?;
        Some(match self {
            Asking::U8(spot) => Asking::U8(spot.shift(by, |n, by| n + by, |n, by| n - by, by.unsigned_abs())),
            Asking::I8(spot) => Asking::I8(spot.shift(by, |n, by| n + by, |n, by| n - by, by.abs())),
            Asking::Usize(spot) => {
                Asking::Usize(spot.shift(by, |n, by| n + by, |n, by| n - by, usize::from(by.unsigned_abs())))
            }
            other => other,
        })
    }

    /// The least and the greatest value to which a number can be added, if the type has sums.
    pub fn limits(&self, by: i8) -> Option<(Asking<'a>, Asking<'a>)> {
        let (below, above) = (i64::from((-by).max(0)), i64::from(by.max(0)));
        Some(match self {
            Asking::U8(_) => (self.constant(below), self.constant(255 - above)),
            Asking::I8(_) => (self.constant(-128 + below), self.constant(127 - above)),
            Asking::Usize(_) => (self.constant(below), self.constant(i64::MAX - above)),
            _ => return None,
        })
    }
}

impl<'a, T: Copy> Spot<'a, T> {
    fn shift(self, by: i8, add: fn(T, T) -> T, sub: fn(T, T) -> T, n: T) -> Self
    where
        Asked<'a, T>: smallscope_core::ask::Shift<T, Sum = Shifted<'a, T>>,
    {
        match self {
            Spot::Ref(value) => Spot::Own(if by > 0 { add(*value, n) } else { sub(*value, n) }),
            Spot::Own(value) => Spot::Own(if by > 0 { add(value, n) } else { sub(value, n) }),
            Spot::Asked(asked) => Spot::Shifted(if by > 0 { plus(asked, n) } else { minus(asked, n) }),
            Spot::Shifted(_) => self,
        }
    }
}

/// An optional value.
pub trait Presence {
    fn is_none(self: Box<Self>, promise: Promise) -> bool;
    fn is_some(self: Box<Self>, promise: Promise) -> bool;
}

impl<T> Presence for Spot<'_, Option<T>> {
    fn is_none(self: Box<Self>, promise: Promise) -> bool {
        match *self {
            Spot::Asked(asked) => asked.__under(promise).is_none(),
            other => other.real().is_none(),
        }
    }
    fn is_some(self: Box<Self>, promise: Promise) -> bool {
        match *self {
            Spot::Asked(asked) => asked.__under(promise).is_some(),
            other => other.real().is_some(),
        }
    }
}

/// A raw pointer to any type.
pub trait Pointer<'a> {
    fn is_none(self: Box<Self>, promise: Promise) -> bool;
    /// How it compares with another one of the same type.
    fn compare(
        self: Box<Self>,
        op: Op,
        world: World,
        promise: Promise,
        other: Box<dyn Pointer<'a> + 'a>,
    ) -> Option<bool>;
    /// The same with an address.
    fn leads_to(self: Box<Self>, op: Op, world: World, promise: Promise, address: usize) -> Option<bool>;
    fn type_id(&self) -> TypeId;
    fn into_raw(self: Box<Self>) -> *mut ();
}

/// What raw pointers have in common.
pub trait RawPointer: PartialEq + Copy + 'static {
    fn at(address: usize) -> Self;
    fn is_none(spot: Spot<'_, Self>, promise: Promise) -> bool;
}

macro_rules! raw_pointers {
    ($([$($t:tt)*] $address:ident => $at:expr, $is_none:ident;)*) => { $(
        impl<T: 'static> RawPointer for $($t)* {
            fn at($address: usize) -> Self {
                $at
            }
            fn is_none(spot: Spot<'_, Self>, promise: Promise) -> bool {
                match spot {
                    Spot::Asked(asked) => asked.__under(promise).$is_none(),
                    other => other.real().$is_none(),
                }
            }
        }

        impl<T: 'static> Ask for $($t)* {
            fn asking(spot: Spot<'_, Self>) -> Asking<'_> {
                Asking::Pointer(Box::new(spot))
            }
        }
    )* };
}
raw_pointers! {
    [*mut T] address => address as *mut T, is_null;
    [*const T] address => address as *const T, is_null;
}

impl<T: 'static> RawPointer for Option<NonNull<T>> {
    fn at(address: usize) -> Self {
        NonNull::new(address as *mut T)
    }
    fn is_none(spot: Spot<'_, Self>, promise: Promise) -> bool {
        Presence::is_none(Box::new(spot), promise)
    }
}

impl<'a, P: RawPointer> Pointer<'a> for Spot<'a, P> {
    fn is_none(self: Box<Self>, promise: Promise) -> bool {
        P::is_none(*self, promise)
    }
    fn compare(
        self: Box<Self>,
        op: Op,
        world: World,
        promise: Promise,
        other: Box<dyn Pointer<'a> + 'a>,
    ) -> Option<bool> {
        if (*other).type_id() != TypeId::of::<P>() {
            return None;
        }
        // SAFETY: a spot of the same type, as its type id says, with the lifetime that the trait has.
        let other = unsafe { *Box::from_raw(other.into_raw().cast::<Spot<'a, P>>()) };
        self.equals(op, world, promise, other)
    }
    fn leads_to(self: Box<Self>, op: Op, world: World, promise: Promise, address: usize) -> Option<bool> {
        self.equals(op, world, promise, Spot::Own(P::at(address)))
    }
    fn type_id(&self) -> TypeId {
        TypeId::of::<P>()
    }
    fn into_raw(self: Box<Self>) -> *mut () {
        Box::into_raw(self).cast()
    }
}

/// What a field of some type can be asked.
pub trait Ask: Sized {
    fn asking(spot: Spot<'_, Self>) -> Asking<'_> {
        let _ = spot;
        Asking::Nothing
    }
    /// The same for a cell.
    fn asking_cell(cell: &Tracked<Self>) -> Asking<'_> {
        Self::asking(Spot::Asked(cell.__ask()))
    }
    /// The same for an option of it.
    fn asking_maybe(spot: Spot<'_, Option<Self>>) -> Asking<'_> {
        Asking::Presence(Box::new(spot))
    }
}

macro_rules! plain_data {
    ($($t:ident $case:ident $($maybe:ident)?;)*) => { $(
        impl Ask for $t {
            fn asking(spot: Spot<'_, Self>) -> Asking<'_> {
                Asking::$case(spot)
            }
            $(
                fn asking_maybe(spot: Spot<'_, Option<Self>>) -> Asking<'_> {
                    Asking::$maybe(spot)
                }
            )?
        }
    )* };
}
plain_data! {
    u8 U8 MaybeU8;
    i8 I8;
    usize Usize;
    bool Bool;
    Hue Hue;
    Key Key MaybeKey;
}

impl<T: Ask> Ask for Option<T> {
    fn asking(spot: Spot<'_, Self>) -> Asking<'_> {
        T::asking_maybe(spot)
    }
}

impl<T: 'static> Ask for NonNull<T> {
    fn asking_maybe(spot: Spot<'_, Option<Self>>) -> Asking<'_> {
        Asking::Pointer(Box::new(spot))
    }
}

macro_rules! nothing_to_ask {
    ($([$($g:tt)*] $t:ty;)*) => { $(
        impl<$($g)*> Ask for $t {}
    )* };
}
nothing_to_ask! {
    [T] Box<T>;
    [T] Box<[T]>;
    [T] Rc<T>;
    [T] Arc<T>;
    [T] Weak<T>;
    [T] std::sync::Weak<T>;
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T, const N: usize] [T; N];
    [T] Cell<T>;
    [T] RefCell<T>;
    [K, V] BTreeMap<K, V>;
    [T: smallscope::__private::Pointee] mirror::Box<T>;
    [T: smallscope::__private::Pointee] mirror::Rc<T>;
    [T: smallscope::__private::Pointee] mirror::Arc<T>;
    [T: smallscope::__private::Pointee] mirror::Weak<T>;
    [T: smallscope::__private::Pointee] mirror::SyncWeak<T>;
    [T] mirror::Seq<T>;
    [T] mirror::Items<T>;
    [T] mirror::EnumItems<T>;
    [T, const N: usize] mirror::Array<T, N>;
    [C, T] smallscope::__private::As<C, T>;
    [T] mirror::Cell<T>;
    [T] mirror::RefCell<T>;
}

/// A field, real or a cell.
pub trait Askable {
    /// For a question.
    fn to_ask(&self) -> Asking<'_>;
    /// Read, as an operand of a question.
    fn to_read(&self) -> Asking<'_>;
}

impl<T: Ask> Askable for T {
    fn to_ask(&self) -> Asking<'_> {
        T::asking(Spot::Ref(self))
    }
    fn to_read(&self) -> Asking<'_> {
        T::asking(Spot::Ref(self))
    }
}

impl<T: Ask> Askable for Tracked<T> {
    fn to_ask(&self) -> Asking<'_> {
        T::asking_cell(self)
    }
    fn to_read(&self) -> Asking<'_> {
        T::asking(Spot::Ref(self.__read()))
    }
}

/// A promise that a program may leave out.
pub fn kept(dropped: bool, promise: Promise) -> Promise {
    if dropped { NOTHING } else { promise }
}
