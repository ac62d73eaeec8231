//! Linearizations: a value as a sequence of bytes, the same for two values if and only if they are the same.

use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use crate::explore::Abstraction;
use crate::linearize::Linearize;

/// Takes the linearization of a value.
///
/// Objects are numbered in the order in which they are entered, depth first; an object that was seen before is its
/// number, and nothing is a zero. So two heaps have the same linearization if and only if one is the other with its
/// objects elsewhere in memory. An abstraction leaves some of the data out.
///
/// ```
/// use smallscope_sequences::Sink;
///
/// struct Node { key: u8, next: Option<Box<Node>> }
///
/// fn linearize(list: &Option<Box<Node>>, sink: &mut Sink) {
///     match list {
///         None => sink.nothing(),
///         Some(node) => {
///             sink.object();
///             sink.data("key", &node.key);
///             linearize(&node.next, sink);
///         }
///     }
/// }
///
/// let list = Some(Box::new(Node { key: 7, next: None }));
/// let mut sink = Sink::new();
/// linearize(&list, &mut sink);
/// assert_eq!(sink.bytes(), [1, 7, 0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sink {
    bytes: Vec<u8>,
    objects: u64,
    /// Objects that others may point to, by address.
    shared: HashMap<usize, u64>,
    /// Objects that only raw pointers may point to besides their owner.
    boxed: Vec<(usize, u64)>,
    abstraction: Abstraction,
    /// The fields with data, if they are asked for.
    names: Option<BTreeSet<String>>,
}

impl Sink {
    /// A sink that takes everything.
    pub fn new() -> Sink {
        Sink::default()
    }

    /// A sink that leaves out what an abstraction leaves out.
    pub fn with(abstraction: Abstraction) -> Sink {
        Sink { abstraction, ..Sink::default() }
    }

    /// The names of the fields that are written to a sink.
    pub(crate) fn names_of(write: impl FnOnce(&mut Sink)) -> BTreeSet<String> {
        let mut sink = Sink { names: Some(BTreeSet::new()), ..Sink::default() };
        write(&mut sink);
        let mut names = sink.names.unwrap_or_default();
        // Data without a name.
        names.remove("");
        names
    }

    /// What was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Empty again.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.objects = 0;
        self.boxed.clear();
        if !self.shared.is_empty() {
            self.shared.clear();
        }
    }

    /// No object, where there could be one.
    #[inline]
    pub fn nothing(&mut self) {
        self.bytes.push(0);
    }

    /// An object that nobody else points to.
    #[inline]
    pub fn object(&mut self) {
        self.objects += 1;
        self.number(self.objects);
    }

    /// An object that others may point to. Whether it is new, so that what is in it has to follow.
    pub fn shared<T: ?Sized>(&mut self, object: *const T) -> bool {
        let address = object.cast::<u8>().addr();
        if let Some(number) = self.find(address) {
            self.number(number);
            return false;
        }
        self.object();
        self.shared.insert(address, self.objects);
        true
    }

    /// An object with one owner, to which raw pointers may lead as well. Whether it is new, so that what is in it has to follow.
    #[inline]
    pub fn boxed<T: ?Sized>(&mut self, object: &T) -> bool {
        // Objects without content have no address of their own.
        if size_of_val(object) == 0 {
            self.object();
            return true;
        }
        let address = std::ptr::from_ref(object).cast::<u8>().addr();
        // Most values share nothing: then the address is not hashed.
        let seen = if self.shared.is_empty() { None } else { self.shared.get(&address).copied() };
        if let Some(number) = seen {
            self.number(number);
            return false;
        }
        self.object();
        self.boxed.push((address, self.objects));
        true
    }

    /// Where a raw pointer leads: nowhere, to an object that was seen before, or to a new one.
    ///
    /// It has to lead to an object of its own, in a box or allocated as if it were: one that is a part of something else would be
    /// taken for two.
    ///
    /// # Safety
    ///
    /// The pointer is null, or leads to a value that can be read.
    pub unsafe fn pointer<T: Linearize>(&mut self, field: &str, pointer: *const T) {
        if pointer.is_null() {
            self.nothing();
        } else if self.shared(pointer) {
            // SAFETY: it is not null, so the caller says that it can be read.
            unsafe { &*pointer }.linearize_as(field, self);
        }
    }

    /// The number of the object at an address.
    fn find(&self, address: usize) -> Option<u64> {
        let boxed =
            || self.boxed.iter().rev().find(|(other, _)| *other == address).map(|(_, number)| *number);
        self.shared.get(&address).copied().or_else(boxed)
    }

    /// A number that is part of the shape: the length of a sequence, the variant of an enum.
    #[inline]
    pub fn number(&mut self, number: u64) {
        // Seven bits to the byte: no number is the beginning of another one.
        let mut rest = number;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    /// Data in a field with a name: shapes leave it out, unless they ask for the name.
    #[inline]
    pub fn data<T: Hash + ?Sized>(&mut self, field: &str, value: &T) {
        if self.abstraction.keeps(field) {
            if let Some(names) = &mut self.names {
                names.insert(field.to_owned());
            }
            value.hash(&mut Bytes(&mut self.bytes));
        }
    }

    /// A value of which nothing is known but how it is hashed: data without a name.
    #[inline]
    pub fn opaque<T: Hash + ?Sized>(&mut self, value: &T) {
        self.data("", value);
    }
}

/// Everything that `Hash` writes, as it is.
struct Bytes<'a>(&'a mut Vec<u8>);

impl Hasher for Bytes<'_> {
    fn finish(&self) -> u64 {
        0
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.0.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_and_cycles_are_exact() {
        let (a, b) = (Box::new(1), Box::new(2));
        let mut sink = Sink::new();
        assert!(sink.shared(&*a));
        assert!(sink.shared(&*b));
        assert!(!sink.shared(&*a));
        assert_eq!(sink.bytes(), [1, 2, 1]);
        sink.clear();
        assert!(sink.shared(&*b));
        assert_eq!(sink.bytes(), [1]);
    }

    #[test]
    fn shapes_leave_data_out_except_for_chosen_fields() {
        let write = |abstraction| {
            let mut sink = Sink::with(abstraction);
            sink.object();
            sink.data("key", &5u8);
            sink.data("red", &true);
            sink.nothing();
            sink.bytes().to_vec()
        };
        assert_eq!(write(Abstraction::Complete), [1, 5, 1, 0]);
        assert_eq!(write(Abstraction::Shape), [1, 0]);
        assert_eq!(write(Abstraction::shape_and(["red"])), [1, 1, 0]);
    }

    #[test]
    fn no_number_is_the_beginning_of_another() {
        let bytes = |n| {
            let mut sink = Sink::new();
            sink.number(n);
            sink.bytes().to_vec()
        };
        let numbers = [0, 1, 127, 128, 129, 300, 16383, 16384, u64::MAX];
        for a in numbers {
            for b in numbers {
                assert_eq!(a == b, bytes(a).starts_with(&bytes(b)), "{a} {b}");
            }
        }
    }
}
