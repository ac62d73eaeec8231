//! Mirrors of smart pointers: addresses of objects in leaked pools.

use super::made::IntoCell;
use super::show;
use crate::cell::contents;
use crate::guard::step;
use crate::shape::Pointee;
use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

/// An object of a pool, with the mark of the last walk that visited it. The object is the first field, so that a pointer
/// to the object is a pointer to the whole.
#[repr(C)]
pub struct Pooled<O> {
    pub(crate) object: O,
    pub(crate) mark: Cell<u32>,
    /// It is in no pool: a variant without fields, which boxes hold.
    pub(crate) is_constant: bool,
    /// The last build that made a real counterpart, and where that is.
    pub(crate) built_in: Cell<u64>,
    pub(crate) built: Cell<*mut ()>,
}

impl<O> Pooled<O> {
    pub(crate) fn new(object: O) -> Self {
        Pooled {
            object,
            mark: Cell::new(0),
            built_in: Cell::new(0),
            built: Cell::new(std::ptr::null_mut()),
            is_constant: false,
        }
    }

    /// An object that is in no pool.
    pub(crate) fn constant(object: O) -> Self {
        Pooled { is_constant: true, ..Pooled::new(object) }
    }
}

macro_rules! pointer {
    ($(#[$doc:meta])* $name:ident $(, $owner:ident)?) => {
        $(#[$doc])*
        pub struct $name<T: Pointee>(pub(crate) NonNull<Pooled<T::Object>>, $(pub(crate) $owner<T>)?);

        impl<T: Pointee> $name<T> {
            pub(crate) fn to_pooled(object: &'static Pooled<T::Object>) -> Self {
                $name(NonNull::from(object), $($owner::<T>::None)?)
            }

            /// The object. That of a box that an invariant has made lives as long as the box.
            #[inline(always)]
            pub(crate) fn pooled(&self) -> &'static Pooled<T::Object> {
                // SAFETY: made from a `&'static` in `to_pooled`. Of boxes that an invariant has made, only `Build::copy` needs
                // the object, while it borrows the box.
                unsafe { self.0.as_ref() }
            }
        }

        impl<T: Pointee> Deref for $name<T> {
            type Target = T;
            #[inline(always)]
            fn deref(&self) -> &T {
                // SAFETY: an object of a pool, or one that the pointer owns; with the lifetime of `self`.
                T::target(unsafe { &(*self.0.as_ptr()).object })
            }
        }

        impl<T: Pointee> AsRef<T> for $name<T> {
            #[inline(always)]
            fn as_ref(&self) -> &T {
                self
            }
        }

        impl<T: Pointee> std::borrow::Borrow<T> for $name<T> {
            fn borrow(&self) -> &T {
                self
            }
        }

        impl<T: Pointee + fmt::Debug> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                show::object(&**self, f)
            }
        }

        impl<T: Pointee + PartialEq> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                step();
                **self == **other
            }
        }

        impl<T: Pointee + Eq> Eq for $name<T> {}

        impl<T: Pointee + PartialOrd> PartialOrd for $name<T> {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                step();
                (**self).partial_cmp(&**other)
            }
        }
    };
}

pointer!(
    /// Mirror of `Box`: unique in the structure. A clone leads to the same object, since an invariant changes neither.
    Box, Made
);

/// The object of a box that an invariant has made.
type Made<T> = Option<std::rc::Rc<Pooled<<T as Pointee>::Object>>>;

impl<T: Pointee> Clone for Box<T> {
    fn clone(&self) -> Self {
        Box(self.0, self.1.clone())
    }
}

impl<T: Pointee + IntoCell<T::Object>> Box<T> {
    /// A box that belongs to no pool.
    pub fn new(value: T) -> Box<T> {
        let object = std::rc::Rc::new(Pooled::new(value.into_cell()));
        Box(NonNull::from(&*object), Some(object))
    }
}

pointer!(
    /// Mirror of `std::rc::Rc`.
    Rc
);
pointer!(
    /// Mirror of `std::sync::Arc`.
    Arc
);

macro_rules! shared {
    ($strong:ident, $(#[$doc:meta])* $weak:ident) => {
        impl<T: Pointee> Clone for $strong<T> {
            fn clone(&self) -> Self {
                contents::may_escape();
                $strong(self.0)
            }
        }

        impl<T: Pointee> $strong<T> {
            /// Whether two pointers lead to the same object.
            #[inline(always)]
            pub fn ptr_eq(a: &Self, b: &Self) -> bool {
                a.0 == b.0
            }

            /// The address of the object, for comparison.
            #[inline(always)]
            pub fn as_ptr(this: &Self) -> *const T {
                std::ptr::from_ref(&**this)
            }

            /// A weak pointer to the same object.
            #[inline(always)]
            pub fn downgrade(this: &Self) -> $weak<T> {
                $weak(Some(this.0))
            }
        }

        $(#[$doc])*
        pub struct $weak<T: Pointee>(pub(crate) Option<NonNull<Pooled<T::Object>>>);

        impl<T: Pointee> Clone for $weak<T> {
            fn clone(&self) -> Self {
                $weak(self.0)
            }
        }

        impl<T: Pointee> $weak<T> {
            /// The object, unless the pointer dangles.
            #[inline(always)]
            pub fn upgrade(&self) -> Option<$strong<T>> {
                contents::may_escape();
                self.0.map($strong)
            }

            /// Whether two pointers lead to the same object, or both dangle.
            pub fn ptr_eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl<T: Pointee> fmt::Debug for $weak<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("(Weak)")
            }
        }
    };
}

shared!(
    Rc,
    /// Mirror of `std::rc::Weak`.
    Weak
);
shared!(
    Arc,
    /// Mirror of `std::sync::Weak`.
    SyncWeak
);
