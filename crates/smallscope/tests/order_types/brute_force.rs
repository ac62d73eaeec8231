//! All values of a type, made in the simplest way, and values as text in which keys are replaced by their ranks.

use smallscope::Key;
use smallscope::structures::Product;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

/// A type whose values can be written down with their keys.
pub trait Written {
    /// Writes the value down.
    fn write(&self, text: &mut Text);
}

/// A type with all of its values.
pub trait Whole: Written + Clone {
    /// All values within a scope.
    fn all(scope: u32) -> Vec<Self>;
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Key(u32),
    Text(String),
}

/// A value, written down with its keys.
#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text(Vec<Piece>);

impl Text {
    pub fn of(value: &impl Written) -> Text {
        let mut text = Text::default();
        value.write(&mut text);
        text
    }

    /// The value as text, with each key replaced by its rank among the keys of the value.
    pub fn ranked(value: &impl Written) -> String {
        Text::of(value).with_ranks()
    }

    fn with_ranks(&self) -> String {
        let Text(pieces) = self;
        let keys: BTreeSet<u32> = pieces
            .iter()
            .filter_map(|piece| if let Piece::Key(key) = piece { Some(*key) } else { None })
            .collect();
        let ranked = |piece: &Piece| match piece {
            Piece::Key(key) => format!("#{}", keys.iter().take_while(|other| *other < key).count()),
            Piece::Text(text) => text.clone(),
        };
        pieces.iter().map(ranked).collect()
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.0.push(Piece::Text(text.into()));
    }

    pub fn list<'a, T: Written + 'a>(&mut self, values: impl IntoIterator<Item = &'a T>) {
        self.text("[");
        for value in values {
            value.write(self);
            self.text(", ");
        }
        self.text("]");
    }

    /// The same, in an order that depends on the values alone.
    fn unordered(&mut self, values: Vec<Text>) {
        let mut values = values;
        values.sort();
        self.text("{");
        for value in values {
            self.0.extend(value.0);
            self.text(", ");
        }
        self.text("}");
    }
}

impl Whole for Key {
    fn all(scope: u32) -> Vec<Key> {
        (0..scope).map(Key::new).collect()
    }
}

impl Written for Key {
    fn write(&self, text: &mut Text) {
        text.0.push(Piece::Key(self.rank()));
    }
}

impl Whole for u8 {
    fn all(scope: u32) -> Vec<u8> {
        (0..scope as u8).collect()
    }
}

impl Written for u8 {
    fn write(&self, text: &mut Text) {
        text.text(self.to_string());
    }
}

impl Whole for bool {
    fn all(_: u32) -> Vec<bool> {
        vec![false, true]
    }
}

impl Written for bool {
    fn write(&self, text: &mut Text) {
        text.text(self.to_string());
    }
}

impl<T: Whole> Whole for Option<T> {
    fn all(scope: u32) -> Vec<Self> {
        let mut all = vec![None];
        each(scope, |value: T| all.push(Some(value)));
        all
    }
}

impl<T: Written> Written for Option<T> {
    fn write(&self, text: &mut Text) {
        match self {
            Some(value) => {
                text.text("Some ");
                value.write(text);
            }
            None => text.text("None"),
        }
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Whole),+> Whole for ($($t,)+) {
            fn all(scope: u32) -> Vec<Self> {
                let mut all: Vec<($(Option<$t>,)+)> = vec![Default::default()];
                $(
                    let mut longer = vec![];
                    for tuple in &all {
                        each(scope, |value: $t| {
                            let mut tuple = tuple.clone();
                            tuple.$i = Some(value);
                            longer.push(tuple);
                        });
                    }
                    all = longer;
                )+
                let mut tuples = vec![];
                for tuple in all {
                    tuples.push(($(tuple.$i.unwrap(),)+));
                }
                tuples
            }
        }

        impl<$($t: Written),+> Written for ($($t,)+) {
            fn write(&self, text: &mut Text) {
                text.text("(");
                $( self.$i.write(text); text.text(", "); )+
                text.text(")");
            }
        }

        impl<$($t: Whole),+> Whole for Product<($($t,)+)> {
            fn all(scope: u32) -> Vec<Self> {
                let mut all = vec![];
                each(scope, |tuple: ($($t,)+)| all.push(Product(tuple)));
                all
            }
        }

        impl<$($t: Written),+> Written for Product<($($t,)+)> {
            fn write(&self, text: &mut Text) {
                self.0.write(text);
            }
        }
    )* };
}
tuples!((A 0, B 1)(A 0, B 1, C 2));

/// Calls a function with every value. This and the loops below compile sooner than adapters of iterators, of which each type
/// would need its own.
fn each<T: Whole>(scope: u32, mut then: impl FnMut(T)) {
    for value in T::all(scope) {
        then(value);
    }
}

/// A list with one more value.
fn longer<T: Clone>(list: &[T], value: T) -> Vec<T> {
    let mut longer = list.to_vec();
    longer.push(value);
    longer
}

/// All words of a length.
fn words<T: Whole>(scope: u32, len: usize) -> Vec<Vec<T>> {
    let mut words = vec![vec![]];
    for _ in 0..len {
        let mut more = vec![];
        for word in &words {
            each(scope, |letter: T| more.push(longer(word, letter)));
        }
        words = more;
    }
    words
}

/// All subsets of at most so many elements.
fn subsets<T: Whole>(scope: u32) -> Vec<Vec<T>> {
    let mut subsets: Vec<Vec<T>> = vec![vec![]];
    each(scope, |element: T| {
        for i in 0..subsets.len() {
            let with = longer(&subsets[i], element.clone());
            subsets.push(with);
        }
    });
    subsets.retain(|subset| subset.len() <= scope as usize);
    subsets
}

macro_rules! sequences {
    ($($t:ty),*) => { $(
        impl<T: Whole> Whole for $t {
            fn all(scope: u32) -> Vec<Self> {
                let mut all = vec![];
                for len in 0..=scope as usize {
                    for word in words::<T>(scope, len) {
                        all.push(word.into());
                    }
                }
                all
            }
        }

        impl<T: Written> Written for $t {
            fn write(&self, text: &mut Text) {
                text.list(self.iter());
            }
        }
    )* };
}
sequences!(Vec<T>, VecDeque<T>, Box<[T]>);

impl<T: Whole, const N: usize> Whole for [T; N] {
    fn all(scope: u32) -> Vec<Self> {
        let mut all = vec![];
        for word in words::<T>(scope, N) {
            all.push(word.try_into().ok().unwrap());
        }
        all
    }
}

impl<T: Written, const N: usize> Written for [T; N] {
    fn write(&self, text: &mut Text) {
        text.list(self.iter());
    }
}

macro_rules! around {
    ($($t:ident: $new:expr, |$value:ident| $content:expr $(, $bound:ident)?;)*) => { $(
        impl<T: Whole $(+ $bound)?> Whole for $t<T> {
            fn all(scope: u32) -> Vec<Self> {
                let mut all = vec![];
                each(scope, |value: T| all.push($new(value)));
                all
            }
        }

        impl<T: Written $(+ $bound)?> Written for $t<T> {
            fn write(&self, text: &mut Text) {
                let $value = self;
                $content.write(text);
            }
        }
    )* };
}
around! {
    Box: Box::new, |value| (**value);
    Cell: Cell::new, |value| value.get(), Copy;
    RefCell: RefCell::new, |value| value.borrow();
}

macro_rules! sets {
    ($($t:ident: $($bound:ident)+;)*) => { $(
        impl<T: Whole $(+ $bound)+> Whole for $t<T> {
            fn all(scope: u32) -> Vec<Self> {
                let mut all = vec![];
                for subset in subsets::<T>(scope) {
                    all.push(subset.into_iter().collect());
                }
                all
            }
        }

        impl<T: Written $(+ $bound)+> Written for $t<T> {
            fn write(&self, text: &mut Text) {
                let mut texts = vec![];
                for value in self {
                    texts.push(Text::of(value));
                }
                text.unordered(texts);
            }
        }
    )* };
}
sets!(BTreeSet: Ord; HashSet: Eq Hash;);

macro_rules! maps {
    ($($t:ident: $($bound:ident)+;)*) => { $(
        impl<K: Whole $(+ $bound)+, V: Whole> Whole for $t<K, V> {
            fn all(scope: u32) -> Vec<Self> {
                let mut all = vec![];
                for keys in subsets::<K>(scope) {
                    for values in words::<V>(scope, keys.len()) {
                        all.push(keys.iter().cloned().zip(values).collect());
                    }
                }
                all
            }
        }

        impl<K: Written $(+ $bound)+, V: Written> Written for $t<K, V> {
            fn write(&self, text: &mut Text) {
                let entry = |(k, v): (&K, &V)| {
                    let mut text = Text::of(k);
                    text.text(": ");
                    v.write(&mut text);
                    text
                };
                text.unordered(self.iter().map(entry).collect());
            }
        }
    )* };
}
maps!(BTreeMap: Ord; HashMap: Eq Hash;);

impl<T: Written> Written for std::rc::Rc<T> {
    fn write(&self, text: &mut Text) {
        (**self).write(text);
    }
}
