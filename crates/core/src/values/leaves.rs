//! Plain data: integers, `bool`, `char`, `String`, keys, tuples of plain data.

use crate::bounds::{Choices, FIRST_EDGES, MAX_DOMAIN, Role, WHOLE};
use crate::error::Error;
use crate::key::Key;
use crate::link::{At, Builder, fill};
use crate::shape::{Leaf, Leaves};

/// Implements the traits of plain data for a type that implements `Leaf`.
///
/// The functions are `#[inline]`, so that a crate compiles those of the types that it uses, instead of this crate those
/// of all types.
///
/// With a trait behind the name, the impls hold only if the type implements it, and a constant of that trait fails to
/// evaluate otherwise. `for<'trivial>` defers the question to where the impls are used.
#[doc(hidden)]
#[macro_export]
macro_rules! __leaf {
    ({$($g:tt)*} $t:ty, $name:expr $(, $needs:path)?) => {
        impl<$($g)*> $crate::shape::Mirrored for $t {
            type Mirror = $t;
            type Cell = $crate::cell::Tracked<$t>;
            type Seq = $crate::mirror::Seq<$t>;
            type InMap = $t;
            $(const IS_ENUMERABLE: bool = <$t as $needs>::IS_PLAIN;)?
        }

        // SAFETY: no pointers; `into_domain` counts the values.
        unsafe impl<$($g)*> $crate::shape::Value for $t $(where for<'trivial> $t: ::std::clone::Clone + ::std::cmp::PartialEq + $needs)? {
            type Real = $t;
            const KEYS: bool = <$t as $crate::shape::Leaf>::IS_KEYED;
            const HASHES_KEYS: bool = <$t as $crate::shape::Leaf>::IS_HASHED;
            const HAS_KEYS: bool = <$t as $crate::shape::Leaf>::IS_SET;
            #[inline]
            fn domain(b: &mut $crate::link::Builder, at: $crate::link::At) -> $crate::shape::Domain<Self> {
                match b.indices(at) {
                    ::std::option::Option::Some(domain) => domain,
                    ::std::option::Option::None => <$t as $crate::shape::Leaf>::leaves(b, at).into_domain(),
                }
            }
            #[inline]
            fn build(&'static self, _: &mut $crate::build::Build) -> Self {
                ::std::clone::Clone::clone(self)
            }
            #[inline]
            fn update(&'static self, real: &mut Self, _: &mut $crate::build::Build) {
                ::std::clone::Clone::clone_from(real, self);
            }
            #[inline]
            fn label(&self) -> ::std::string::String {
                $crate::shape::Leaf::show(self)
            }
            #[inline]
            fn choice_of(
                table: $crate::shape::Table<'_, Self>,
                real: &Self,
                _: &mut $crate::absorb::Absorb,
            ) -> ::std::option::Option<u32> {
                $crate::shape::position(table, |v| v == real)
            }
            #[inline]
            fn code(&self) -> ::std::option::Option<i64> {
                $crate::shape::Leaf::number(self)
            }
            #[inline]
            fn elements(&self) -> u32 {
                $crate::shape::Leaf::length(self)
            }
            #[inline]
            fn undecided(slot: u32) -> ::std::option::Option<Self> {
                $crate::shape::Leaf::open(slot)
            }
            #[inline]
            fn with_keys(
                &self,
                keys: &mut dyn ::std::ops::FnMut($crate::key::Key) -> $crate::key::Key,
            ) -> ::std::option::Option<Self> {
                ::std::option::Option::Some($crate::shape::Leaf::rekeyed(self, keys))
            }
            #[inline]
            fn is_same(&self, other: &Self) -> bool {
                self == other
            }
        }

        $crate::__own_content!({$($g)*} $t $(, $needs)?);

        impl<$($g)*> $crate::shape::RepOk for $t {
            const INVARIANT: ::std::option::Option<&'static str> = ::std::option::Option::None;
            #[inline]
            fn rep_ok(&self) -> bool {
                true
            }
        }

        impl<$($g)*> $crate::shape::Pointee for $t {
            type Object = $crate::cell::Tracked<$t>;
            type RefObject = $crate::cell::Tracked<$crate::mirror::RefCell<$t>>;
            const SITE: &'static $crate::site::TypeSite =
                &$crate::site::TypeSite { name: $name, module: ::std::module_path!(), objects: ::std::option::Option::None };
            #[inline]
            fn target(object: &Self::Object) -> &Self {
                object.__read()
            }
            #[inline]
            fn ref_target(object: &Self::RefObject) -> &$crate::mirror::RefCell<Self> {
                object.__read()
            }
        }

        impl<$($g)*> $crate::values::MapValue for $t {
            type BTreeMap<KeyInMap> = $crate::mirror::BTreeMap<KeyInMap, $t>;
            type HashMap<KeyInMap> = $crate::mirror::HashMap<KeyInMap, $t>;
        }
    };
}

/// Integers as values of a type that has them.
fn integers<T>(ints: Choices<i128>, value: fn(i128) -> T) -> Leaves<T> {
    let mut values = Vec::with_capacity(ints.values.len());
    for int in ints.values {
        values.push(value(int));
    }
    Leaves { values, masks: ints.masks }
}

macro_rules! integers {
    ($($t:ident: $role:expr),* $(,)?) => { $(
        impl Leaf for $t {
            #[inline]
            fn leaves(b: &mut Builder, at: At) -> Leaves<$t> {
                let min = i128::try_from($t::MIN).unwrap_or(i128::MIN);
                let max = i128::try_from($t::MAX).unwrap_or(i128::MAX);
                integers(b.ints(at, $role, min, max), |v| v as $t)
            }
            #[inline]
            fn show(&self) -> String {
                format!("{self:?}")
            }
            #[inline]
            fn index(i: u32) -> Option<Self> {
                $t::try_from(i).ok()
            }
            #[inline]
            fn number(&self) -> Option<i64> {
                i64::try_from(*self).ok()
            }
        }
        __leaf!({} $t, stringify!($t));
    )* };
}
integers!(
    u8: Role::Data, u16: Role::Data, u32: Role::Data, u64: Role::Data, u128: Role::Data, usize: Role::Size,
    i8: Role::Data, i16: Role::Data, i32: Role::Data, i64: Role::Data, i128: Role::Data, isize: Role::Data,
);

impl Leaf for Key {
    const IS_KEYED: bool = true;
    #[inline]
    fn leaves(b: &mut Builder, at: At) -> Leaves<Key> {
        integers(b.ints(at, Role::Key, 0, i128::from(u32::MAX)), |v| Key::new(v as u32))
    }
    #[inline]
    fn show(&self) -> String {
        format!("{self:?}")
    }
    #[inline]
    fn number(&self) -> Option<i64> {
        Some(i64::from(self.rank()))
    }
    #[inline]
    fn open(slot: u32) -> Option<Key> {
        Some(Key::of_slot(slot))
    }
    #[inline]
    fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Key {
        keys(*self)
    }
}
__leaf!({} Key, "Key");

impl Leaf for bool {
    #[inline]
    fn leaves(_: &mut Builder, _: At) -> Leaves<bool> {
        Leaves::fixed(vec![false, true])
    }
    #[inline]
    fn show(&self) -> String {
        format!("{self:?}")
    }
    #[inline]
    fn number(&self) -> Option<i64> {
        Some(i64::from(*self))
    }
}
__leaf!({} bool, "bool");

impl Leaf for () {
    #[inline]
    fn leaves(_: &mut Builder, _: At) -> Leaves<()> {
        Leaves::fixed(vec![()])
    }
    #[inline]
    fn show(&self) -> String {
        format!("{self:?}")
    }
}
__leaf!({}(), "()");

impl Leaf for char {
    #[inline]
    fn leaves(b: &mut Builder, at: At) -> Leaves<char> {
        let c = b.alphabet(at);
        Leaves { values: c.values, masks: c.masks }
    }
    #[inline]
    fn show(&self) -> String {
        format!("{self:?}")
    }
}
__leaf!({} char, "char");

impl Leaf for String {
    #[inline]
    fn leaves(b: &mut Builder, at: At) -> Leaves<String> {
        let (letters, lengths) = (b.alphabet(at), b.lengths(at));
        let mut out = Leaves { values: vec![], masks: vec![] };
        let is_filled = |mask: u64| b.bounds.is_long(mask);
        let contents = lengths.values.iter().zip(&lengths.masks).map(|(&len, &mask)| {
            let count = if is_filled(mask) { 1 } else { words_of(letters.values.len(), len as usize) };
            (count, len as usize)
        });
        let contents: Vec<(u64, usize)> = contents.collect();
        if !fits(b, at, contents) {
            return out;
        }
        for (&len, &mask) in lengths.values.iter().zip(&lengths.masks) {
            if b.bounds.is_long(mask) {
                out.values.push(fill::word(b, &letters.values, len));
                out.masks.push(mask);
                continue;
            }
            let words = words(b, at, &letters.values, &letters.masks, len as usize);
            out.values.extend(words.values.into_iter().map(|w| w.into_iter().collect::<String>()));
            out.masks.extend(words.masks.into_iter().map(|m| m & mask));
        }
        let edges = b.edge_strings(at);
        out.values.extend(edges.iter().map(|&edge| edge.to_owned()));
        out.masks.extend(edges.iter().map(|_| 1 << WHOLE | 1 << FIRST_EDGES));
        out
    }
    fn show(&self) -> String {
        format!("{self:?}")
    }
    fn length(&self) -> u32 {
        self.chars().count() as u32
    }
}
__leaf!({} String, "String");

/// All sequences of `n` of the given letters; none, with an error noted, if there are too many.
pub(crate) fn words<T: Clone>(
    b: &mut Builder,
    at: At,
    letters: &[T],
    masks: &[u64],
    n: usize,
) -> Leaves<Vec<T>> {
    let count = words_of(letters.len(), n);
    let mut out = Leaves { values: vec![], masks: vec![] };
    if !fits(b, at, [(count, n)]) {
        return out;
    }
    let mut word = vec![0; n];
    for _ in 0..count {
        out.values.push(word.iter().map(|&i: &usize| letters[i].clone()).collect());
        out.masks.push(word.iter().fold(u64::MAX, |mask, &i| mask & masks[i]));
        // The next word in lexicographic order.
        if let Some(i) = (0..n).rev().find(|&i| word[i] + 1 < letters.len()) {
            word[i] += 1;
            word[i + 1..].fill(0);
        }
    }
    out
}

/// The number of words of a length, or `u64::MAX` if that is too large.
#[inline]
fn words_of(letters: usize, len: usize) -> u64 {
    u32::try_from(len).map_or(u64::MAX, |len| (letters as u64).saturating_pow(len))
}

/// Whether contents fit into a table and into memory, given how many there are of each length; if not, an error is noted.
pub(super) fn fits(b: &mut Builder, at: At, contents: impl IntoIterator<Item = (u64, usize)>) -> bool {
    fits_with(b, at, MAX_ELEMENTS, contents)
}

/// The same with at most so many elements in all.
pub(super) fn fits_with(
    b: &mut Builder,
    at: At,
    most_elements: u64,
    contents: impl IntoIterator<Item = (u64, usize)>,
) -> bool {
    let (count, elements) = sum(contents);
    // A content is a block of memory with its elements.
    fits_table_with(b, at, count, (elements, most_elements)) && b.has_room(at, count * 64 + elements * 16)
}

/// The number of contents and of their elements.
fn sum(contents: impl IntoIterator<Item = (u64, usize)>) -> (u64, u64) {
    let (mut count, mut elements) = (0u64, 0u64);
    for (n, len) in contents {
        count = count.saturating_add(n);
        elements = elements.saturating_add(n.saturating_mul(len as u64));
    }
    (count, elements)
}

/// Whether so many contents with so many elements fit into a table; if not, an error is noted.
#[inline]
pub(super) fn fits_table(b: &mut Builder, at: At, count: u64, elements: u64) -> bool {
    fits_table_with(b, at, count, (elements, MAX_ELEMENTS))
}

fn fits_table_with(b: &mut Builder, at: At, count: u64, (elements, most_elements): (u64, u64)) -> bool {
    let most = b.largest_table();
    let fits = count <= most && elements <= most_elements;
    if !fits {
        let number = |n| if n == u64::MAX { "2^64 or more".to_owned() } else { u64::to_string(&n) };
        let why = format!(
            "{} contents with {} elements in all, at most {most} with {most_elements} fit into a table; lower \
             the length, or the number of values that an element has",
            number(count),
            number(elements),
        );
        b.fail(Error::TooLarge { at: at.site.to_string(), why });
    }
    fits
}

/// The largest number of elements of all strings, sets or maps of a table together.
pub(super) const MAX_ELEMENTS: u64 = 4 * MAX_DOMAIN;

/// Counts through tuples, by the numbers of their components.
struct Tuples {
    sizes: Vec<usize>,
    digits: Vec<usize>,
    left: u64,
}

impl Tuples {
    /// All tuples of components of which there are so many; none, with an error noted, if there are too many.
    fn new(b: &mut Builder, at: At, sizes: &[usize]) -> Tuples {
        let mut left = 1u64;
        for &size in sizes {
            left = left.saturating_mul(size as u64);
        }
        if left > b.largest_table() {
            b.fail(Error::TooLarge {
                at: at.site.to_string(),
                why: format!("more than {MAX_DOMAIN} tuples"),
            });
            left = 0;
        }
        let mut digits = vec![0; sizes.len()];
        // Before the first one.
        if let Some(last) = digits.last_mut() {
            *last = usize::MAX;
        }
        Tuples { sizes: sizes.to_vec(), digits, left }
    }

    /// The next tuple. The last component varies fastest.
    fn next(&mut self) -> Option<&[usize]> {
        self.left = self.left.checked_sub(1)?;
        for (digit, size) in self.digits.iter_mut().zip(&self.sizes).rev() {
            *digit = digit.wrapping_add(1);
            if *digit < *size {
                break;
            }
            *digit = 0;
        }
        Some(&self.digits)
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Leaf),+> Leaf for ($($t,)+) {
            const IS_KEYED: bool = $($t::IS_KEYED)||+;
            const IS_HASHED: bool = $($t::IS_HASHED)||+;
            fn leaves(b: &mut Builder, at: At) -> Leaves<Self> {
                let parts = ($($t::leaves(b, at),)+);
                let mut out = Leaves { values: vec![], masks: vec![] };
                let mut tuples = Tuples::new(b, at, &[$(parts.$i.values.len()),+]);
                while let Some(digits) = tuples.next() {
                    out.values.push(($(parts.$i.values[digits[$i]].clone(),)+));
                    out.masks.push(u64::MAX $(& parts.$i.masks[digits[$i]])+);
                }
                out
            }
            fn show(&self) -> String {
                format!("({})", [$(self.$i.show()),+].join(", "))
            }
            fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self {
                ($(self.$i.rekeyed(keys),)+)
            }
            fn length(&self) -> u32 {
                0 $(+ self.$i.length())+
            }
        }
    )* };
}
tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));
