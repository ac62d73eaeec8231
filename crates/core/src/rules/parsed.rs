//! Candidates as trees of objects, to find out which rules they follow.

use super::{FieldKind, NodeTypes};
use crate::candidate::Candidate;
use crate::ids::Choice;

/// An object of a candidate.
pub(super) struct Node {
    pub node_type: usize,
    /// How many objects its subtree has.
    pub objects: u32,
    /// None for fields that are not there.
    pub fields: Vec<Option<Read>>,
}

#[derive(Clone, Copy)]
pub(super) enum Read {
    Choice(Choice),
    Node(usize),
}

/// A candidate as a tree.
pub(super) struct Parsed<'a> {
    pub choices: std::slice::Iter<'a, Choice>,
    pub nodes: Vec<Node>,
}

impl<'a> Parsed<'a> {
    pub fn new(candidate: &'a Candidate) -> Parsed<'a> {
        Parsed { choices: candidate.0.iter(), nodes: vec![] }
    }

    /// Reads an object of a node type, and what it owns. Returns its number.
    pub fn node(&mut self, types: &NodeTypes, node_type: usize) -> Option<usize> {
        let this = &types.all[node_type];
        let mut fields: Vec<Option<Read>> = vec![];
        let mut objects = u32::from(node_type > 0);
        for field in 0..this.fields.len() {
            let is_there = this.is_there(field, &|around| match fields[around] {
                Some(Read::Choice(choice)) => Some(choice),
                _ => None,
            });
            if !is_there {
                fields.push(None);
                continue;
            }
            if let FieldKind::Inside { node_type: list } = this.fields[field].kind {
                let length = match fields[field - 1] {
                    Some(Read::Choice(choice)) => types.length(this.fields[field - 1].kind, choice),
                    _ => return None,
                };
                let elements = self.list(types, list, length)?;
                objects += self.nodes[elements].objects;
                fields.push(Some(Read::Node(elements)));
                continue;
            }
            let choice = *self.choices.next()?;
            fields.push(Some(match this.fields[field].kind {
                FieldKind::Link { node_type: of, prefix, .. } if choice >= prefix => {
                    let child = self.node(types, of)?;
                    objects += self.nodes[child].objects;
                    Read::Node(child)
                }
                FieldKind::Data { count, .. }
                | FieldKind::Branch { count }
                | FieldKind::Length { count, .. }
                    if choice >= count =>
                {
                    return None;
                }
                _ => Read::Choice(choice),
            }));
        }
        self.nodes.push(Node { node_type, objects, fields });
        Some(self.nodes.len() - 1)
    }

    /// A list of so many elements, at least one.
    fn list(&mut self, types: &NodeTypes, node_type: usize, length: usize) -> Option<usize> {
        let of = types.all[node_type].list_of?;
        let mut elements = vec![];
        for _ in 0..length {
            elements.push(self.node(types, of)?);
        }
        let (mut rest, mut objects) = (Read::Choice(0), 0);
        for element in elements.into_iter().rev() {
            objects += self.nodes[element].objects;
            let fields = vec![Some(Read::Node(element)), Some(rest)];
            self.nodes.push(Node { node_type, objects, fields });
            rest = Read::Node(self.nodes.len() - 1);
        }
        match rest {
            Read::Node(list) => Some(list),
            Read::Choice(_) => None,
        }
    }
}
