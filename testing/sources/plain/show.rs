//! Values as texts. Two values have the same text if and only if they are equal up to the addresses of their objects.
//!
//! Keys are written as `k3`, places of an arena as `#3`, and the elements of an arena between `⟦` and `⟧`, so that
//! values can be compared up to the names of keys and places.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

/// A text under construction, and the objects that it has named.
#[derive(Default)]
pub struct Text {
    pub out: String,
    seen: Vec<*const ()>,
}

impl Text {
    pub fn of(value: &impl Show) -> String {
        let mut text = Text::default();
        value.show(&mut text);
        text.out
    }

    pub fn put(&mut self, part: &str) {
        self.out.push_str(part);
    }

    /// Names an object, and returns whether it is the first time.
    fn object(&mut self, address: *const ()) -> bool {
        let place = self.seen.iter().position(|seen| *seen == address);
        let _ = write!(self.out, "@{}", place.unwrap_or(self.seen.len()));
        if place.is_none() {
            self.seen.push(address);
        }
        place.is_none()
    }

    fn shared<T: Show>(&mut self, target: &T) {
        if self.object(std::ptr::from_ref(target).cast()) {
            target.show(self);
        }
    }

    pub fn list<'a, T: Show + 'a>(&mut self, items: impl Iterator<Item = &'a T>) {
        self.put("[");
        for item in items {
            item.show(self);
            self.put(",");
        }
        self.put("]");
    }

    /// The elements of an arena.
    pub fn arena<T: Show>(&mut self, items: &[T]) {
        self.put("⟦");
        for (i, item) in items.iter().enumerate() {
            self.put(if i == 0 { "" } else { "¦" });
            item.show(self);
        }
        self.put("⟧");
    }

    pub fn place(&mut self, place: usize) {
        let _ = write!(self.out, "#{place}");
    }
}

pub trait Show {
    fn show(&self, text: &mut Text);
}

macro_rules! debug {
    ($($t:ty)*) => { $(
        impl Show for $t {
            fn show(&self, text: &mut Text) {
                let _ = write!(text.out, "{self:?}");
            }
        }
    )* };
}
debug!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool char String f64);

macro_rules! lists {
    ($($t:ty),*) => { $(
        impl<T: Show> Show for $t {
            fn show(&self, text: &mut Text) {
                text.list(self.iter());
            }
        }
    )* };
}
lists!(Vec<T>, VecDeque<T>, Box<[T]>, BTreeSet<T>);

impl<T: Show, const N: usize> Show for [T; N] {
    fn show(&self, text: &mut Text) {
        text.list(self.iter());
    }
}

impl<T: Show + Ord> Show for HashSet<T> {
    fn show(&self, text: &mut Text) {
        let sorted: BTreeSet<&T> = self.iter().collect();
        text.list(sorted.into_iter());
    }
}

fn entries<'a, K: Show + 'a, V: Show + 'a>(entries: impl Iterator<Item = (&'a K, &'a V)>, text: &mut Text) {
    text.put("{");
    for (key, value) in entries {
        key.show(text);
        text.put(":");
        value.show(text);
        text.put(",");
    }
    text.put("}");
}

impl<K: Show, V: Show> Show for BTreeMap<K, V> {
    fn show(&self, text: &mut Text) {
        entries(self.iter(), text);
    }
}

impl<K: Show + Ord, V: Show> Show for HashMap<K, V> {
    fn show(&self, text: &mut Text) {
        let sorted: BTreeMap<&K, &V> = self.iter().collect();
        entries(sorted.into_iter(), text);
    }
}

impl<T: Show> Show for Option<T> {
    fn show(&self, text: &mut Text) {
        match self {
            Some(value) => {
                text.put("+");
                value.show(text);
            }
            None => text.put("-"),
        }
    }
}

impl<T: Show> Show for Box<T> {
    fn show(&self, text: &mut Text) {
        text.shared(&**self);
    }
}

impl<T: Show> Show for Rc<T> {
    fn show(&self, text: &mut Text) {
        text.shared(&**self);
    }
}

impl<T: Show> Show for Arc<T> {
    fn show(&self, text: &mut Text) {
        text.shared(&**self);
    }
}

impl<T: Show> Show for std::rc::Weak<T> {
    fn show(&self, text: &mut Text) {
        match self.upgrade() {
            Some(target) => text.shared(&*target),
            None => text.put("~"),
        }
    }
}

impl<T: Show> Show for std::sync::Weak<T> {
    fn show(&self, text: &mut Text) {
        match self.upgrade() {
            Some(target) => text.shared(&*target),
            None => text.put("~"),
        }
    }
}

macro_rules! raw {
    ($($t:ty),*) => { $(
        impl<T: Show> Show for $t {
            fn show(&self, text: &mut Text) {
                // SAFETY: raw pointers of complete values are null or lead to objects.
                match unsafe { self.as_ref() } {
                    Some(target) => text.shared(target),
                    None => text.put("~"),
                }
            }
        }
    )* };
}
raw!(*const T, *mut T);

impl<T: Show> Show for std::ptr::NonNull<T> {
    fn show(&self, text: &mut Text) {
        // SAFETY: as for raw pointers.
        text.shared(unsafe { self.as_ref() });
    }
}

impl<T: Show + Copy> Show for Cell<T> {
    fn show(&self, text: &mut Text) {
        self.get().show(text);
    }
}

impl<T: Show> Show for RefCell<T> {
    fn show(&self, text: &mut Text) {
        self.borrow().show(text);
    }
}

impl<T> Show for std::marker::PhantomData<T> {
    fn show(&self, _: &mut Text) {}
}

macro_rules! tuples {
    ($($name:ident $place:tt),*) => {
        impl<$($name: Show),*> Show for ($($name,)*) {
            fn show(&self, text: &mut Text) {
                text.put("(");
                $(
                    self.$place.show(text);
                    text.put(",");
                )*
                text.put(")");
            }
        }
    };
}
tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);

impl Show for () {
    fn show(&self, _: &mut Text) {}
}
