//! Candidates as trees of objects, to find out which rules they follow.

use super::{FIRST, FieldKind, NodeTypes};
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

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Read {
    Choice(Choice),
    Node(usize),
}

/// So many subtrees of one object are put beside others.
const MOST_LEAVES: usize = 6;

/// So many values of a field are tried in these.
const MOST_VALUES: u32 = 3;

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
            // Pointers in a vector are elements of its list.
            if !is_there || matches!(this.fields[field].kind, FieldKind::Element { .. }) {
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
                | FieldKind::Count { count, .. }
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
            elements.push(match types.all[node_type].fields[FIRST].kind {
                FieldKind::Link { first, prefix, .. } => match *self.choices.next()? {
                    choice if choice < first => return None,
                    choice if choice < prefix => Read::Choice(choice),
                    _ => Read::Node(self.node(types, of)?),
                },
                _ => Read::Node(self.node(types, of)?),
            });
        }
        let (mut rest, mut objects) = (Read::Choice(0), 0);
        for element in elements.into_iter().rev() {
            if let Read::Node(element) = element {
                objects += self.nodes[element].objects;
            }
            let fields = vec![Some(element), Some(rest)];
            self.nodes.push(Node { node_type, objects, fields });
            rest = Read::Node(self.nodes.len() - 1);
        }
        match rest {
            Read::Node(list) => Some(list),
            Read::Choice(_) => None,
        }
    }

    /// The candidates in which a subtree is replaced by a smaller one of the same node type, with their numbers of objects,
    /// in ascending order. The smaller one is a subtree of the candidate; or it has a top node as the candidate has one, a
    /// subtree of the one that is replaced, and otherwise subtrees of one object.
    pub fn with_smaller_subtrees(mut self, types: &NodeTypes, root: usize) -> Vec<(u32, Candidate)> {
        let count = self.nodes.len();
        let leaves = self.leaves(types);
        let mut pairs = vec![];
        for old in 0..count {
            if types.all[self.nodes[old].node_type].pool.is_none() {
                continue;
            }
            pairs.extend((0..count).chain(leaves.iter().copied()).map(|new| (old, new)));
            for top in self.tops(old, count) {
                pairs.extend(self.with_top(old, top, &leaves).into_iter().map(|new| (old, new)));
            }
        }
        let mut all = vec![];
        for (old, new) in pairs {
            let (a, b) = (&self.nodes[old], &self.nodes[new]);
            if a.node_type == b.node_type && b.objects < a.objects {
                let (mut choices, mut used) = (vec![], vec![0; types.all.len()]);
                self.write(types, root, (old, new), &mut used, &mut choices);
                all.push((self.nodes[root].objects - a.objects + b.objects, Candidate(choices)));
            }
        }
        all.sort();
        all.dedup();
        all
    }

    /// Nodes of the same type as one, of the first ones, without those that have the same choices and children of the same types.
    fn tops(&self, like: usize, count: usize) -> Vec<usize> {
        let sketch = |node: usize| -> Vec<Option<(bool, u32)>> {
            let of = |read: &Option<Read>| match read {
                Some(Read::Choice(choice)) => Some((false, *choice)),
                Some(Read::Node(child)) => Some((true, self.nodes[*child].node_type as u32)),
                None => None,
            };
            self.nodes[node].fields.iter().map(of).collect()
        };
        let mut tops: Vec<usize> = vec![];
        for node in 0..count {
            let is_new = || tops.iter().all(|top| sketch(*top) != sketch(node));
            if self.nodes[node].node_type == self.nodes[like].node_type && is_new() {
                tops.push(node);
            }
        }
        tops
    }

    /// Adds nodes with the choices of a top node, whose children are a subtree of another node and subtrees of one object.
    fn with_top(&mut self, old: usize, top: usize, leaves: &[usize]) -> Vec<usize> {
        let mut inside = vec![];
        self.inside(old, &mut inside);
        let places: Vec<usize> = (0..self.nodes[top].fields.len())
            .filter(|place| matches!(self.nodes[top].fields[*place], Some(Read::Node(_))))
            .collect();
        let mut new = vec![];
        for &place in &places {
            for &subtree in &inside {
                for &leaf in leaves {
                    let mut fields = self.nodes[top].fields.clone();
                    let mut objects = 1;
                    let mut fits = true;
                    for &other in &places {
                        let Some(Read::Node(before)) = fields[other] else { continue };
                        let child = if other == place { subtree } else { leaf };
                        fits &= self.nodes[child].node_type == self.nodes[before].node_type;
                        objects += self.nodes[child].objects;
                        fields[other] = Some(Read::Node(child));
                    }
                    if fits && objects < self.nodes[old].objects {
                        self.nodes.push(Node { node_type: self.nodes[top].node_type, objects, fields });
                        new.push(self.nodes.len() - 1);
                    }
                }
            }
        }
        new
    }

    /// Subtrees of one object: some that there are, and the same with other data.
    fn leaves(&mut self, types: &NodeTypes) -> Vec<usize> {
        let mut leaves: Vec<usize> = vec![];
        let count = self.nodes.len();
        for node in 0..count {
            let Node { node_type, objects, fields } = &self.nodes[node];
            let (node_type, objects, fields) = (*node_type, *objects, fields.clone());
            if objects != 1 || types.all[node_type].pool.is_none() {
                continue;
            }
            let mut variants = vec![fields.clone()];
            for (field, of) in types.all[node_type].fields.iter().enumerate() {
                if let (FieldKind::Data { count, .. }, Some(_)) = (of.kind, &fields[field]) {
                    for choice in 0..count.min(MOST_VALUES) {
                        let mut fields = fields.clone();
                        fields[field] = Some(Read::Choice(choice));
                        variants.push(fields);
                    }
                }
            }
            for fields in variants {
                let is_new = |leaf: &usize| {
                    let known = &self.nodes[*leaf];
                    known.node_type != node_type || known.fields != fields
                };
                if leaves.len() < MOST_LEAVES && leaves.iter().all(is_new) {
                    self.nodes.push(Node { node_type, objects, fields });
                    leaves.push(self.nodes.len() - 1);
                }
            }
        }
        leaves
    }

    /// The subtrees of a subtree.
    fn inside(&self, node: usize, to: &mut Vec<usize>) {
        for read in &self.nodes[node].fields {
            if let Some(Read::Node(child)) = read {
                to.push(*child);
                self.inside(*child, to);
            }
        }
    }

    /// The choices of a subtree, in which one is replaced by another.
    fn write(
        &self,
        types: &NodeTypes,
        node: usize,
        (old, new): (usize, usize),
        used: &mut [Choice],
        to: &mut Vec<Choice>,
    ) {
        let node = if node == old { new } else { node };
        let Node { node_type, fields, .. } = &self.nodes[node];
        for (field, read) in fields.iter().enumerate() {
            match (read, types.all[*node_type].fields[field].kind) {
                (Some(Read::Node(child)), kind) => {
                    if let FieldKind::Link { node_type: of, prefix, .. } = kind {
                        to.push(prefix + used[of]);
                        used[of] += 1;
                    }
                    self.write(types, *child, (old, new), used, to);
                }
                (Some(Read::Choice(_)) | None, FieldKind::Inside { .. }) | (None, _) => {}
                (Some(Read::Choice(choice)), _) => to.push(*choice),
            }
        }
    }
}
