//! What a random program can see of a structure: the same for real values and for mirrors, one read at a time.

use crate::ask::{Ask, Askable, Asking, Hue, Spot};
use smallscope::__private::mirror;
use smallscope::__private::{As, PlainIndex as _, Pointee};
use smallscope::Key;
use smallscope_core::ask::Promise;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ptr::NonNull;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// What a field holds.
#[derive(Clone, Copy)]
pub enum Seen<'a> {
    /// A number; `bool` is 0 or 1.
    Int(i64),
    /// A key, which need not be decided.
    Key(Key),
    /// `None`, null, dangling.
    Nothing,
    Object(&'a dyn Object),
    Many(&'a dyn Many),
    /// An index into the arena. Programs follow and compare it, but never look at the number.
    Place(u32),
    Places(&'a dyn Places),
}

/// Something with fields.
pub trait Object {
    fn arity(&self) -> usize;
    fn field(&self, i: usize) -> Seen<'_>;
    /// A field that is asked about.
    fn ask(&self, i: usize) -> Asking<'_>;
    /// A field that is read to be compared with.
    fn read(&self, i: usize) -> Asking<'_>;
    /// A field, of which a promise says what it means that it holds nothing.
    fn some(&self, i: usize, promise: Promise) -> Seen<'_>;
    /// Equal for the same object only.
    fn identity(&self) -> (usize, &'static str);
}

/// A whole structure.
pub trait Root: Object {
    /// The vector that its indices lead into.
    fn arena(&self) -> Seen<'_> {
        Seen::Nothing
    }
}

/// Something with elements.
pub trait Many {
    fn count(&self) -> usize;
    fn element(&self, i: usize) -> Seen<'_>;
    /// An element that is asked about.
    fn ask(&self, _: usize) -> Asking<'_> {
        Asking::Nothing
    }
    /// An element that is read to be compared with.
    fn read(&self, _: usize) -> Asking<'_> {
        Asking::Nothing
    }
    /// An element, of which a promise says what it means that it is nothing.
    fn some(&self, i: usize, _: Promise) -> Seen<'_> {
        self.element(i)
    }
}

/// Several indices into the arena.
pub trait Places {
    fn count(&self) -> usize;
    fn place(&self, i: usize) -> Seen<'_>;
}

pub trait Look {
    fn look(&self) -> Seen<'_>;
}

impl Look for u8 {
    fn look(&self) -> Seen<'_> {
        Seen::Int(i64::from(*self))
    }
}

impl Look for usize {
    fn look(&self) -> Seen<'_> {
        Seen::Int(*self as i64)
    }
}

impl Look for bool {
    fn look(&self) -> Seen<'_> {
        Seen::Int(i64::from(*self))
    }
}

impl Look for i8 {
    fn look(&self) -> Seen<'_> {
        Seen::Int(i64::from(*self))
    }
}

impl Look for Hue {
    fn look(&self) -> Seen<'_> {
        Seen::Int(*self as i64)
    }
}

impl Look for Key {
    fn look(&self) -> Seen<'_> {
        Seen::Key(*self)
    }
}

impl Look for Cell<u8> {
    fn look(&self) -> Seen<'_> {
        Seen::Int(i64::from(self.get()))
    }
}

impl Look for mirror::Cell<u8> {
    fn look(&self) -> Seen<'_> {
        Seen::Int(i64::from(self.get()))
    }
}

impl<T: Look> Look for Option<T> {
    fn look(&self) -> Seen<'_> {
        self.as_ref().map_or(Seen::Nothing, T::look)
    }
}

macro_rules! deref {
    ($($real:ident)*) => { $(
        impl<T: Look> Look for $real<T> {
            fn look(&self) -> Seen<'_> {
                (**self).look()
            }
        }

        impl<T: Pointee + Look> Look for mirror::$real<T> {
            fn look(&self) -> Seen<'_> {
                (**self).look()
            }
        }
    )* };
}
deref!(Box Rc Arc);

impl<T: Look> Look for RefCell<T> {
    fn look(&self) -> Seen<'_> {
        // SAFETY: nothing is written while a program runs.
        unsafe { (*self.as_ptr()).look() }
    }
}

impl<T: Look> Look for mirror::RefCell<T> {
    fn look(&self) -> Seen<'_> {
        self.borrow().look()
    }
}

macro_rules! weak {
    ($([$($g:tt)*] $weak:ty;)*) => { $(
        impl<$($g)*> Look for $weak {
            fn look(&self) -> Seen<'_> {
                match self.upgrade() {
                    // SAFETY: an owner elsewhere keeps the object alive, and nothing is written while a program
                    // runs; objects of mirrors are never freed.
                    Some(strong) => unsafe { (*std::ptr::from_ref(&*strong)).look() },
                    None => Seen::Nothing,
                }
            }
        }
    )* };
}
weak! {
    [T: Look] Weak<T>;
    [T: Look] std::sync::Weak<T>;
    [T: Pointee + Look] mirror::Weak<T>;
    [T: Pointee + Look] mirror::SyncWeak<T>;
}

impl<T: Look> Look for *const T {
    fn look(&self) -> Seen<'_> {
        // SAFETY: null or an object of the structure, real or mirror.
        unsafe { self.as_ref() }.map_or(Seen::Nothing, T::look)
    }
}

impl<T: Look> Look for *mut T {
    fn look(&self) -> Seen<'_> {
        // SAFETY: as above.
        unsafe { self.as_ref() }.map_or(Seen::Nothing, T::look)
    }
}

impl<T: Look> Look for NonNull<T> {
    fn look(&self) -> Seen<'_> {
        // SAFETY: an object of the structure, real or mirror.
        unsafe { self.as_ref() }.look()
    }
}

macro_rules! many {
    ($([$($g:tt)*] $t:ty $(: $v:ident $i:ident $p:ident => $ask:expr, $read:expr, $some:expr)?;)*) => { $(
        impl<$($g)*> Look for $t {
            fn look(&self) -> Seen<'_> {
                Seen::Many(self)
            }
        }

        impl<$($g)*> Many for $t {
            fn count(&self) -> usize {
                self.len()
            }
            fn element(&self, i: usize) -> Seen<'_> {
                self.get(i).map_or(Seen::Nothing, Look::look)
            }
            $(
                fn ask(&self, $i: usize) -> Asking<'_> {
                    let $v = self;
                    $ask
                }
                fn read(&self, $i: usize) -> Asking<'_> {
                    let $v = self;
                    $read
                }
                fn some(&self, $i: usize, $p: Promise) -> Seen<'_> {
                    let $v = self;
                    $some
                }
            )?
        }
    )* };
}
many! {
    [T: Look + Ask] Vec<T>: v i p => v[i].to_ask(), v[i].to_read(), v.__some_at(i, p).look();
    [T: Look + Ask] VecDeque<T>: v i p => v[i].to_ask(), v[i].to_read(), v.__some_at(i, p).look();
    [T: Look + Ask] Box<[T]>: v i p => v[i].to_ask(), v[i].to_read(), v.__some_at(i, p).look();
    [T: Look + Ask, const N: usize] [T; N]: v i p => v[i].to_ask(), v[i].to_read(), v.__some_at(i, p).look();
    [T: Look + Ask] mirror::Seq<T>: v i p =>
        T::asking(Spot::Asked(v.__at(i))), T::asking(Spot::Ref(&v[i])), v.__some_at(i, p).look();
    [C, T: Look + Ask] As<C, mirror::Seq<T>>: v i p =>
        T::asking(Spot::Asked((**v).__at(i))), T::asking(Spot::Ref(&v[i])), (**v).__some_at(i, p).look();
    [T: Look + Ask, const N: usize] mirror::Array<T, N>: v i p =>
        T::asking(Spot::Asked(v.__at(i))), T::asking(Spot::Ref(&v[i])), v.__some_at(i, p).look();
    [T: Look] mirror::Items<T>;
    [T: Look] mirror::EnumItems<T>;
    [C, T: Look] As<C, mirror::Items<T>>;
}

/// The values of a map, by key, and its keys: element 0 is the first value, 1 the first key, and so on.
impl<V: Look> Look for BTreeMap<u8, V> {
    fn look(&self) -> Seen<'_> {
        Seen::Many(self)
    }
}

impl<V: Look> Many for BTreeMap<u8, V> {
    fn count(&self) -> usize {
        2 * self.len()
    }
    fn element(&self, i: usize) -> Seen<'_> {
        match self.iter().nth(i / 2) {
            Some((_, v)) if i.is_multiple_of(2) => v.look(),
            Some((k, _)) => k.look(),
            None => Seen::Nothing,
        }
    }
}

impl Look for BTreeSet<u8> {
    fn look(&self) -> Seen<'_> {
        Seen::Many(self)
    }
}

impl Many for BTreeSet<u8> {
    fn count(&self) -> usize {
        self.len()
    }
    fn element(&self, i: usize) -> Seen<'_> {
        self.iter().nth(i).map_or(Seen::Nothing, Look::look)
    }
}

/// The cell of a map's value.
impl<T: Look> Look for smallscope::__private::Tracked<T> {
    fn look(&self) -> Seen<'_> {
        self.__read().look()
    }
}

/// How an index is seen.
pub trait AsPlace {
    fn place(&self) -> Seen<'_>;
}

impl AsPlace for u8 {
    fn place(&self) -> Seen<'_> {
        Seen::Place(u32::from(*self))
    }
}

impl AsPlace for usize {
    fn place(&self) -> Seen<'_> {
        Seen::Place(*self as u32)
    }
}

impl<T: AsPlace> AsPlace for Option<T> {
    fn place(&self) -> Seen<'_> {
        self.as_ref().map_or(Seen::Nothing, T::place)
    }
}

macro_rules! places {
    ($([$($g:tt)*] $t:ty;)*) => { $(
        impl<$($g)*> AsPlace for $t {
            fn place(&self) -> Seen<'_> {
                Seen::Places(self)
            }
        }

        impl<$($g)*> Places for $t {
            fn count(&self) -> usize {
                self.len()
            }
            fn place(&self, i: usize) -> Seen<'_> {
                self.get(i).map_or(Seen::Nothing, AsPlace::place)
            }
        }
    )* };
}
places! {
    [T: AsPlace] Vec<T>;
    [T: AsPlace] mirror::Seq<T>;
    [T: AsPlace, const N: usize] [T; N];
    [T: AsPlace, const N: usize] mirror::Array<T, N>;
}

/// Makes a struct and its mirror visible to programs: each field with how it is seen.
macro_rules! object {
    ($real:ty, $mirror:ty { $($($place:tt).+ => $how:ident),* $(,)? }) => {
        object!(@ $real { $($($place).+ => $how),* });
        object!(@ $mirror { $($($place).+ => $how),* });
    };
    (@ $t:ty { $($($place:tt).+ => $how:ident),* }) => {
        impl Object for $t {
            fn arity(&self) -> usize {
                [$(stringify!($($place).+)),*].len()
            }
            fn field<'a>(&'a self, i: usize) -> Seen<'a> {
                let fields: &[&dyn Fn() -> Seen<'a>] = &[$(&|| self.$($place).+.__read().$how()),*];
                fields.get(i).map_or(Seen::Nothing, |field| field())
            }
            fn ask<'a>(&'a self, i: usize) -> Asking<'a> {
                let fields: &[&dyn Fn() -> Asking<'a>] = &[$(&|| asking!($how self.$($place).+, to_ask)),*];
                fields.get(i).map_or(Asking::Nothing, |field| field())
            }
            fn read<'a>(&'a self, i: usize) -> Asking<'a> {
                let fields: &[&dyn Fn() -> Asking<'a>] = &[$(&|| asking!($how self.$($place).+, to_read)),*];
                fields.get(i).map_or(Asking::Nothing, |field| field())
            }
            fn some<'a>(&'a self, i: usize, p: Promise) -> Seen<'a> {
                let fields: &[&dyn Fn() -> Seen<'a>] = &[$(&|| self.$($place).+.__some(p).$how()),*];
                fields.get(i).map_or(Seen::Nothing, |field| field())
            }
            fn identity(&self) -> (usize, &'static str) {
                (std::ptr::from_ref(self) as usize, stringify!($t))
            }
        }

        impl Look for $t {
            fn look(&self) -> Seen<'_> {
                Seen::Object(self)
            }
        }

        impl Ask for $t {}
    };
}

/// What can be asked about a field; nothing for a place of the arena, whose number no program reads.
macro_rules! asking {
    (look $field:expr, $ask:ident) => {
        $field.$ask()
    };
    (place $field:expr, $ask:ident) => {
        Asking::Nothing
    };
}

/// The same for an enum: field 0 is the number of the variant.
macro_rules! enumeration {
    ($real:ident, $mirror:ident { $($number:literal => $variant:ident($($x:ident),*)),* $(,)? }) => {
        enumeration!(@ $real { $($number => $variant($($x),*)),* });
        enumeration!(@ $mirror { $($number => $variant($($x),*)),* });
    };
    (@ $t:ident { $($number:literal => $variant:ident($($x:ident),*)),* }) => {
        impl Object for $t {
            fn arity(&self) -> usize {
                3
            }
            fn field<'a>(&'a self, i: usize) -> Seen<'a> {
                match self {
                    $(
                        $t::$variant { .. } if i == 0 => Seen::Int($number),
                        $t::$variant($($x),*) => {
                            let fields: &[&dyn Fn() -> Seen<'a>] = &[$(&|| $x.__read().look()),*];
                            fields.get(i - 1).map_or(Seen::Nothing, |field| field())
                        }
                    )*
                }
            }
            fn ask<'a>(&'a self, i: usize) -> Asking<'a> {
                match self {
                    $($t::$variant($($x),*) => {
                        let fields: &[&dyn Fn() -> Asking<'a>] = &[$(&|| $x.to_ask()),*];
                        fields.get(i.wrapping_sub(1)).map_or(Asking::Nothing, |field| field())
                    })*
                }
            }
            fn read<'a>(&'a self, i: usize) -> Asking<'a> {
                match self {
                    $($t::$variant($($x),*) => {
                        let fields: &[&dyn Fn() -> Asking<'a>] = &[$(&|| $x.to_read()),*];
                        fields.get(i.wrapping_sub(1)).map_or(Asking::Nothing, |field| field())
                    })*
                }
            }
            fn some<'a>(&'a self, i: usize, p: Promise) -> Seen<'a> {
                match self {
                    $(
                        $t::$variant { .. } if i == 0 => Seen::Int($number),
                        $t::$variant($($x),*) => {
                            let fields: &[&dyn Fn() -> Seen<'a>] = &[$(&|| $x.__some(p).look()),*];
                            fields.get(i - 1).map_or(Seen::Nothing, |field| field())
                        }
                    )*
                }
            }
            fn identity(&self) -> (usize, &'static str) {
                (std::ptr::from_ref(self) as usize, stringify!($t))
            }
        }

        impl Look for $t {
            fn look(&self) -> Seen<'_> {
                Seen::Object(self)
            }
        }

        impl Ask for $t {}
    };
}
