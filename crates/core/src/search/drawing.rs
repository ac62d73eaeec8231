//! The current candidate as a graph of objects, and as text: one line per object.

use crate::ids::{ObjectId, PoolId};
use crate::invariant::{Structure, catching_dead_ends};
use crate::layout::Layout;
use crate::site::FieldSite;
use crate::walk::{Drawn, Walk};
use std::fmt;

/// The object graph of a candidate. Objects are numbered as they appear.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawing {
    /// The value itself first (or the inputs, when there are several), then the objects.
    pub nodes: Vec<DrawnNode>,
}

/// The value, an input, or an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnNode {
    /// `value`, the name of an input, or pool and number: `Node#0`.
    pub name: String,
    /// Its fields, in the order of declaration.
    pub fields: Vec<DrawnField>,
}

/// A field and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnField {
    /// Its name; empty if the value is no structure with fields.
    pub name: String,
    /// What it holds, in words: one text, or a length and elements.
    pub values: Vec<DrawnValue>,
}

/// What a field or an element holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnValue {
    /// In words. For a pointer, the name of its object.
    pub text: String,
    /// It is a pointer to the object with that name.
    pub is_link: bool,
}

/// What a node stands for.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// An object: pool and number.
    Object(PoolId, ObjectId),
    /// The value itself, or one of several inputs.
    Value(Option<&'static str>),
}

/// A node that is being drawn.
struct Draft {
    place: Place,
    /// The field that was drawn last.
    last: Option<*const FieldSite>,
    node: DrawnNode,
}

/// Draws the current candidate.
pub(super) fn draw(structure: Structure) -> Drawing {
    let state = &structure.heap.state;
    let depth = state.borrow().path.len();
    let drawn = catching_dead_ends(|| Walk::draw(structure.heap, structure.root)).unwrap_or_default();
    let drawing = assemble(structure.heap.layout, drawn);
    state.borrow_mut().close_down_to(depth);
    drawing
}

fn assemble(layout: &Layout, drawn: Vec<Drawn>) -> Drawing {
    // Objects in the order of the walk.
    let mut drafts: Vec<Draft> = vec![];
    for Drawn { slot, text, is_link } in drawn {
        let info = layout.info(slot);
        let place = match info.object {
            Some((pool, object)) => Place::Object(pool, object),
            None => Place::Value(info.argument),
        };
        let at = drafts.iter().position(|draft| draft.place == place).unwrap_or_else(|| {
            let name = match place {
                Place::Value(argument) => argument.unwrap_or("value").to_owned(),
                Place::Object(pool, _) => {
                    let is_of_pool = |draft: &&Draft| matches!(draft.place, Place::Object(p, _) if p == pool);
                    format!("{}#{}", layout.pool_label(pool), drafts.iter().filter(is_of_pool).count())
                }
            };
            drafts.push(Draft { place, last: None, node: DrawnNode { name, fields: vec![] } });
            drafts.len() - 1
        });
        let Draft { last, node: DrawnNode { fields, .. }, .. } = &mut drafts[at];
        let value = DrawnValue { text, is_link };
        let site = std::ptr::from_ref(info.site);
        // Elements follow their length under the same name.
        let is_element = last.replace(site) == Some(site);
        match fields.last_mut().filter(|_| is_element) {
            Some(field) => field.values.push(value),
            None => {
                // The input is no structure with fields.
                let name = if info.site.owner.is_empty() { "" } else { info.site.field };
                fields.push(DrawnField { name: name.to_owned(), values: vec![value] });
            }
        }
    }
    Drawing { nodes: drafts.into_iter().map(|draft| draft.node).collect() }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, DrawnNode { name, fields }) in self.nodes.iter().enumerate() {
            let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
            write!(f, "{}{name}: {}", if i == 0 { "" } else { "\n" }, fields.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for DrawnField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.name.is_empty() {
            write!(f, "{} = ", self.name)?;
        }
        for (i, value) in self.values.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { ", " }, value.text)?;
        }
        Ok(())
    }
}
