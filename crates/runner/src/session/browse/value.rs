//! One value as a JSON object.

use crate::forms::{Snippet, dot};
use crate::runner::json::{Object, quoted};
use crate::session::files::Provenance;
use smallscope_core::AnySearch;
use smallscope_core::search::{Drawing, DrawnField, DrawnNode, DrawnValue, ReadDescription, SlotDescription};
use std::borrow::Cow;

/// What the value belongs to.
pub(super) struct Context<'a> {
    pub name: &'a str,
    pub provenance: &'a Provenance,
}

/// Describes the current value of a search, with what the invariant reads on it if that is wanted.
pub(super) fn describe(
    context: &Context<'_>,
    number: u64,
    search: &mut AnySearch,
    with_reads: bool,
) -> String {
    let drawing = search.drawing();
    let candidate = search.candidate();
    let mut out = Object::default();
    out.raw("number", number);
    out.text("candidate", &candidate.to_string());
    out.text("dot", &dot(number, &drawing));
    let rust = Snippet {
        bounds: Cow::Borrowed(&context.provenance.bounds),
        within: None,
        engine: context.provenance.engine,
        type_name: search.type_name(),
        candidate: &candidate,
        is_valid: true,
    };
    out.text("rust", &rust.rust(&format!("Value {number} of `{}`.", context.name)));
    if let Ok(Some(class)) = search.class() {
        out.text("class", &class);
    }
    if with_reads {
        let slots = search.describe_slots();
        out.raw("reads", reads(&slots, &search.describe_reads()));
    }
    out.raw("nodes", nodes(&drawing));
    out.close()
}

/// Returns the reads of the invariant, in order.
pub(super) fn reads(slots: &[SlotDescription], reads: &[ReadDescription]) -> String {
    list(reads.iter().map(|read| {
        let slot = &slots[read.slot];
        let mut out = Object::default();
        out.text("field", &slot.field);
        if let Some(object) = &slot.object {
            out.raw("object", quoted(object));
        }
        out.text("text", &read.text);
        out.raw("by_invariant", read.by_invariant);
        out.raw("asked", read.is_asked);
        out.close()
    }))
}

/// Returns the nodes of a drawing.
pub(crate) fn nodes(drawing: &Drawing) -> String {
    list(drawing.nodes.iter().map(node))
}

fn node(node: &DrawnNode) -> String {
    let mut out = Object::default();
    out.text("name", &node.name);
    if let Some(object) = &node.object {
        out.text("object", object);
    }
    out.raw("fields", list(node.fields.iter().map(field)));
    out.close()
}

fn field(field: &DrawnField) -> String {
    let mut out = Object::default();
    out.text("name", &field.name);
    if let Some(view) = field.view {
        out.text("view", view);
    }
    out.raw("values", list(field.values.iter().map(value)));
    out.close()
}

fn value(value: &DrawnValue) -> String {
    let mut out = Object::default();
    out.text("text", &value.text);
    if value.is_link {
        out.raw("is_link", true);
    }
    if !value.links.is_empty() {
        out.raw("links", list(value.links.iter().map(|link| quoted(link))));
    }
    if let Some(pool) = &value.pool {
        out.text("pool", pool);
    }
    out.close()
}

pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", Vec::from_iter(items).join(","))
}
