//! Graphs from the answers of a worker.

use serde_json::Value as Json;
use smallscope_viewer::{Field, Graph, Node, Place, Value};

/// Returns the graph in an answer.
pub(super) fn of(answer: &Json) -> Graph {
    Graph { nodes: list(&answer["nodes"]).map(node).collect() }
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
        place: json["view"].as_str().and_then(Place::named),
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
