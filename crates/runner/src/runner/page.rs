//! The page of a failing test: one HTML file with the value that made it fail, and with what became of it.

mod notes;

use super::failure::{Blame, FailedCase};
use super::plan::Plan;
use super::replay::ReplayCandidate;
use crate::forms::{Snippet, dot};
use smallscope_core::AnySearch;
use smallscope_core::search::{Drawing, DrawnField, DrawnNode, DrawnValue};
use smallscope_support::panics;
use smallscope_viewer::page::{Page, random_token, value};
use smallscope_viewer::{Field, Graph, Node, Value, quoted};
use std::path::{Path, PathBuf};

pub(crate) use notes::prepare;
pub use notes::snapshot;
use notes::{Drawn, Note};
pub(super) use notes::{Noted, forget, noted};

/// More elements of a vector are not drawn.
const MOST_ELEMENTS: usize = 200;

/// Writes the page, and returns its path, or why it was not written.
pub(super) fn write(
    plan: &Plan,
    search: &AnySearch,
    case: &FailedCase,
    position: &ReplayCandidate,
    noted: Noted,
) -> Result<String, String> {
    let drawing = panics::catch(|| search.drawing()).map_err(|_| "the value cannot be drawn".to_owned())?;
    save(plan.name(), &page(plan, drawing, search.type_name(), case, position, noted))
}

/// Writes the page of a test, and returns its path.
fn save(test: &str, page: &Page) -> Result<String, String> {
    let path = path_of(test);
    let unwritable = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(unwritable)?;
    }
    std::fs::write(&path, page.html(&random_token())).map_err(unwritable)?;
    Ok(path.display().to_string())
}

/// What the page of an invariant and methods that do not agree says.
#[cfg(feature = "sequences")]
pub(crate) struct Disagreement {
    pub title: String,
    pub message: String,
    /// The command that finds the first example again.
    pub command: String,
}

/// Writes the page of values in which an invariant and methods do not agree, and returns its path.
#[cfg(feature = "sequences")]
pub(crate) fn write_examples(
    test: &str,
    failure: &Disagreement,
    examples: &[&crate::agree::Example],
) -> Result<String, String> {
    let mut values = vec![];
    let mut arguments = String::new();
    let (mut type_name, mut scope) = ("", None);
    for example in examples {
        let caption = match example.calls {
            Some(_) => "reachable but rejected",
            None => "accepted but not reached",
        };
        arguments +=
            &format!("{caption}:\n{}{}\n", example.calls.as_deref().unwrap_or_default(), example.text);
        let Some(picture) = &example.picture else { continue };
        let crate::agree::Picture { drawing, candidate, bounds, .. } = picture;
        let number = values.len() as u64 + 1;
        let rust = Snippet {
            bounds: std::borrow::Cow::Borrowed(bounds),
            within: None,
            engine: smallscope_core::Options::default().engine,
            type_name: picture.type_name,
            candidate,
            is_valid: picture.is_valid,
        };
        let members = [
            ("number", number.to_string()),
            ("caption", quoted(caption)),
            ("candidate", quoted(&candidate.to_string())),
            ("rust", quoted(&rust.rust(&format!("{}: {caption}.", failure.title)))),
            ("dot", quoted(&dot(number, drawing))),
        ];
        values.push(value(&graph(drawing.clone()), &[], &members));
        (type_name, scope) = (picture.type_name, bounds.scope_number());
    }
    if values.is_empty() {
        return Err("the values do not fit into the bounds, nor into slightly larger ones".into());
    }
    let shown = object(&[
        ("title", quoted(&failure.title)),
        ("message", quoted(&failure.message)),
        ("location", "null".to_owned()),
        ("arguments", quoted(arguments.trim_end())),
        ("command", quoted(&failure.command)),
        ("broken", quoted(&examples.iter().filter_map(|e| e.why.clone()).collect::<Vec<_>>().join(" "))),
    ]);
    let info = object(&[
        ("structure", quoted(test)),
        ("type", quoted(&crate::show::type_text(type_name))),
        ("scope", scope.map_or("null".to_owned(), |scope| scope.to_string())),
        ("engine", quoted(&smallscope_core::Options::default().engine.to_string())),
        ("known", values.len().to_string()),
        ("all", "true".to_owned()),
    ]);
    save(test, &Page { title: test.to_owned(), info, values: Some(values), failure: Some(shown) })
}

fn page(
    plan: &Plan,
    drawing: Drawing,
    type_name: &str,
    case: &FailedCase,
    position: &ReplayCandidate,
    noted: Noted,
) -> Page {
    let name = plan.name();
    let title = match case.blame {
        Blame::Test => format!("`{name}` fails for this value"),
        Blame::Destructor => format!("`{name}`: the destructor of this value panics"),
        Blame::Invariant(_) => format!("`{name}`: the invariant misbehaves on this candidate"),
        Blame::Construction => format!("`{name}`: a panic while this value was built"),
    };
    let mut arguments = String::new();
    for (name, text) in &case.arguments {
        if let Some(text) = text {
            arguments += &format!("{name} = {text}\n");
        }
    }
    let failure = object(&[
        ("title", quoted(&title)),
        ("message", quoted(&case.message)),
        ("location", case.location.as_deref().map_or("null".to_owned(), quoted)),
        ("arguments", quoted(arguments.trim_end())),
        ("command", quoted(&case.command)),
        ("broken", quoted(&noted.iter().map(|note| note.broken.as_str()).collect::<Vec<_>>().join(" "))),
    ]);
    let rust = Snippet {
        is_valid: matches!(case.blame, Blame::Test | Blame::Destructor),
        ..Snippet::at(position, &plan.bounds, type_name)
    };
    let mut members = vec![
        ("number", "1".to_owned()),
        ("candidate", quoted(&position.candidate.to_string())),
        ("rust", quoted(&rust.rust(&format!("{title}.")))),
        ("dot", quoted(&dot(1, &drawing))),
    ];
    if !noted.is_empty() {
        members.push(("caption", quoted("the value before")));
    }
    let mut values = vec![value(&graph(drawing), &[], &members)];
    for Note { caption, drawn, .. } in noted {
        let Some(Drawn { drawing, candidate, rust }) = drawn else { continue };
        let number = values.len() as u64 + 1;
        let members = [
            ("number", number.to_string()),
            ("caption", quoted(&caption)),
            ("candidate", quoted(&candidate.to_string())),
            ("rust", quoted(&rust)),
            ("dot", quoted(&dot(number, &drawing))),
        ];
        values.push(value(&graph(drawing), &[], &members));
    }
    let scope = position.scope.map_or("null".to_owned(), |scope| scope.to_string());
    let info = object(&[
        ("structure", quoted(name)),
        ("type", quoted(&crate::show::type_text(type_name))),
        ("scope", scope),
        ("engine", quoted(&position.engine.to_string())),
        ("known", (values.len()).to_string()),
        ("all", "true".to_owned()),
    ]);
    Page { title: name.to_owned(), info, values: Some(values), failure: Some(failure) }
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, json)| format!("{}:{json}", quoted(name))).collect();
    format!("{{{}}}", members.join(","))
}

/// Returns where the page of a test belongs: the target folder, which the test binary is in.
fn path_of(test: &str) -> PathBuf {
    let binary = std::env::current_exe().unwrap_or_default();
    // target/debug/deps/name-0123456789abcdef
    let is_built_by_cargo = binary.parent().is_some_and(|folder| folder.ends_with("deps"));
    let target = match binary.ancestors().nth(3) {
        Some(target) if is_built_by_cargo => target.to_owned(),
        _ => std::env::temp_dir(),
    };
    target.join("smallscope-pages").join(file_name(test))
}

/// Returns the name of the file of a test.
fn file_name(test: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = test.replace("::", "-").chars().map(plain).take(120).collect();
    Path::new(&format!("{name}.html")).to_owned()
}

fn graph(drawing: Drawing) -> Graph {
    Graph { nodes: drawing.nodes.into_iter().map(node).collect(), last_read: None }
}

fn node(DrawnNode { name, object, fields }: DrawnNode) -> Node {
    Node { name, object, fields: fields.into_iter().map(field).collect() }
}

fn field(DrawnField { name, values, view }: DrawnField) -> Field {
    let value = |DrawnValue { text, is_link, links, pool }| Value { text, is_link, links, pool };
    let view = view.and_then(|view| view.parse().ok()).unwrap_or_default();
    let mut values: Vec<Value> = values.into_iter().map(value).collect();
    if values.len() > MOST_ELEMENTS && values.iter().all(|value| value.links.is_empty()) {
        let more = values.len() - MOST_ELEMENTS;
        values.truncate(MOST_ELEMENTS);
        values.push(Value { text: format!("and {more} more"), is_link: false, links: vec![], pool: None });
    }
    Field { name, values, view, reads: vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests_are_names_of_files() {
        assert_eq!(file_name("tree::tests::insert"), Path::new("tree-tests-insert.html"));
        assert_eq!(file_name("../a b/<c>"), Path::new("..-a-b--c-.html"));
    }
}
