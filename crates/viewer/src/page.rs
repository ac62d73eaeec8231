//! The page: one HTML text with its style and its script, and either all values or none, which it then asks the server for.

use crate::graph::{Field, Graph, Node, Value};
use crate::json::{array, quoted};
use crate::svg::{STANDALONE_STYLE, svg};
use crate::view::Rule;
use std::hash::{BuildHasher, Hasher, RandomState};

const SHELL: &str = include_str!("../page/page.html");
const STYLES: [&str; 2] = [include_str!("../page/page.css"), crate::plot::STYLE];
const SCRIPTS: [&str; 8] = [
    include_str!("../page/source.js"),
    include_str!("../page/difference.js"),
    include_str!("../page/export.js"),
    include_str!("../page/view.js"),
    include_str!("../page/classes.js"),
    include_str!("../page/states.js"),
    include_str!("../page/plots.js"),
    include_str!("../page/page.js"),
];

/// What the page is about. The texts are JSON.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// The title.
    pub title: String,
    /// What is looked at, as a JSON object.
    pub info: String,
    /// The values, each as [`value()`] returns it; none if the page asks the server.
    pub values: Option<Vec<String>>,
    /// A failing test, as a JSON object, if the page is about one.
    pub failure: Option<String>,
}

impl Page {
    /// Returns the page. Scripts and styles run only with the nonce, which must be new and random.
    pub fn html(&self, nonce: &str) -> String {
        let policy = match &self.values {
            Some(_) => {
                let policy = policy(nonce, false);
                format!(r#"<meta http-equiv="Content-Security-Policy" content="{policy}">"#)
            }
            None => String::new(),
        };
        let values = self.values.as_ref().map_or("null".to_owned(), |values| array(values.iter().cloned()));
        let failure = self.failure.as_deref().unwrap_or("null");
        let data = format!(
            r#"{{"info":{},"values":{values},"failure":{failure},"style":{}}}"#,
            self.info,
            quoted(STANDALONE_STYLE)
        );
        SHELL
            .replace("@POLICY@", &policy)
            .replace("@TITLE@", &escaped(&self.title))
            .replace("@NONCE@", nonce)
            .replace("@STYLE@", &STYLES.concat())
            .replace("@SCRIPT@", &SCRIPTS.join("\n"))
            .replace("@DATA@", &data)
    }
}

/// Returns the content security policy of the page: its own script and style, its own server, and pictures that it makes.
pub fn policy(nonce: &str, has_server: bool) -> String {
    let connect = if has_server { "'self'" } else { "'none'" };
    let frame = if has_server { "; frame-ancestors 'none'" } else { "" };
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data: blob:; \
         connect-src {connect}; base-uri 'none'; form-action 'none'{frame}"
    )
}

/// Returns 128 random bits, as a nonce or as a token. Hashers of std have keys from the random numbers of the system, and
/// their results cannot be predicted without the keys.
pub fn random_token() -> String {
    let bits = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", bits(), bits())
}

/// Returns a value as a JSON object with its drawing, for which rules count. `members` are further members: names with
/// JSON.
pub fn value(graph: &Graph, rules: &[Rule], members: &[(&str, String)]) -> String {
    let mut out: Vec<String> =
        members.iter().map(|(name, json)| format!("{}:{json}", quoted(name))).collect();
    out.push(format!("\"text\":{}", quoted(&graph.to_string())));
    let drawn = graph.with_rules(rules);
    out.push(format!("\"svg\":{}", quoted(&svg(&drawn))));
    if let Some(color) = drawn.color() {
        out.push(format!("\"color\":{}", quoted(color)));
    }
    out.push(format!("\"nodes\":{}", array(graph.nodes.iter().map(node))));
    format!("{{{}}}", out.join(","))
}

fn node(Node { name, object, fields }: &Node) -> String {
    let object = object.as_ref().map_or(String::new(), |object| format!(",\"object\":{}", quoted(object)));
    format!("{{\"name\":{}{object},\"fields\":{}}}", quoted(name), array(fields.iter().map(field)))
}

fn field(Field { name, values, .. }: &Field) -> String {
    let texts = array(values.iter().map(|value| quoted(&value.text)));
    let links = |value: &Value| array(value.links.iter().map(|link| quoted(link)));
    let links = array(values.iter().map(links));
    format!("{{\"name\":{},\"texts\":{texts},\"links\":{links}}}", quoted(name))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
