//! How a call gets a value from a pool, and what it leaves there. It is written for debug builds: the adapters of `Option`
//! are calls there, patterns and functions that are always inlined are not.
//!
//! A value that is passed by `&mut` or moved is taken out of its slot during the call. So a call that needs a value
//! twice, which Rust would not compile, finds the slot empty and is skipped: there is never a mutable reference beside
//! another one.

#![expect(
    clippy::manual_map,
    clippy::redundant_pattern_matching,
    reason = "the adapters of `Option` are calls in a debug build"
)]

use std::any::{TypeId, type_name};
use std::marker::PhantomData;

use super::values::{Place, Values};

/// How a value is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A clone of it.
    Value,
    /// The value itself; its slot is empty afterwards.
    Moved,
    /// `&T`.
    Ref,
    /// `&mut T`.
    Mut,
}

/// An argument of a call: made by [`value`], [`moved`], [`by_ref`] and [`by_mut`].
pub trait Argument: 'static {
    /// The type of the pool.
    type Of: 'static;
    /// What is taken out of the pool during the call.
    type Held;
    /// What the function gets.
    type Lent<'a>;
    /// How it is passed.
    const MODE: Mode;

    /// Takes out of the pool what the call holds; `None` if the slot is empty.
    #[doc(hidden)]
    fn take(values: &mut Values, place: Place) -> Option<Self::Held>;
    /// Whether the slot is still filled after all arguments were taken out.
    #[doc(hidden)]
    #[inline(always)]
    fn is_there(_values: &Values, _place: Place) -> bool {
        true
    }
    #[doc(hidden)]
    fn lend<'a>(held: &'a mut Self::Held, values: &'a Values, place: Place) -> Self::Lent<'a>;
    #[doc(hidden)]
    fn give_back(held: &mut Option<Self::Held>, values: &mut Values, place: Place);
}

/// See [`value`].
pub struct Value<T>(PhantomData<fn(T)>);
/// See [`moved`].
pub struct Moved<T>(PhantomData<fn(T)>);
/// See [`by_ref`].
pub struct ByRef<T>(PhantomData<fn(T)>);
/// See [`by_mut`].
pub struct ByMut<T>(PhantomData<fn(T)>);

/// Passes a clone.
pub fn value<T: Copied>() -> Value<T> {
    Value(PhantomData)
}

/// Passes the value itself. Its slot is empty afterwards.
pub fn moved<T: 'static>() -> Moved<T> {
    Moved(PhantomData)
}

/// Passes `&T`.
pub fn by_ref<T: 'static>() -> ByRef<T> {
    ByRef(PhantomData)
}

/// Passes `&mut T`.
pub fn by_mut<T: 'static>() -> ByMut<T> {
    ByMut(PhantomData)
}

/// A value that can be passed without losing it. Implemented for all types that are `Clone`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed by value and kept in its pool",
    label = "needs `Clone`",
    note = "move it out of its pool: `moved()` in a builder, `#[api(moves)]` on a method"
)]
pub trait Copied: Clone + 'static {}

impl<T: Clone + 'static> Copied for T {}

#[cold]
fn taken() -> ! {
    panic!("smallscope internal error: an argument is lent once")
}

impl<T: Copied> Argument for Value<T> {
    type Of = T;
    type Held = Option<T>;
    type Lent<'a> = T;
    const MODE: Mode = Mode::Value;

    #[inline(always)]
    fn take(values: &mut Values, place: Place) -> Option<Option<T>> {
        match values.slots::<T>(place.pool).get(place.slot as usize) {
            Some(value) => Some(Some(value.clone())),
            None => None,
        }
    }
    #[inline(always)]
    fn lend<'a>(held: &'a mut Option<T>, _: &'a Values, _: Place) -> T {
        match held.take() {
            Some(value) => value,
            None => taken(),
        }
    }
    #[inline(always)]
    fn give_back(_: &mut Option<Option<T>>, _: &mut Values, _: Place) {}
}

impl<T: 'static> Argument for Moved<T> {
    type Of = T;
    type Held = Option<T>;
    type Lent<'a> = T;
    const MODE: Mode = Mode::Moved;

    #[inline(always)]
    fn take(values: &mut Values, place: Place) -> Option<Option<T>> {
        match values.slots_mut::<T>(place.pool).take(place.slot as usize) {
            Some(value) => Some(Some(value)),
            None => None,
        }
    }
    #[inline(always)]
    fn lend<'a>(held: &'a mut Option<T>, _: &'a Values, _: Place) -> T {
        match held.take() {
            Some(value) => value,
            None => taken(),
        }
    }
    #[inline(always)]
    fn give_back(held: &mut Option<Option<T>>, values: &mut Values, place: Place) {
        // Only what was not lent.
        if let Some(Some(_)) = held {
            values.slots_mut::<T>(place.pool).put(place.slot as usize, held.take().flatten());
        }
    }
}

impl<T: 'static> Argument for ByRef<T> {
    type Of = T;
    type Held = ();
    type Lent<'a> = &'a T;
    const MODE: Mode = Mode::Ref;

    #[inline(always)]
    fn take(values: &mut Values, place: Place) -> Option<()> {
        values.lent(place.pool);
        Some(())
    }
    #[inline(always)]
    fn is_there(values: &Values, place: Place) -> bool {
        matches!(values.slots::<T>(place.pool).get(place.slot as usize), Some(_))
    }
    #[inline(always)]
    fn lend<'a>(_: &'a mut (), values: &'a Values, place: Place) -> &'a T {
        match values.slots(place.pool).get(place.slot as usize) {
            Some(value) => value,
            None => taken(),
        }
    }
    #[inline(always)]
    fn give_back(_: &mut Option<()>, _: &mut Values, _: Place) {}
}

impl<T: 'static> Argument for ByMut<T> {
    type Of = T;
    type Held = T;
    type Lent<'a> = &'a mut T;
    const MODE: Mode = Mode::Mut;

    #[inline(always)]
    fn take(values: &mut Values, place: Place) -> Option<T> {
        values.slots_mut(place.pool).take(place.slot as usize)
    }
    #[inline(always)]
    fn lend<'a>(held: &'a mut T, _: &'a Values, _: Place) -> &'a mut T {
        held
    }
    #[inline(always)]
    fn give_back(held: &mut Option<T>, values: &mut Values, place: Place) {
        if let Some(_) = held {
            values.slots_mut::<T>(place.pool).put(place.slot as usize, held.take());
        }
    }
}

/// An argument before pools are known.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub(crate) type_id: TypeId,
    pub(crate) type_name: &'static str,
    pub(crate) mode: Mode,
}

/// Several arguments: a tuple of them.
pub trait Arguments: 'static {
    /// What is taken out of the pools during the call.
    type Held;
    /// What the function gets: a tuple.
    type Lent<'a>;

    #[doc(hidden)]
    fn wanted() -> Vec<Wanted>;
    #[doc(hidden)]
    fn take(values: &mut Values, places: &[Place]) -> Self::Held;
    #[doc(hidden)]
    fn is_complete(held: &Self::Held, values: &Values, places: &[Place]) -> bool;
    #[doc(hidden)]
    fn lend<'a>(held: &'a mut Self::Held, values: &'a Values, places: &[Place]) -> Self::Lent<'a>;
    #[doc(hidden)]
    fn give_back(held: &mut Self::Held, values: &mut Values, places: &[Place]);
}

macro_rules! arguments {
    ([$($t:ident $held:ident $i:tt),*] reversed [$($rt:ident $rheld:ident $ri:tt),*]) => {
        impl<$($t: Argument),*> Arguments for ($($t,)*) {
            type Held = ($(Option<$t::Held>,)*);
            type Lent<'a> = ($($t::Lent<'a>,)*);

            fn wanted() -> Vec<Wanted> {
                vec![$(Wanted {
                    type_id: TypeId::of::<$t::Of>(),
                    type_name: type_name::<$t::Of>(),
                    mode: $t::MODE,
                }),*]
            }
            // In reverse order: arguments are copied before the receiver is borrowed.
            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "there may be no arguments")]
            fn take(values: &mut Values, places: &[Place]) -> Self::Held {
                $(let $rheld = $rt::take(values, places[$ri]);)*
                ($($held,)*)
            }
            #[inline(always)]
            #[allow(unused_variables, reason = "there may be no arguments")]
            fn is_complete(held: &Self::Held, values: &Values, places: &[Place]) -> bool {
                true $(&& matches!(held.$i, Some(_)) && $t::is_there(values, places[$i]))*
            }
            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "there may be no arguments")]
            fn lend<'a>(held: &'a mut Self::Held, values: &'a Values, places: &[Place]) -> Self::Lent<'a> {
                ($(match &mut held.$i {
                    Some(held) => $t::lend(held, values, places[$i]),
                    None => taken(),
                },)*)
            }
            #[inline(always)]
            #[allow(unused_variables, reason = "there may be no arguments")]
            fn give_back(held: &mut Self::Held, values: &mut Values, places: &[Place]) {
                $($t::give_back(&mut held.$i, values, places[$i]);)*
            }
        }
    };
}

arguments!([] reversed []);
arguments!([A a 0] reversed [A a 0]);
arguments!([A a 0, B b 1] reversed [B b 1, A a 0]);
arguments!([A a 0, B b 1, C c 2] reversed [C c 2, B b 1, A a 0]);
arguments!([A a 0, B b 1, C c 2, D d 3] reversed [D d 3, C c 2, B b 1, A a 0]);
arguments!([A a 0, B b 1, C c 2, D d 3, E e 4] reversed [E e 4, D d 3, C c 2, B b 1, A a 0]);
arguments!([A a 0, B b 1, C c 2, D d 3, E e 4, F f 5] reversed [F f 5, E e 4, D d 3, C c 2, B b 1, A a 0]);
