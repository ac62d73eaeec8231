//! A value in other forms: as a graph, and as Rust that builds it.

#[cfg(any(feature = "html", feature = "mutate"))]
use crate::runner::replay::ReplayCandidate;
use smallscope_core::search::Drawing;
use smallscope_core::{Bounds, Candidate, Engine};
use std::borrow::Cow;
use std::fmt::Write;

/// Returns a graph: objects are tables of fields, links are arrows.
pub(crate) fn dot(number: u64, drawing: &Drawing) -> String {
    let mut out = format!("digraph value_{number} {{\n  node [shape=record];\n");
    for node in &drawing.nodes {
        let mut rows = vec![dot_text(&node.name)];
        for (i, field) in node.fields.iter().enumerate() {
            // The arrow shows the target of a link.
            let texts = field.values.iter().map(|v| if v.is_link { "•" } else { &v.text });
            let text = texts.collect::<Vec<_>>().join(", ");
            let text = if field.name.is_empty() { text } else { format!("{} = {text}", field.name) };
            rows.push(format!("<f{i}> {}", dot_text(&text)));
        }
        let _ = writeln!(out, "  {} [label=\"{{{}}}\"];", dot_name(&node.name), rows.join("|"));
    }
    for node in &drawing.nodes {
        for (i, field) in node.fields.iter().enumerate() {
            for link in field.values.iter().flat_map(|value| &value.links) {
                let (from, to) = (dot_name(&node.name), dot_name(link));
                let _ = writeln!(out, "  {from}:f{i} -> {to};");
            }
        }
    }
    out + "}\n"
}

fn dot_name(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Escapes a text for a record label, where these characters have a meaning.
fn dot_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\\"{}|<>".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Which value the Rust builds.
pub(crate) struct Snippet<'a> {
    pub bounds: Cow<'a, Bounds>,
    /// The pass of smallest first that the candidate belongs to.
    pub within: Option<u32>,
    pub engine: Engine,
    /// The compiler's name of the type.
    pub type_name: &'a str,
    pub candidate: &'a Candidate,
    /// Whether the invariant accepts it. Another candidate is not built: the invariant is run on it.
    pub is_valid: bool,
}

impl Snippet<'_> {
    /// Returns the Rust of a test's position.
    #[cfg(any(feature = "html", feature = "mutate"))]
    pub fn at<'a>(position: &'a ReplayCandidate, of_test: &'a Bounds, type_name: &'a str) -> Snippet<'a> {
        let ReplayCandidate { engine, candidate, .. } = position;
        // The text of bounds does not tell the passes of smallest first apart.
        let within = position.scope.filter(|_| position.within);
        let bounds = match within {
            Some(_) => Cow::Borrowed(of_test),
            None => Cow::Owned(position.bounds(of_test)),
        };
        Snippet { bounds, within, engine: *engine, type_name, candidate, is_valid: true }
    }

    /// Returns the Rust, after a comment.
    pub fn rust(&self, about: &str) -> String {
        format!("// {about}\n{}", self.statements())
    }

    /// Returns a test on the value, which is left to be completed.
    #[cfg(feature = "mutate")]
    pub fn test(&self, name: &str, about: &str) -> String {
        let mut statements = String::new();
        for line in self.statements().lines().filter(|line| !line.is_empty()) {
            let _ = writeln!(statements, "    {line}");
        }
        format!(
            "/// {about}\n\
             #[test]\n\
             fn {name}() {{\n\
             {statements}    \
                 // Call the code under test with it, and check what it does.\n    \
                 drop(value);\n\
             }}\n"
        )
    }

    fn statements(&self) -> String {
        let Snippet { bounds, engine, .. } = self;
        let within =
            self.within.map_or(String::new(), |pass| format!("let bounds = bounds.within({pass});\n"));
        let last = match self.is_valid {
            true => "let value = search.value().expect(\"the invariant accepts it\");\n",
            false => "assert_eq!(search.accepts(), Ok(true));\n",
        };
        format!(
            "use smallscope::search::{{Candidate, Options, Search}};\n\
             use smallscope::{{Bounds, Engine}};\n\
             \n\
             let bounds: Bounds = {bounds:?}.parse().expect(\"the bounds are as they were saved\");\n\
             {within}\
             let options = Options {{ engine: Engine::{engine}, ..Options::default() }};\n\
             let mut search = Search::<{value}>::new(&bounds, options).expect(\"the bounds fit the type\");\n\
             let candidate: Candidate = {candidate:?}.parse().expect(\"a candidate is numbers joined by dots\");\n\
             search.go_to(&candidate).expect(\"the candidate fits the bounds\");\n\
             {last}",
            bounds = bounds.to_string(),
            engine = variant(*engine),
            value = nameable(self.type_name),
            candidate = self.candidate.to_string(),
        )
    }
}

/// Returns the compiler's name of a type, with the paths that users can write.
pub(crate) fn nameable(type_name: &str) -> String {
    let places = [
        ("smallscope_core::values::product::", "smallscope::structures::"),
        ("smallscope_core::key::", "smallscope::"),
        ("alloc::collections::btree::map::", "std::collections::"),
        ("alloc::collections::btree::set::", "std::collections::"),
        ("std::collections::hash::map::", "std::collections::"),
        ("std::collections::hash::set::", "std::collections::"),
        ("alloc::", "std::"),
    ];
    places.iter().fold(type_name.to_owned(), |name, (inside, outside)| name.replace(inside, outside))
}

pub(crate) fn variant(engine: Engine) -> String {
    format!("{engine:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope_core::values::Product;
    use std::collections::{BTreeMap, HashSet};

    #[test]
    fn types_are_named_as_users_can() {
        let name =
            std::any::type_name::<Product<(Vec<BTreeMap<u8, String>>, HashSet<Box<smallscope_core::Key>>)>>;
        assert_eq!(
            nameable(name()),
            "smallscope::structures::Product<(std::vec::Vec<std::collections::BTreeMap<u8, std::string::String>>, \
             std::collections::HashSet<std::boxed::Box<smallscope::Key>>)>"
        );
    }

    #[test]
    fn labels_of_records_are_escaped() {
        assert_eq!(dot_text(r#"a<b|"c"\{}"#), r#"a\<b\|\"c\"\\\{\}"#);
    }
}
