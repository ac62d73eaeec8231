//! Types that can be linearized.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use crate::sink::Sink;

/// A type whose values can be compared as graphs of objects: see [`Sink`].
///
/// Implemented for plain data, `Box`, `Rc`, `Arc`, `Weak`, cells, options, sequences, tuples and ordered collections of
/// such types. For your own types, derive it. Raw pointers need a promise: `#[linearize(unsafe(raw_pointers))]` on the
/// type promises that they are null or point to live objects after every call, even if the code under test is wrong.
/// Each of these objects must be a separate allocation, such as a box: a pointer to an element of a vector or to a
/// field counts as a pointer to another object. For hash tables, whose order has no meaning, implement the trait by
/// hand, with [`Sink::data`] for data under the name of its field and [`Sink::shared`] for objects. An implementation by
/// hand writes everything that calls can depend on, or says what it leaves out with [`Sink::leave_out`]: otherwise an
/// exploration is called exhaustive that is not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no linearization",
    note = "derive `Linearize` for it, or say `hashed` or `debugged` for its pool in place of `linearized`"
)]
pub trait Linearize {
    /// Writes the value as a part of its container.
    fn linearize(&self, sink: &mut Sink) {
        self.linearize_as("", sink);
    }

    /// Writes the value as a field with a name. Only plain data uses the name.
    fn linearize_as(&self, field: &str, sink: &mut Sink);

    /// Whether a linearization always begins with the number of an object, which is never zero. Then an `Option` of it
    /// needs no byte for its presence.
    const IS_OBJECT: bool = false;
}

/// Implements [`Linearize`] for a struct: its fields, in this order. All fields must be named; two dots stand for fields
/// that are [left out](Sink::leave_out).
///
/// ```
/// use smallscope_sequences::{Linearize, Sink, linearize_fields};
///
/// struct Node { key: u8, next: Option<Box<Node>> }
/// linearize_fields!(Node { key, next });
///
/// let mut sink = Sink::new();
/// Some(Box::new(Node { key: 7, next: None })).linearize(&mut sink);
/// assert_eq!(sink.bytes(), [1, 7, 0]);
/// ```
#[macro_export]
macro_rules! linearize_fields {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::Linearize for $name {
            fn linearize_as(&self, _field: &str, sink: &mut $crate::Sink) {
                let $name { $($field),* } = self;
                $( $crate::Linearize::linearize_as($field, stringify!($field), sink); )*
            }
        }
    };
    ($name:ident { $($field:ident,)* .. }) => {
        impl $crate::Linearize for $name {
            fn linearize_as(&self, _field: &str, sink: &mut $crate::Sink) {
                let $name { $($field,)* .. } = self;
                sink.leave_out(concat!("fields of ", stringify!($name)));
                $( $crate::Linearize::linearize_as($field, stringify!($field), sink); )*
            }
        }
    };
}

macro_rules! plain {
    ($($t:ty),*) => { $(
        impl Linearize for $t {
            #[inline]
            fn linearize_as(&self, field: &str, sink: &mut Sink) {
                sink.data(field, self);
            }
        }
    )* };
}

plain!(u8, u128, i8, i128, bool, char, String, str, ());

macro_rules! integer {
    ($($t:ty),*) => { $(
        impl Linearize for $t {
            #[inline(always)]
            fn linearize_as(&self, field: &str, sink: &mut Sink) {
                sink.integer(field, *self as u64);
            }
        }
    )* };
}

integer!(u16, u32, u64, usize);

macro_rules! signed {
    ($($t:ty),*) => { $(
        /// Numbers around zero are small: 0, -1, 1, -2 are written as 0, 1, 2, 3.
        impl Linearize for $t {
            #[inline(always)]
            fn linearize_as(&self, field: &str, sink: &mut Sink) {
                let number = *self as i64;
                sink.integer(field, ((number << 1) ^ (number >> 63)) as u64);
            }
        }
    )* };
}

signed!(i16, i32, i64, isize);

macro_rules! float {
    ($($t:ty),*) => { $(
        /// By its bits: zero differs from negative zero, and a NaN equals itself.
        impl Linearize for $t {
            fn linearize_as(&self, field: &str, sink: &mut Sink) {
                sink.data(field, &self.to_bits());
            }
        }
    )* };
}

float!(f32, f64);

impl<T> Linearize for PhantomData<T> {
    fn linearize_as(&self, _: &str, _: &mut Sink) {}
}

/// Writes the target in place of the reference: two references to one object look like references to two equal ones. If
/// that makes a difference, because the object contains a `Cell`, or if references form a cycle, implement the trait by
/// hand with [`Sink::shared`].
impl<T: Linearize + ?Sized> Linearize for &T {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        (**self).linearize_as(field, sink);
    }
}

/// A box is a separate object, to which raw pointers may point.
impl<T: Linearize + ?Sized> Linearize for Box<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        if sink.boxed::<T>(self) {
            (**self).linearize_as(field, sink);
        }
    }

    const IS_OBJECT: bool = true;
}

impl<T: Linearize + ?Sized> Linearize for Rc<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        if sink.shared(Rc::as_ptr(self)) {
            (**self).linearize_as(field, sink);
        }
    }

    const IS_OBJECT: bool = true;
}

impl<T: Linearize + ?Sized> Linearize for Arc<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        if sink.shared(Arc::as_ptr(self)) {
            (**self).linearize_as(field, sink);
        }
    }

    const IS_OBJECT: bool = true;
}

impl<T: Linearize> Linearize for Weak<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        match self.upgrade() {
            Some(object) => object.linearize_as(field, sink),
            None => sink.nothing(),
        }
    }
}

/// Zero, or one and the content. An object needs no one: its number is not zero.
impl<T: Linearize> Linearize for Option<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        match self {
            None => sink.nothing(),
            Some(value) => {
                if !T::IS_OBJECT {
                    sink.number(1);
                }
                value.linearize_as(field, sink);
            }
        }
    }
}

impl<T: Linearize + Copy> Linearize for Cell<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        self.get().linearize_as(field, sink);
    }
}

impl<T: Linearize + ?Sized> Linearize for RefCell<T> {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        self.borrow().linearize_as(field, sink);
    }
}

impl<T: Linearize> Linearize for [T] {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        sink.number(self.len() as u64);
        for element in self {
            element.linearize_as(field, sink);
        }
    }
}

impl<T: Linearize, const N: usize> Linearize for [T; N] {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        for element in self {
            element.linearize_as(field, sink);
        }
    }
}

macro_rules! sequence {
    ($($t:ident $(<$($p:ident),*>)?),*) => { $(
        impl<$($($p: Linearize),*)?> Linearize for $t$(<$($p),*>)? {
            fn linearize_as(&self, field: &str, sink: &mut Sink) {
                sink.number(self.len() as u64);
                for element in self {
                    element.linearize_as(field, sink);
                }
            }
        }
    )* };
}

sequence!(Vec<T>, VecDeque<T>, BTreeSet<T>, BTreeMap<K, V>);

macro_rules! tuple {
    ($($t:ident $i:tt),*) => {
        impl<$($t: Linearize),*> Linearize for ($($t,)*) {
            fn linearize_as(&self, field: &str, sink: &mut Sink) {
                $( self.$i.linearize_as(field, sink); )*
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: &impl Linearize) -> Vec<u8> {
        let mut sink = Sink::new();
        value.linearize(&mut sink);
        sink.bytes().to_vec()
    }

    #[test]
    fn equal_rings_elsewhere_in_memory_are_the_same() {
        struct Node {
            key: u8,
            next: RefCell<Weak<Node>>,
        }
        linearize_fields!(Node { key, next });
        let ring = |keys: [u8; 2]| {
            let [a, b] = keys.map(|key| Rc::new(Node { key, next: RefCell::new(Weak::new()) }));
            *a.next.borrow_mut() = Rc::downgrade(&b);
            *b.next.borrow_mut() = Rc::downgrade(&a);
            bytes(&(a, b))
        };
        assert_eq!(ring([1, 2]), ring([1, 2]));
        assert_ne!(ring([1, 2]), ring([2, 1]));
        assert_eq!(ring([1, 2]), [1, 1, 2, 2, 1, 2]);
    }

    #[test]
    fn integers_are_told_apart_whatever_their_size() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 127, 128, 300, -300, i64::MAX, i64::MIN];
        for a in numbers {
            for b in numbers {
                assert_eq!(bytes(&(a, 0_u8)) == bytes(&(b, 0_u8)), a == b, "{a} {b}");
                let (small_a, small_b) = (a as u16, b as u16);
                assert_eq!(bytes(&small_a) == bytes(&small_b), small_a == small_b, "{small_a} {small_b}");
            }
        }
        assert_eq!([bytes(&0_i32), bytes(&-1_i32), bytes(&1_i32), bytes(&7_usize)].concat(), [0, 1, 2, 7]);
    }

    #[test]
    fn options_of_data_and_of_objects() {
        assert_eq!(bytes(&Some(0u8)), [1, 0]);
        assert_eq!(bytes(&None::<u8>), [0]);
        assert_eq!(bytes(&Some(Box::new(0u8))), [1, 0]);
        assert_eq!(bytes(&Some(None::<u8>)), [1, 0]);
        assert_eq!(bytes(&vec![Some(1u8), None]), [2, 1, 1, 0]);
    }
}
