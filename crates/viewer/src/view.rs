//! How fields are drawn: what attributes and rules say about them.

use crate::graph::{Graph, Node};
use std::str::FromStr;

/// How a field is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// Where the objects that it leads to belong.
    pub place: Option<Place>,
    /// The name that the drawing has in the place of its own.
    pub label: Option<String>,
    /// The object that it leads to is drawn inside of the plate that the field belongs to.
    pub is_inline: bool,
    /// Objects with the same content of this field have the same colour.
    pub is_color: bool,
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

    fn named(name: &str) -> Option<Place> {
        Place::NAMES.iter().find(|(known, _)| *known == name).map(|(_, place)| *place)
    }
}

/// Reads what `#[bounded(view(..))]` says: `left`, `hide`, `inline`, `color`, several of these, and `rename:` with the rest.
impl FromStr for View {
    type Err = String;
    fn from_str(text: &str) -> Result<View, String> {
        let (words, label) = match text.split_once("rename:") {
            Some((words, label)) => (words, Some(label.trim())),
            None => (text, None),
        };
        let label = match label {
            Some("") => return Err("`rename:` has no name behind it: write `rename:height`".to_owned()),
            label => label.map(str::to_owned),
        };
        let mut view = View { label, ..View::default() };
        for word in words.split_whitespace() {
            match word {
                "inline" => view.is_inline = true,
                "color" => view.is_color = true,
                word => view.place = Some(Place::named(word).ok_or_else(|| unknown(word))?),
            }
        }
        if view == View::default() { Err(unknown(text)) } else { Ok(view) }
    }
}

fn unknown(word: &str) -> String {
    format!("`{word}` says nothing about a field; {}", words())
}

fn words() -> String {
    let places = Place::NAMES.map(|(name, _)| format!("`{name}`")).join(", ");
    format!("known are {places}, `inline`, `color` and `rename:NAME`")
}

impl View {
    /// Adds what another one says. Where both say something, the other one counts.
    fn add(&mut self, other: &View) {
        self.place = other.place.or(self.place);
        self.label = other.label.clone().or(self.label.take());
        self.is_inline |= other.is_inline;
        self.is_color |= other.is_color;
    }
}

/// A rule for the fields with a name: `up=parent`, `height=hide`, `pos=inline`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name of the fields.
    pub field: String,
    /// How they are drawn.
    pub view: View,
}

impl FromStr for Rule {
    type Err = String;
    fn from_str(text: &str) -> Result<Rule, String> {
        let Some((field, view)) = text.split_once('=').filter(|(field, _)| !field.is_empty()) else {
            return Err(format!(
                "`{text}` is no rule: write a field and how it is drawn, such as `up=parent`; {}",
                words()
            ));
        };
        let view = view.parse().map_err(|error| format!("the rule for `{field}` is wrong: {error}"))?;
        Ok(Rule { field: field.to_owned(), view })
    }
}

impl Graph {
    /// Returns the graph as attributes and rules want it drawn. Of several rules for a name, the last one counts.
    pub fn with_rules(&self, rules: &[Rule]) -> Graph {
        let mut graph = self.clone();
        for field in graph.nodes.iter_mut().flat_map(|node| &mut node.fields) {
            let of_field = rules.iter().filter(|rule| rule.field == field.name);
            of_field.for_each(|rule| field.view.add(&rule.view));
        }
        for node in &mut graph.nodes {
            node.fields.retain(|field| field.view.place != Some(Place::Hidden));
        }
        graph.inline();
        graph
    }

    /// Returns the field that objects are coloured by, if a rule or an attribute says so.
    pub fn color(&self) -> Option<&str> {
        let mut fields = self.nodes.iter().flat_map(|node| &node.fields);
        fields.find(|field| field.view.is_color).map(|field| field.name.as_str())
    }

    /// Draws objects inside of what leads to them: those that lead nowhere, and that nothing else leads to. Those that come
    /// last are first, so that an object inside of another one is there before that is drawn.
    fn inline(&mut self) {
        for target in (0..self.nodes.len()).rev() {
            let node = &self.nodes[target];
            let leads_on =
                node.fields.iter().flat_map(|field| &field.values).any(|value| !value.links.is_empty());
            if leads_on || node.pool().is_none() {
                continue;
            }
            let (name, text) = (node.name.clone(), contents(node));
            let mut holders = vec![];
            for (n, other) in self.nodes.iter().enumerate() {
                for (f, field) in other.fields.iter().enumerate() {
                    for (v, value) in field.values.iter().enumerate() {
                        if value.links.contains(&name) {
                            holders.push((n, f, v, field.view.is_inline && value.is_link));
                        }
                    }
                }
            }
            if let [(n, f, v, true)] = holders[..] {
                let reads: Vec<u32> = node.fields.iter().flat_map(|field| field.reads.clone()).collect();
                let field = &mut self.nodes[n].fields[f];
                field.reads.extend(reads);
                let value = &mut field.values[v];
                (value.text, value.is_link) = (text, false);
                value.links.clear();
                self.nodes.remove(target);
            }
        }
    }
}

/// What an object holds, in a line: `x 1, y 2`.
fn contents(node: &Node) -> String {
    let mut texts = vec![];
    for field in &node.fields {
        let values: Vec<&str> = field.values.iter().map(|value| value.text.as_str()).collect();
        let name = field.view.label.as_ref().unwrap_or(&field.name);
        let is_alone = node.fields.len() == 1 || name.is_empty();
        texts.push(if is_alone { values.join(", ") } else { format!("{name} {}", values.join(", ")) });
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Field, Value};

    fn plain(name: &str, text: &str) -> Field {
        let value = Value { text: text.to_owned(), ..Value::default() };
        Field { name: name.to_owned(), values: vec![value], ..Field::default() }
    }

    fn link(name: &str, to: &str) -> Field {
        let value = Value { text: to.to_owned(), is_link: true, links: vec![to.to_owned()], pool: None };
        Field { name: name.to_owned(), values: vec![value], ..Field::default() }
    }

    fn node(name: &str, fields: Vec<Field>) -> Node {
        Node { name: name.to_owned(), object: None, fields }
    }

    /// A line between two points, the second of which is shared with the value.
    fn line() -> Graph {
        let point = |name: &str, x: &str| node(name, vec![plain("x", x), plain("y", "0")]);
        Graph {
            nodes: vec![
                node("value", vec![link("line", "Line#0"), link("last", "Point#1")]),
                node("Line#0", vec![link("from", "Point#0"), link("to", "Point#1")]),
                point("Point#0", "1"),
                point("Point#1", "2"),
            ],
            last_read: None,
        }
    }

    fn rules(text: &str) -> Vec<Rule> {
        text.split_whitespace().map(|rule| rule.parse().unwrap()).collect()
    }

    #[test]
    fn objects_that_nothing_else_leads_to_are_drawn_inside() {
        let graph = line().with_rules(&rules("from=inline to=inline x=rename:across"));
        let names: Vec<&str> = graph.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["value", "Line#0", "Point#1"]);
        let from = &graph.nodes[1].fields[0].values[0];
        assert_eq!((from.text.as_str(), from.is_link), ("across 1, y 0", false));
        assert!(graph.nodes[1].fields[1].values[0].is_link, "a shared object stays on its own");
        // What is inside of something inside is there, too.
        let graph = line().with_rules(&rules("from=inline to=inline line=inline last=hide"));
        assert_eq!(graph.nodes.len(), 1);
        assert_eq!(graph.nodes[0].fields[0].values[0].text, "from x 1, y 0, to x 2, y 0");
    }

    #[test]
    fn the_last_rule_counts_and_what_it_does_not_say_stays() {
        let graph = line().with_rules(&rules("from=left from=color from=right"));
        let view = &graph.nodes[1].fields[0].view;
        assert_eq!((view.place, view.is_color), (Some(Place::Right), true));
        assert_eq!(graph.color(), Some("from"));
        assert_eq!(line().color(), None);
    }

    #[test]
    fn views_are_read_as_attributes_write_them() {
        let view: View = "left color rename:the height".parse().unwrap();
        assert_eq!((view.place, view.is_color, view.is_inline), (Some(Place::Left), true, false));
        assert_eq!(view.label.as_deref(), Some("the height"));
        assert!("".parse::<View>().is_err() && "above".parse::<View>().unwrap_err().contains("`above`"));
        assert!("rename:".parse::<View>().unwrap_err().contains("write `rename:height`"));
        assert!("up".parse::<Rule>().unwrap_err().contains("such as `up=parent`"));
    }
}
