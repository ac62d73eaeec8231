//! Suites in other formats.

use crate::runner::json::{Object, quoted};
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::observer::Observer;
use crate::session::request::{Export, Format};
use crate::session::show::SavedValues;
use crate::session::subject::Subject;
use smallscope_core::AnySearch;
use smallscope_core::search::{Drawing, DrawnField};
use std::fmt::Write;

/// Prints a suite in another format.
pub(crate) fn export(
    subject: &Subject<'_>,
    export: &Export,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let mut saved = SavedValues::open(subject, &export.file)?;
    let is_one_file = export.to == Format::Rust;
    if is_one_file {
        let type_path = export.type_path.clone().unwrap_or_else(|| nameable(saved.search.type_name()));
        let text = rust_head(subject, &saved, &type_path);
        observer.print(&text).map_err(Error::Output)?;
    }
    let to = export.to;
    saved.for_each(observer, |number, search, observer| {
        let text = match to {
            Format::Jsonl => json_line(number, search),
            Format::Dot => dot(number, &search.drawing()),
            Format::Rust => rust_value(number, search),
            Format::Corpus => format!("{}\n", search.candidate()),
        };
        observer.print(&text).map(|()| true).map_err(Error::Output)
    })?;
    if is_one_file {
        observer.print(RUST_TAIL).map_err(Error::Output)?;
    }
    Ok(())
}

fn json_line(number: u64, search: &AnySearch) -> String {
    let mut out = Object::default();
    out.raw("number", number);
    out.text("candidate", &search.candidate().to_string());
    let nodes = search.drawing().nodes.into_iter().map(|node| {
        let mut fields = Object::default();
        for field in &node.fields {
            fields.raw(if field.name.is_empty() { "value" } else { &field.name }, json_value(field));
        }
        let mut out = Object::default();
        out.text("name", &node.name);
        out.raw("fields", fields.close());
        out.close()
    });
    out.raw("objects", format!("[{}]", nodes.collect::<Vec<_>>().join(",")));
    out.close() + "\n"
}

/// Returns one value as a text, several as an array.
fn json_value(field: &DrawnField) -> String {
    let texts: Vec<String> = field.values.iter().map(|value| quoted(&value.text)).collect();
    match &texts[..] {
        [only] => only.clone(),
        all => format!("[{}]", all.join(",")),
    }
}

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

fn rust_head(subject: &Subject<'_>, saved: &SavedValues<'_>, type_path: &str) -> String {
    let Provenance { bounds, engine, .. } = &saved.provenance;
    format!(
        "//! Values of `{name}`, saved by `cargo smallscope`: {ending}.\n\
         //!\n\
         //! Put this into the `tests` folder of a crate that has `smallscope` as a dependency and can name the type.\n\
         \n\
         use smallscope::search::{{Candidate, Options, Search}};\n\
         use smallscope::{{Bounds, Engine}};\n\
         \n\
         type Value = {type_path};\n\
         \n\
         /// Every value, rebuilt.\n\
         fn values() -> impl Iterator<Item = Value> {{\n    \
             let bounds: Bounds = {bounds:?}.parse().expect(\"the bounds are as they were saved\");\n    \
             let options = Options {{ engine: Engine::{engine}, ..Options::default() }};\n    \
             let mut search = Search::<Value>::new(&bounds, options).expect(\"the bounds fit the type\");\n    \
             CANDIDATES.iter().map(move |text| {{\n        \
                 let candidate: Candidate = text.parse().expect(\"a candidate is numbers joined by dots\");\n        \
                 search.go_to(&candidate).unwrap_or_else(|e| panic!(\"{{text}}: {{e}}\"));\n        \
                 search.value().unwrap_or_else(|e| panic!(\"{{text}}: {{e}}\"))\n    \
             }})\n\
         }}\n\
         \n\
         #[test]\n\
         fn the_invariant_holds_on_every_saved_value() {{\n    \
             // Building a value checks it with its own invariant.\n    \
             assert_eq!(values().count(), CANDIDATES.len());\n\
         }}\n\
         \n\
         #[rustfmt::skip]\n\
         const CANDIDATES: &[&str] = &[\n",
        name = subject.name,
        ending = saved.ending(),
        bounds = bounds.to_string(),
        engine = variant(*engine),
    )
}

/// Returns source that builds the current value of a search, for a test.
pub(crate) fn rust_snippet(name: &str, provenance: &Provenance, number: u64, search: &AnySearch) -> String {
    let Provenance { bounds, engine, .. } = provenance;
    format!(
        "// Value {number} of `{name}`.\n\
         use smallscope::search::{{Candidate, Options, Search}};\n\
         use smallscope::{{Bounds, Engine}};\n\
         \n\
         let bounds: Bounds = {bounds:?}.parse().expect(\"the bounds are as they were saved\");\n\
         let options = Options {{ engine: Engine::{engine}, ..Options::default() }};\n\
         let mut search = Search::<{value}>::new(&bounds, options).expect(\"the bounds fit the type\");\n\
         let candidate: Candidate = {candidate:?}.parse().expect(\"a candidate is numbers joined by dots\");\n\
         search.go_to(&candidate).expect(\"the candidate fits the bounds\");\n\
         let value = search.value().expect(\"the invariant accepts it\");\n",
        bounds = bounds.to_string(),
        engine = variant(*engine),
        value = nameable(search.type_name()),
        candidate = search.candidate().to_string(),
    )
}

/// Returns a test on one value, as Rust.
#[cfg(feature = "mutate")]
pub(crate) fn rust_test(
    name: &str,
    about: &str,
    (bounds, engine): (&smallscope_core::Bounds, smallscope_core::Engine),
    search: &AnySearch,
    candidate: &smallscope_core::Candidate,
) -> String {
    format!(
        "/// {about}\n\
         #[test]\n\
         fn {name}() {{\n    \
             use smallscope::search::{{Candidate, Options, Search}};\n    \
             use smallscope::{{Bounds, Engine}};\n    \
             let bounds: Bounds = {bounds:?}.parse().expect(\"the bounds are as they were saved\");\n    \
             let options = Options {{ engine: Engine::{engine}, ..Options::default() }};\n    \
             let mut search = Search::<{value}>::new(&bounds, options).expect(\"the bounds fit the type\");\n    \
             let candidate: Candidate = {candidate:?}.parse().expect(\"a candidate is numbers joined by dots\");\n    \
             search.go_to(&candidate).expect(\"the candidate fits the bounds\");\n    \
             let value = search.value().expect(\"the invariant accepts it\");\n    \
             // Call the code under test with it, and check what it does.\n    \
             drop(value);\n\
         }}\n",
        bounds = bounds.to_string(),
        engine = variant(engine),
        value = nameable(search.type_name()),
        candidate = candidate.to_string(),
    )
}

/// Returns the compiler's name of a type, with the paths that users can write.
fn nameable(type_name: &str) -> String {
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

fn variant(engine: smallscope_core::Engine) -> String {
    format!("{engine:?}")
}

fn rust_value(number: u64, search: &AnySearch) -> String {
    let graph = search.drawing().to_string().replace('\n', "\n    //     ");
    format!("    // {number}: {graph}\n    {:?},\n", search.candidate().to_string())
}

const RUST_TAIL: &str = "];\n";

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
