//! What is drawn: the objects of one value, with their fields.

use std::fmt;
use std::str::FromStr;

/// A value: the value itself first (or the inputs, if there are several), then its objects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// In the order in which a depth-first walk meets them.
    pub nodes: Vec<Node>,
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
    /// Where the objects that it leads to belong, if its name does not decide that.
    pub place: Option<Place>,
}

/// Where the objects that a field leads to belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The field is not drawn.
    Hidden,
    /// Below, on the left.
    Left,
    /// Below, on the right.
    Right,
    /// Below.
    Below,
    /// In the same row, on the right.
    Next,
    /// In the same row, on the left.
    Previous,
    /// Above.
    Parent,
}

impl Place {
    /// All places, with their names in rules.
    const NAMES: [(&'static str, Place); 7] = [
        ("hide", Place::Hidden),
        ("left", Place::Left),
        ("right", Place::Right),
        ("below", Place::Below),
        ("next", Place::Next),
        ("previous", Place::Previous),
        ("parent", Place::Parent),
    ];

    /// Returns the place with a name, as rules and attributes write it.
    pub fn named(name: &str) -> Option<Place> {
        Place::NAMES.iter().find(|(known, _)| *known == name).map(|(_, place)| *place)
    }
}

/// A rule for the fields with a name: `up=parent`, `height=hide`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name of the fields.
    pub field: String,
    /// Where the objects belong that they lead to.
    pub place: Place,
}

impl FromStr for Rule {
    type Err = String;
    fn from_str(text: &str) -> Result<Rule, String> {
        let names = || Place::NAMES.map(|(name, _)| format!("`{name}`")).join(", ");
        let Some((field, place)) = text.split_once('=').filter(|(field, _)| !field.is_empty()) else {
            return Err(format!(
                "`{text}` is no rule: write a field and a place, such as `up=parent`; places are {}",
                names()
            ));
        };
        let unknown = || format!("`{place}` is no place for `{field}`: places are {}", names());
        let place = Place::named(place).ok_or_else(unknown)?;
        Ok(Rule { field: field.to_owned(), place })
    }
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

    /// Returns the graph as rules want it drawn. Of several rules for a name, the last one counts.
    pub fn with_rules(&self, rules: &[Rule]) -> Graph {
        let mut graph = self.clone();
        for node in &mut graph.nodes {
            for field in &mut node.fields {
                let rule = rules.iter().rev().find(|rule| rule.field == field.name);
                field.place = rule.map(|rule| rule.place).or(field.place);
            }
            node.fields.retain(|field| field.place != Some(Place::Hidden));
        }
        graph
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
