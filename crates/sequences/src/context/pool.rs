//! Pools: the values of a type that calls can take, and what the type supports.

use std::any::{Any, TypeId, type_name};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use super::values::AnyPool;
use crate::linearize::Linearize;
use crate::sink::Sink;

/// A pool of values of one type: its size, its initial values, and what can be done with them.
///
/// A pool has no requirements on its type. Each ability is declared by a method that requires it: [`Pool::cloned`] for
/// explorations that copy states, [`Pool::linearized`], [`Pool::hashed`] or [`Pool::debugged`] to compare states,
/// [`Pool::shown`] for reports. [`Pool::of`] declares cloning, hashing and showing.
///
/// ```
/// use smallscope_sequences::Pool;
///
/// let numbers = Pool::of([0, 1, 100]);
/// let vectors = Pool::<Vec<i32>>::empty(2).cloned().hashed().shown().named("v");
/// ```
pub struct Pool<T> {
    size: usize,
    name: Option<String>,
    /// The name of the type that its values are written as.
    type_name: &'static str,
    facts: Facts<T>,
}

/// What a type supports.
struct Facts<T> {
    initial: Initial<T>,
    clone: Option<fn(&T) -> T>,
    linearize: Option<Linearizer<T>>,
    show: Option<fn(&T) -> String>,
    write: Option<Writer<T>>,
    invariant: Option<Invariant<T>>,
    is_changed_by_reference: bool,
    means: Means,
    is_vouched: bool,
}

/// What the values of a pool are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// What [`Linearize`] writes.
    Linearization,
    /// What a function writes.
    Function,
    /// What `Hash` feeds to the hasher.
    Hash,
    /// The `Debug` text.
    Debug,
}

type Linearizer<T> = Box<dyn Fn(&T, &mut Sink) + Send + Sync>;
type Writer<T> = Box<dyn Fn(&T) -> String + Send + Sync>;
type Invariant<T> = Box<dyn Fn(&T) -> bool + Send + Sync>;
type Initial<T> = Vec<Box<dyn Fn() -> T + Send + Sync>>;

impl<T: 'static> Pool<T> {
    /// A pool whose slots are empty until calls fill them.
    pub fn empty(size: usize) -> Pool<T> {
        Pool {
            size,
            name: None,
            type_name: type_name::<T>(),
            facts: Facts {
                initial: vec![],
                clone: None,
                linearize: None,
                show: None,
                write: None,
                invariant: None,
                is_changed_by_reference: true,
                means: Means::Linearization,
                is_vouched: false,
            },
        }
    }

    /// A pool with one slot for each value, of a type that can be cloned, hashed and shown. In printed tests values are
    /// written as `Debug` shows them; if that is not valid Rust, use [`Pool::written_by`]. Values are assumed to be
    /// [frozen](Pool::frozen).
    pub fn of(values: impl IntoIterator<Item = T>) -> Pool<T>
    where
        T: Clone + Hash + Debug + Send + Sync,
    {
        values.into_iter().fold(Pool::empty(0), Pool::and).cloned().hashed().shown().frozen()
    }

    /// Adds a slot that holds a value.
    pub fn and(mut self, value: T) -> Pool<T>
    where
        T: Clone + Send + Sync,
    {
        self.facts.initial.push(Box::new(move || value.clone()));
        self.size = self.size.max(self.facts.initial.len());
        self
    }

    /// Adds a slot whose value is created for each test: for types that are not `Clone` or not `Send`.
    pub fn and_made_by(mut self, make: impl Fn() -> T + Send + Sync + 'static) -> Pool<T> {
        self.facts.initial.push(Box::new(make));
        self.size = self.size.max(self.facts.initial.len());
        self
    }

    /// Sets the number of slots. Those without an initial value are empty at first.
    pub fn size(mut self, size: usize) -> Pool<T> {
        self.size = size;
        self
    }

    /// Sets the name of variables of this type in printed tests. The default is a short form of the type's name.
    pub fn named(mut self, name: &str) -> Pool<T> {
        self.name = Some(name.to_owned());
        self
    }

    /// Values are written and compared as those of another type.
    pub(super) fn of_type<U>(mut self) -> Pool<T> {
        self.type_name = type_name::<U>();
        self
    }

    /// Lets values be cloned: needed to pass them by value without losing them, and to copy states.
    pub fn cloned(mut self) -> Pool<T>
    where
        T: Clone,
    {
        self.facts.clone = Some(T::clone);
        self
    }

    /// Compares states by what [`Linearize`] writes: complete, and with support for abstractions.
    pub fn linearized(self) -> Pool<T>
    where
        T: Linearize,
    {
        self.linearized_by(T::linearize).compared_by(Means::Linearization)
    }

    /// Compares states by what a function writes. An exploration is lossy by that, unless you [vouch](Pool::vouched) for
    /// the function.
    pub fn linearized_by(mut self, linearize: impl Fn(&T, &mut Sink) + Send + Sync + 'static) -> Pool<T> {
        self.facts.linearize = Some(Box::new(linearize));
        self.compared_by(Means::Function)
    }

    /// Compares states by what `Hash` feeds to the hasher, which is opaque to abstractions. An exploration is lossy by
    /// that, unless the type consists of types of the standard library or you [vouch](Pool::vouched) for its `Hash`.
    pub fn hashed(self) -> Pool<T>
    where
        T: Hash,
    {
        self.linearized_by(|value, sink| sink.opaque(value)).compared_by(Means::Hash)
    }

    /// Compares and shows states by their `Debug` texts: slow, and opaque to abstractions. An exploration is lossy by
    /// that, unless the type consists of types of the standard library or you [vouch](Pool::vouched) for its `Debug`.
    pub fn debugged(self) -> Pool<T>
    where
        T: Debug,
    {
        self.linearized_by(|value, sink| sink.text(value)).compared_by(Means::Debug).shown()
    }

    fn compared_by(mut self, means: Means) -> Pool<T> {
        self.facts.means = means;
        self
    }

    /// Vouches for the comparison of values: values that compare as equal behave equally in all calls. A field that
    /// follows from the others, or a cache, may be missing from it. Then an exploration is not lossy by this pool, and
    /// its report says that it relies on your word.
    pub fn vouched(mut self) -> Pool<T> {
        self.facts.is_vouched = true;
        self
    }

    /// Shows values by `Debug`.
    pub fn shown(mut self) -> Pool<T>
    where
        T: Debug,
    {
        self.facts.show = Some(|value| format!("{value:?}"));
        self
    }

    /// Sets how an initial value is written in Rust. The default is `Debug`.
    pub fn written_by(mut self, write: impl Fn(&T) -> String + Send + Sync + 'static) -> Pool<T> {
        self.facts.write = Some(Box::new(write));
        self
    }

    /// Sets the invariant that each value must satisfy after each call that used it.
    pub fn invariant(mut self, holds: impl Fn(&T) -> bool + Send + Sync + 'static) -> Pool<T> {
        self.facts.invariant = Some(Box::new(holds));
        self
    }

    /// Promises that a value does not change through a shared reference, which saves copying after calls with `&self`.
    /// Not for types that contain a `Cell`, a `RefCell` or other interior mutability.
    pub fn frozen(mut self) -> Pool<T> {
        self.facts.is_changed_by_reference = false;
        self
    }
}

/// A pool in a context.
pub(crate) struct PoolEntry {
    pub type_id: TypeId,
    pub type_name: &'static str,
    pub variable: String,
    pub size: usize,
    pub initial: usize,
    pub is_cloneable: bool,
    pub is_linearized: bool,
    pub means: Means,
    /// Whether the author vouches for the comparison.
    pub is_vouched: bool,
    pub is_frozen: bool,
    /// The initial values as Rust source, where known.
    pub literals: Vec<Option<String>>,
    pub make: Box<dyn Fn() -> Box<dyn AnyPool> + Send + Sync>,
}

impl<T: 'static> Pool<T> {
    pub(crate) fn into_entry(self) -> PoolEntry {
        let facts = Arc::new(self.facts);
        let (size, type_name) = (self.size, self.type_name);
        let literals = facts.initial.iter().map(|make| facts.literal(&make(), type_name)).collect();
        PoolEntry {
            type_id: TypeId::of::<T>(),
            type_name,
            variable: self.name.unwrap_or_else(|| variable_for(type_name)),
            size,
            initial: facts.initial.len(),
            is_cloneable: facts.clone.is_some(),
            is_linearized: facts.linearize.is_some(),
            means: facts.means,
            is_vouched: facts.is_vouched,
            is_frozen: !facts.is_changed_by_reference,
            literals,
            make: Box::new(move || {
                let mut slots = Slots { values: (0..size).map(|_| None).collect(), facts: facts.clone() };
                slots.reset();
                Box::new(slots)
            }),
        }
    }
}

impl PoolEntry {
    /// Whether abstractions cannot inspect its values.
    pub(crate) fn is_opaque(&self) -> bool {
        matches!(self.means, Means::Hash | Means::Debug)
    }
}

impl<T: 'static> Facts<T> {
    #[inline(always)]
    fn write_to(&self, value: &T, sink: &mut Sink) {
        let Some(linearize) = &self.linearize else { return };
        if !self.is_vouched {
            return (**linearize)(value, sink);
        }
        let known = sink.left_out();
        (**linearize)(value, sink);
        sink.vouch_for_left_out(known);
    }

    fn literal(&self, value: &T, type_name: &str) -> Option<String> {
        if let Some(write) = &self.write {
            return Some(write(value));
        }
        Some(in_rust(&self.show.map(|show| show(value))?, type_name))
    }
}

/// Returns a `Debug` text as Rust: vectors and strings of a type of the standard library are made by what makes them.
fn in_rust(text: &str, type_name: &str) -> String {
    let makes_strings = type_name.contains("alloc::string::String");
    let makes_vectors = type_name.contains("alloc::vec::Vec<") && !type_name.contains('[');
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '[' if makes_vectors => out.push_str("vec!["),
            '"' | '\'' => {
                let is_made = c == '"' && makes_strings;
                out.push_str(if is_made { "String::from(" } else { "" });
                out.push(c);
                while let Some(inside) = chars.next() {
                    out.push(inside);
                    match inside {
                        '\\' => out.extend(chars.next()),
                        _ if inside == c => break,
                        _ => {}
                    }
                }
                out.push_str(if is_made { ")" } else { "" });
            }
            _ => out.push(c),
        }
    }
    out
}

/// The slots of a pool while a test runs.
pub(crate) struct Slots<T> {
    /// A boxed slice, because indexing it is not a call in a debug build.
    values: Box<[Option<T>]>,
    facts: Arc<Facts<T>>,
}

impl<T: 'static> Slots<T> {
    #[inline(always)]
    pub(crate) fn get(&self, slot: usize) -> Option<&T> {
        match slot < self.values.len() {
            true => match &self.values[slot] {
                Some(value) => Some(value),
                None => None,
            },
            false => None,
        }
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, slot: usize) -> Option<T> {
        self.values[slot].take()
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, slot: usize, value: Option<T>) {
        self.values[slot] = value;
    }
}

impl<T: 'static> AnyPool for Slots<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn reset(&mut self) {
        let (initial, rest) = self.values.split_at_mut(self.facts.initial.len());
        for (value, make) in initial.iter_mut().zip(&self.facts.initial) {
            *value = Some(make());
        }
        for value in rest {
            *value = None;
        }
    }

    fn clear(&mut self) {
        let mut slot = 0;
        while slot < self.values.len() {
            self.values[slot] = None;
            slot += 1;
        }
    }

    #[expect(clippy::manual_map, reason = "a closure is a call in a debug build")]
    fn copy_from(&mut self, other: &dyn AnyPool) -> bool {
        let Some(clone) = self.facts.clone else { return false };
        let Some(other) = other.as_any().downcast_ref::<Slots<T>>() else { return false };
        let mut slot = 0;
        while slot < self.values.len() {
            self.values[slot] = match &other.values[slot] {
                Some(value) => Some(clone(value)),
                None => None,
            };
            slot += 1;
        }
        true
    }

    fn is_changed_by_reference(&self) -> bool {
        self.facts.is_changed_by_reference
    }

    fn is_filled(&self, slot: usize) -> bool {
        self.values[slot].is_some()
    }

    fn linearize(&self, slot: usize, sink: &mut Sink) {
        if let Some(value) = &self.values[slot] {
            self.facts.write_to(value, sink);
        }
    }

    fn linearize_all(&self, sink: &mut Sink) {
        // Once, because it is a call in a debug build.
        let facts = &*self.facts;
        let mut slot = 0;
        while slot < self.values.len() {
            match &self.values[slot] {
                Some(value) => {
                    sink.number(1);
                    facts.write_to(value, sink);
                }
                None => sink.number(0),
            }
            slot += 1;
        }
    }

    fn has_invariant(&self) -> bool {
        self.facts.invariant.is_some()
    }

    fn holds(&self, slot: usize) -> bool {
        match (&self.values[slot], &self.facts.invariant) {
            (Some(value), Some(holds)) => holds(value),
            _ => true,
        }
    }

    fn show(&self, slot: usize) -> Option<String> {
        Some(self.facts.show?(self.values[slot].as_ref()?))
    }
}

/// Returns a type's name without the paths of modules.
pub(crate) fn short_name(type_name: &str) -> String {
    let mut short = String::new();
    let mut word = String::new();
    for c in type_name.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else if c == ':' {
            word.clear();
        } else {
            short.push_str(&word);
            word.clear();
            short.push(c);
        }
    }
    short + &word
}

/// Returns a variable name for a type: `tree_map` for `TreeMap<i32>`, `i32_` for `i32`.
fn variable_for(type_name: &str) -> String {
    let short = short_name(type_name);
    let mut name = String::new();
    for c in short.chars().take_while(|c| c.is_alphanumeric() || *c == '_') {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    if name.is_empty() || name == short {
        format!("{}_", if name.is_empty() { "value" } else { &name })
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_standard_library_are_written_as_rust() {
        let text = |value: &dyn Debug, type_name| in_rust(&format!("{value:?}"), type_name);
        assert_eq!(text(&vec![0_u8], type_name::<Vec<u8>>()), "vec![0]");
        assert_eq!(text(&vec![vec![1, 2], vec![]], type_name::<Vec<Vec<i32>>>()), "vec![vec![1, 2], vec![]]");
        assert_eq!(text(&"a[\"b", type_name::<String>()), "String::from(\"a[\\\"b\")");
        assert_eq!(text(&vec!["["], type_name::<Vec<String>>()), "vec![String::from(\"[\")]");
        assert_eq!(text(&vec![Some('[')], type_name::<Vec<Option<char>>>()), "vec![Some('[')]");
        assert_eq!(text(&[1, 2], type_name::<[u8; 2]>()), "[1, 2]");
        assert_eq!(text(&vec![[1]], type_name::<Vec<[u8; 1]>>()), "[[1]]");
    }

    #[test]
    fn names_are_short() {
        assert_eq!(short_name("alloc::vec::Vec<core::option::Option<u8>>"), "Vec<Option<u8>>");
        assert_eq!(short_name("(a::B, [c::D; 3])"), "(B, [D; 3])");
        assert_eq!(variable_for("my::TreeMap<i32>"), "tree_map");
        assert_eq!(variable_for("i32"), "i32_");
        assert_eq!(variable_for("(u8, u8)"), "value_");
    }
}
