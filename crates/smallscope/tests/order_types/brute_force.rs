//! All values of a type, written down in the simplest way, and values as text in which keys are replaced by their ranks.
//!
//! The brute force makes texts of values and no values: so it is compiled once, and not once per type.

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
pub trait Whole: Written {
    /// All values within a scope, written down.
    fn all(scope: u32) -> Vec<Text>;
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

    pub fn with_ranks(&self) -> String {
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
        let mut texts = vec![];
        for value in values {
            texts.push(Text::of(value));
        }
        self.enclosed("[", texts, "]");
    }

    /// Values in their order, with something around them.
    fn enclosed(&mut self, open: &str, values: Vec<Text>, close: &str) {
        self.text(open);
        for value in values {
            self.0.extend(value.0);
            self.text(", ");
        }
        self.text(close);
    }

    /// The same, in an order that depends on the values alone.
    fn unordered(&mut self, values: Vec<Text>) {
        let mut values = values;
        values.sort();
        self.enclosed("{", values, "}");
    }

    /// This text and then another one.
    fn then(mut self, between: &str, other: &Text) -> Text {
        if !between.is_empty() {
            self.text(between);
        }
        self.0.extend_from_slice(&other.0);
        self
    }
}

/// The texts of values.
fn texts<T: Written>(values: impl IntoIterator<Item = T>) -> Vec<Text> {
    let mut texts = vec![];
    for value in values {
        texts.push(Text::of(&value));
    }
    texts
}

impl Whole for Key {
    fn all(scope: u32) -> Vec<Text> {
        texts((0..scope).map(Key::new))
    }
}

impl Written for Key {
    fn write(&self, text: &mut Text) {
        text.0.push(Piece::Key(self.rank()));
    }
}

impl Whole for u8 {
    fn all(scope: u32) -> Vec<Text> {
        texts(0..scope as u8)
    }
}

impl Written for u8 {
    fn write(&self, text: &mut Text) {
        text.text(self.to_string());
    }
}

impl Whole for bool {
    fn all(_: u32) -> Vec<Text> {
        texts([false, true])
    }
}

impl Written for bool {
    fn write(&self, text: &mut Text) {
        text.text(self.to_string());
    }
}

impl<T: Whole> Whole for Option<T> {
    fn all(scope: u32) -> Vec<Text> {
        let mut all = vec![written("None")];
        for value in T::all(scope) {
            all.push(written("Some ").then("", &value));
        }
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

fn written(words: &str) -> Text {
    let mut text = Text::default();
    text.text(words);
    text
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Whole),+> Whole for ($($t,)+) {
            fn all(scope: u32) -> Vec<Text> {
                let mut all = vec![];
                for components in combinations(&[$($t::all(scope)),+]) {
                    let mut text = Text::default();
                    text.enclosed("(", components, ")");
                    all.push(text);
                }
                all
            }
        }

        impl<$($t: Written),+> Written for ($($t,)+) {
            fn write(&self, text: &mut Text) {
                text.enclosed("(", vec![$( Text::of(&self.$i) ),+], ")");
            }
        }

        impl<$($t: Whole),+> Whole for Product<($($t,)+)> {
            fn all(scope: u32) -> Vec<Text> {
                <($($t,)+)>::all(scope)
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

/// All combinations of one of each.
fn combinations(of: &[Vec<Text>]) -> Vec<Vec<Text>> {
    let mut all = vec![vec![]];
    for texts in of {
        let mut more = vec![];
        for begun in &all {
            for text in texts {
                more.push(longer(begun, text));
            }
        }
        all = more;
    }
    all
}

/// A list with one more value.
fn longer(list: &[Text], text: &Text) -> Vec<Text> {
    let mut longer = list.to_vec();
    longer.push(text.clone());
    longer
}

/// All words of a length.
fn words(letters: &[Text], len: usize) -> Vec<Vec<Text>> {
    combinations(&vec![letters.to_vec(); len])
}

/// All subsets of at most so many elements.
fn subsets(elements: &[Text], most: u32) -> Vec<Vec<Text>> {
    let mut subsets: Vec<Vec<Text>> = vec![vec![]];
    for element in elements {
        for i in 0..subsets.len() {
            subsets.push(longer(&subsets[i], element));
        }
    }
    subsets.retain(|subset| subset.len() <= most as usize);
    subsets
}

/// All sequences of these lengths.
fn sequences(letters: &[Text], lengths: impl IntoIterator<Item = usize>) -> Vec<Text> {
    let mut all = vec![];
    for len in lengths {
        for word in words(letters, len) {
            let mut text = Text::default();
            text.enclosed("[", word, "]");
            all.push(text);
        }
    }
    all
}

/// All sets.
fn sets(elements: &[Text], most: u32) -> Vec<Text> {
    let mut all = vec![];
    for subset in subsets(elements, most) {
        let mut text = Text::default();
        text.unordered(subset);
        all.push(text);
    }
    all
}

/// All maps.
fn maps(keys: &[Text], values: &[Text], most: u32) -> Vec<Text> {
    let mut all = vec![];
    for keys in subsets(keys, most) {
        for values in words(values, keys.len()) {
            let mut entries = vec![];
            for (key, value) in keys.iter().zip(&values) {
                entries.push(key.clone().then(": ", value));
            }
            let mut text = Text::default();
            text.unordered(entries);
            all.push(text);
        }
    }
    all
}

macro_rules! sequences {
    ($($t:ty),*) => { $(
        impl<T: Whole> Whole for $t {
            fn all(scope: u32) -> Vec<Text> {
                sequences(&T::all(scope), 0..=scope as usize)
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
    fn all(scope: u32) -> Vec<Text> {
        sequences(&T::all(scope), [N])
    }
}

impl<T: Written, const N: usize> Written for [T; N] {
    fn write(&self, text: &mut Text) {
        text.list(self.iter());
    }
}

macro_rules! around {
    ($($t:ident: |$value:ident| $content:expr $(, $bound:ident)?;)*) => { $(
        impl<T: Whole $(+ $bound)?> Whole for $t<T> {
            fn all(scope: u32) -> Vec<Text> {
                T::all(scope)
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
    Box: |value| (**value);
    Cell: |value| value.get(), Copy;
    RefCell: |value| value.borrow();
}

macro_rules! sets {
    ($($t:ident: $($bound:ident)+;)*) => { $(
        impl<T: Whole $(+ $bound)+> Whole for $t<T> {
            fn all(scope: u32) -> Vec<Text> {
                sets(&T::all(scope), scope)
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
            fn all(scope: u32) -> Vec<Text> {
                maps(&K::all(scope), &V::all(scope), scope)
            }
        }

        impl<K: Written $(+ $bound)+, V: Written> Written for $t<K, V> {
            fn write(&self, text: &mut Text) {
                let mut entries = vec![];
                for (key, value) in self {
                    entries.push(Text::of(key).then(": ", &Text::of(value)));
                }
                text.unordered(entries);
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
