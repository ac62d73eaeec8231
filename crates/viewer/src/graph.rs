//! What is drawn: the objects of one value, with their fields.

use crate::view::View;
use std::fmt;

/// A value: the value itself first (or the inputs, if there are several), then its objects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// In the order in which a depth-first walk meets them.
    pub nodes: Vec<Node>,
    /// The number of the read after which the invariant rejected the value, if it did.
    pub last_read: Option<u32>,
}

/// The value, an input, or an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// `value`, the name of an input, or pool and number: `Node#0`.
    pub name: String,
    /// The object as steps of a search name it, if that is known.
    pub object: Option<String>,
    /// In the order of declaration.
    pub fields: Vec<Field>,
}

/// A field with what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    /// Its name; empty if the node has no fields but is a plain value.
    pub name: String,
    /// One value, or a length and elements, or keys and values.
    pub values: Vec<Value>,
    /// How it is drawn, as far as its name does not decide that.
    pub view: View,
    /// When the invariant read it: numbers of reads, from 1.
    pub reads: Vec<u32>,
}

/// What a field or an element holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Value {
    /// In words. For a pointer, the name of its object.
    pub text: String,
    /// It is a pointer to the object with that name.
    pub is_link: bool,
    /// The names of the objects that it leads to.
    pub links: Vec<String>,
    /// For the length of a vector of objects, and for an index into it: the pool of these objects.
    pub pool: Option<String>,
}

impl Graph {
    /// Returns the position of the node with a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }
}

impl Node {
    /// Returns the pool of an object; none for the value and for inputs.
    pub fn pool(&self) -> Option<&str> {
        self.name.rsplit_once('#').map(|(pool, _)| pool)
    }

    /// Whether it has a field with one of these names.
    pub(crate) fn has_field(&self, names: &[&str]) -> bool {
        self.fields.iter().any(|field| names.contains(&plain_name(&field.name).as_str()))
    }
}

impl Field {
    /// Whether it is a vector: the first value is a length, the others are elements.
    pub(crate) fn is_vector(&self) -> bool {
        let is_length = |text: &str| {
            let number = text.strip_suffix(" elements").or(text.strip_suffix(" element"));
            number.is_some_and(|number| number.parse::<u64>().is_ok())
        };
        self.values.first().is_some_and(|first| is_length(&first.text))
    }

    /// Whether it is a map: the first value is a set of keys, the others are values.
    pub(crate) fn is_map(&self) -> bool {
        self.values.len() > 1 && self.values[0].text.starts_with('{')
    }
}

/// Returns a name without decoration: `_Left` is `left`.
pub(crate) fn plain_name(name: &str) -> String {
    name.trim_matches('_').to_lowercase()
}

/// One line per object, for readers who do not see the drawing.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Node { name, fields, .. }) in self.nodes.iter().enumerate() {
            write!(f, "{}{name}: ", if i == 0 { "" } else { "\n" })?;
            for (j, field) in fields.iter().enumerate() {
                f.write_str(if j == 0 { "" } else { ", " })?;
                if !field.name.is_empty() {
                    write!(f, "{} = ", field.name)?;
                }
                let texts: Vec<&str> = field.values.iter().map(|value| value.text.as_str()).collect();
                f.write_str(&texts.join(", "))?;
            }
        }
        Ok(())
    }
}
