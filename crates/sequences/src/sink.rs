//! Linearizations: sequences of bytes that are equal if and only if the values are.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::explore::Abstraction;
use crate::linearize::Linearize;

/// Receives the linearization of a value.
///
/// Objects are numbered in the order in which they are entered, depth first. An object that was seen before is written
/// as its number, and a missing object as zero. So two heaps have the same linearization if and only if they differ
/// only in where their objects are in memory. An abstraction leaves some of the data out.
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
    /// What was written, and room for more. A boxed slice, because indexing it is not a call in a debug build.
    buffer: Box<[u8]>,
    /// How many bytes were written.
    len: usize,
    objects: u64,
    /// Objects that others may point to, by address.
    shared: HashMap<usize, u64>,
    /// Objects with one owner, to which only raw pointers may also point.
    boxed: Vec<(usize, u64)>,
    abstraction: Abstraction,
    /// Whether everything is written and no names are collected, which is the usual case.
    keeps_all: bool,
    /// The names of the fields with data, if they are collected.
    names: Option<BTreeSet<String>>,
    /// What was left out of values, in the order in which it was noted first.
    left_out: Vec<LeftOut>,
    /// How many of these were taken.
    taken: usize,
}

/// A part of values that linearizations leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LeftOut {
    /// The type and the field: `Tree.cache`.
    pub name: &'static str,
    /// Whether the author vouches that nothing depends on it.
    pub is_vouched: bool,
}

impl Sink {
    /// A sink that keeps everything.
    pub fn new() -> Sink {
        Sink::with(Abstraction::Complete)
    }

    /// A sink that leaves out what an abstraction leaves out.
    pub fn with(abstraction: Abstraction) -> Sink {
        Sink { keeps_all: abstraction == Abstraction::Complete, abstraction, ..Sink::default() }
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

    /// Returns what was written.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// Empties the sink.
    pub fn clear(&mut self) {
        self.len = 0;
        // Without objects, there are none that others point to.
        if self.objects != 0 {
            self.objects = 0;
            self.boxed.clear();
            self.shared.clear();
        }
    }

    /// Writes that there is no object.
    #[inline(always)]
    pub fn nothing(&mut self) {
        self.put(0);
    }

    /// Writes a byte.
    #[inline(always)]
    fn put(&mut self, byte: u8) {
        // A variable is loaded faster than a field in a debug build.
        let at = self.len;
        if at >= self.buffer.len() {
            self.grow(1);
        }
        self.buffer[at] = byte;
        self.len = at + 1;
    }

    /// Writes a number of four bytes, one by one: a loop, or a call of the standard library, takes longer in a debug build.
    #[inline(always)]
    fn put_four(&mut self, number: u32) {
        let at = self.len;
        if self.buffer.len() - at < 4 {
            self.grow(4);
        }
        let buffer: &mut [u8] = &mut self.buffer;
        buffer[at + 3] = (number >> 24) as u8;
        buffer[at] = number as u8;
        buffer[at + 1] = (number >> 8) as u8;
        buffer[at + 2] = (number >> 16) as u8;
        self.len = at + 4;
    }

    /// Writes an integer in a field as [`Sink::data`] does, in fewer bytes if it is small: there is less to compare.
    #[inline(always)]
    pub(crate) fn integer(&mut self, field: &str, number: u64) {
        if self.keeps_all || self.keeps(field) {
            self.number(number);
        }
    }

    /// Whether data in a field is written. Collects the names of the fields that are.
    #[inline]
    fn keeps(&mut self, field: &str) -> bool {
        if !self.abstraction.keeps(field) {
            return false;
        }
        if let Some(names) = &mut self.names {
            names.insert(field.to_owned());
        }
        true
    }

    /// Writes many bytes.
    fn put_all(&mut self, bytes: &[u8]) {
        if self.buffer.len() - self.len < bytes.len() {
            self.grow(bytes.len());
        }
        let end = self.len + bytes.len();
        self.buffer[self.len..end].copy_from_slice(bytes);
        self.len = end;
    }

    /// Makes room for some bytes.
    #[cold]
    fn grow(&mut self, more: usize) {
        let mut bytes = std::mem::take(&mut self.buffer).into_vec();
        let room = (self.len + more).max(bytes.len() * 2).max(64);
        bytes.resize(room, 0);
        self.buffer = bytes.into_boxed_slice();
    }

    /// Writes an object to which nothing else points.
    #[inline(always)]
    pub fn object(&mut self) {
        self.objects += 1;
        self.number(self.objects);
    }

    /// Writes an object to which others may point. Returns whether it is new, so that its content must follow.
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

    /// Writes an object with one owner, to which raw pointers may also point. Returns whether it is new, so that its
    /// content must follow.
    #[inline]
    pub fn boxed<T: ?Sized>(&mut self, object: &T) -> bool {
        // Objects of size zero have no distinct address.
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

    /// Writes the target of a raw pointer: none, an object that was seen before, or a new one.
    ///
    /// The target must be a separate allocation, such as a box: a part of another object would count as two objects.
    ///
    /// # Safety
    ///
    /// The pointer is null, or points to a value that can be read.
    pub unsafe fn pointer<T: Linearize>(&mut self, field: &str, pointer: *const T) {
        if pointer.is_null() {
            self.nothing();
        } else if self.shared(pointer) {
            // SAFETY: it is not null, so the caller guarantees that it can be read.
            unsafe { &*pointer }.linearize_as(field, self);
        }
    }

    /// The number of the object at an address.
    fn find(&self, address: usize) -> Option<u64> {
        let boxed =
            || self.boxed.iter().rev().find(|(other, _)| *other == address).map(|(_, number)| *number);
        self.shared.get(&address).copied().or_else(boxed)
    }

    /// Writes a number that is part of the shape: the length of a sequence, the variant of an enum.
    #[inline(always)]
    pub fn number(&mut self, number: u64) {
        if number < 0x80 {
            return self.put(number as u8);
        }
        self.long_number(number);
    }

    /// Writes a number of more than seven bits.
    fn long_number(&mut self, number: u64) {
        // Seven bits per byte: no number is a prefix of another one.
        let mut rest = number;
        while rest >= 0x80 {
            self.put(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.put(rest as u8);
    }

    /// Writes data in a field with a name. Shapes leave it out unless they name the field.
    #[inline(always)]
    pub fn data<T: Hash + ?Sized>(&mut self, field: &str, value: &T) {
        if self.keeps_all || self.keeps(field) {
            value.hash(&mut Bytes(self));
        }
    }

    /// Notes that a part of the value is not written, such as `Tree.cache`. The exploration is lossy by that, and its
    /// report names the part.
    #[inline]
    pub fn leave_out(&mut self, name: &'static str) {
        self.note(LeftOut { name, is_vouched: false });
    }

    /// Notes that a part of the value is not written, and that nothing depends on it.
    #[inline]
    pub fn leave_out_vouched(&mut self, name: &'static str) {
        self.note(LeftOut { name, is_vouched: true });
    }

    #[inline]
    fn note(&mut self, left_out: LeftOut) {
        // There are few, and all but the first are known.
        if !self.left_out.iter().any(|known| known.name == left_out.name) {
            self.left_out.push(left_out);
        }
    }

    /// The number of parts that were left out.
    #[inline]
    pub(crate) fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// Vouches for all parts that were left out but the first.
    #[inline]
    pub(crate) fn vouch_for_left_out(&mut self, first: usize) {
        self.left_out[first..].iter_mut().for_each(|left_out| left_out.is_vouched = true);
    }

    /// Whether something was left out that was not taken.
    #[inline(always)]
    pub(crate) fn has_left_out(&self) -> bool {
        self.taken < self.left_out.len()
    }

    /// Takes what was left out since the last time.
    pub(crate) fn take_left_out(&mut self) -> &[LeftOut] {
        let taken = std::mem::replace(&mut self.taken, self.left_out.len());
        &self.left_out[taken..]
    }

    /// Writes the `Debug` text of a value, as data without a name.
    pub(crate) fn text(&mut self, value: &dyn fmt::Debug) {
        if self.keeps_all || self.keeps("") {
            // A value that cannot be written is written as far as possible.
            let _ = fmt::write(self, format_args!("{value:?}"));
            // As `Hash` ends a text: it is in no UTF-8.
            self.put(0xff);
        }
    }

    /// Writes what a value feeds to a hasher, as data without a name.
    #[inline(always)]
    pub fn opaque<T: Hash + ?Sized>(&mut self, value: &T) {
        self.data("", value);
    }
}

/// The `Debug` text of a value goes into the sink without a string in between.
impl fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.put_all(text.as_bytes());
        Ok(())
    }
}

/// A hasher that keeps the bytes that `Hash` writes.
struct Bytes<'a>(&'a mut Sink);

impl Hasher for Bytes<'_> {
    fn finish(&self) -> u64 {
        0
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.put_all(bytes);
    }
    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.0.put(byte);
    }
    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.0.put_four(number);
    }
    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0.put_four(number as u32);
        self.0.put_four((number >> 32) as u32);
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
