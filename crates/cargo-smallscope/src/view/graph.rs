//! Graphs from the answers of a worker.

use serde_json::Value as Json;
use smallscope_viewer::{Field, Graph, Node, Value, is_told_by_place};

/// Returns the graph in an answer, with the reads of the invariant if the answer has them.
pub(super) fn of(answer: &Json) -> Graph {
    let mut graph = Graph { nodes: list(&answer["nodes"]).map(node).collect(), last_read: None };
    for (read, number) in list(&answer["reads"]).zip(1u32..) {
        if read["by_invariant"] == true {
            if answer["valid"] == false {
                graph.last_read = Some(number);
            }
            if let Some(field) = field_of(&mut graph, read) {
                field.reads.push(number);
            }
        }
    }
    if answer["valid"] == false {
        forget_unread(&mut graph);
    }
    graph
}

/// Puts a question mark for plain data that a rejected candidate has by chance: the invariant has not looked at it.
fn forget_unread(graph: &mut Graph) {
    for node in &mut graph.nodes {
        let is_plain = |field: &Field| match &field.values[..] {
            [value] => {
                let is_simple = !value.text.contains(['(', '[', '{', ' ']);
                is_simple && !value.is_link && value.links.is_empty() && value.pool.is_none()
            }
            _ => false,
        };
        let unread: Vec<usize> = (0..node.fields.len())
            .filter(|&f| {
                let field = &node.fields[f];
                field.reads.is_empty() && is_plain(field) && !is_told_by_place(node, field)
            })
            .collect();
        unread.into_iter().for_each(|f| node.fields[f].values[0].text = "?".to_owned());
    }
}

/// Returns the field that was read. What is inside of a field has no place of its own in the drawing.
fn field_of<'a>(graph: &'a mut Graph, read: &Json) -> Option<&'a mut Field> {
    let name = read["field"].as_str()?;
    let name = name.rsplit_once('.').map_or(name, |(_, field)| field);
    let object = read["object"].as_str();
    let is_it = |node: &Node| node.object.as_deref() == object && (object.is_some() || node.pool().is_none());
    let has = |node: &Node| node.fields.iter().any(|field| field.name == name);
    let named = |node: &Node| is_it(node) && (has(node) || node.name == name);
    let at = graph.nodes.iter().position(named).or_else(|| graph.nodes.iter().position(is_it))?;
    let fields = &mut graph.nodes[at].fields;
    let place = fields.iter().position(|field| field.name == name).unwrap_or(0);
    fields.get_mut(place)
}

fn list(json: &Json) -> impl Iterator<Item = &Json> {
    json.as_array().into_iter().flatten()
}

fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

fn node(json: &Json) -> Node {
    Node {
        name: text(&json["name"]),
        object: json["object"].as_str().map(str::to_owned),
        fields: list(&json["fields"]).map(field).collect(),
    }
}

fn field(json: &Json) -> Field {
    Field {
        name: text(&json["name"]),
        values: list(&json["values"]).map(value).collect(),
        view: json["view"].as_str().and_then(|view| view.parse().ok()).unwrap_or_default(),
        reads: vec![],
    }
}

fn value(json: &Json) -> Value {
    Value {
        text: text(&json["text"]),
        is_link: json["is_link"] == true,
        links: list(&json["links"]).map(text).collect(),
        pool: json["pool"].as_str().map(str::to_owned),
    }
}
