//! Links and their directions. Names of fields decide where people expect an object: `left` is on the left, `next` comes
//! next, `parent` is above.

use crate::graph::{Field, Graph, Node, Value, plain_name};
use crate::view::Place;
use std::collections::HashMap;

/// Where the object at the end of a link belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Below, on the left.
    Left,
    /// Below, on the right.
    Right,
    /// Below.
    Down,
    /// In the same row, on the right.
    Along,
    /// In the same row, on the left.
    Back,
    /// Above.
    Up,
}

#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub from: usize,
    pub to: usize,
    /// The numbers of the field and of the value in it.
    pub place: (usize, usize),
    pub field: String,
    pub role: Role,
    pub is_index: bool,
    /// The field that leads back from the target, if one does. That link is not drawn on its own.
    pub back: Option<String>,
    pub is_drawn: bool,
}

/// A vector of objects.
#[derive(Debug, Clone)]
pub(crate) struct Arena {
    pub owner: usize,
    /// The number of the field.
    pub place: usize,
    pub field: String,
    pub pool: String,
    pub members: Vec<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct Links {
    pub all: Vec<Link>,
    pub arenas: Vec<Arena>,
}

const LEFT: [&str; 5] = ["left", "l", "lhs", "lo", "low"];
const RIGHT: [&str; 5] = ["right", "r", "rhs", "hi", "high"];
const CHILD: [&str; 6] = ["child", "children", "first_child", "kids", "sons", "down"];
const ALONG: [&str; 9] =
    ["next", "succ", "successor", "sibling", "next_sibling", "tail", "rest", "link", "forward"];
const BACK: [&str; 6] = ["prev", "previous", "pred", "predecessor", "prev_sibling", "backward"];
const UP: [&str; 5] = ["parent", "up", "owner", "father", "ancestor"];

/// Returns the role of a field of an object: as a rule says, or by its name and by the other names.
pub(crate) fn role(node: &Node, field: &Field) -> Role {
    if let Some(place) = field.view.place {
        return match place {
            Place::Left => Role::Left,
            Place::Right => Role::Right,
            Place::Next => Role::Along,
            Place::Previous => Role::Back,
            Place::Parent => Role::Up,
            Place::Below | Place::Hidden => Role::Down,
        };
    }
    let name = plain_name(&field.name);
    let is = |names: &[&str]| names.contains(&name.as_str());
    // Where children have a field of their own, left and right are the neighbours.
    let has_children = node.has_field(&CHILD);
    match () {
        () if is(&LEFT) => {
            if has_children {
                Role::Back
            } else {
                Role::Left
            }
        }
        () if is(&RIGHT) => {
            if has_children {
                Role::Along
            } else {
                Role::Right
            }
        }
        () if is(&ALONG) => Role::Along,
        () if is(&BACK) => Role::Back,
        () if is(&UP) => Role::Up,
        () => Role::Down,
    }
}

/// Whether the place of an object says which field leads to it, so that the field needs no label.
pub fn is_told_by_place(node: &Node, field: &Field) -> bool {
    node.pool().is_some()
        && (role(node, field) != Role::Down || CHILD.contains(&plain_name(&field.name).as_str()))
}

impl Links {
    pub fn find(graph: &Graph) -> Links {
        let mut links = Links { all: vec![], arenas: Walk::arenas(graph) };
        let positions: HashMap<&str, usize> =
            graph.nodes.iter().enumerate().map(|(i, node)| (node.name.as_str(), i)).collect();
        for (from, node) in graph.nodes.iter().enumerate() {
            for (f, field) in node.fields.iter().enumerate() {
                for (v, value) in field.values.iter().enumerate() {
                    let index = links
                        .indexed(value.pool.as_deref(), &value.text)
                        .or_else(|| links.numbered(graph, from, field, &value.text));
                    let targets: Vec<usize> = match index {
                        Some(target) => vec![target],
                        None => value
                            .links
                            .iter()
                            .filter_map(|name| positions.get(name.as_str()).copied())
                            .collect(),
                    };
                    for to in targets {
                        let is_same = node.pool().is_some() && node.pool() == graph.nodes[to].pool();
                        links.all.push(Link {
                            from,
                            to,
                            place: (f, v),
                            field: field.name.clone(),
                            role: if is_same { role(node, field) } else { Role::Down },
                            is_index: index.is_some(),
                            back: None,
                            is_drawn: true,
                        });
                    }
                }
            }
        }
        links.join_inverses();
        links
    }

    /// Returns the links that have a line.
    pub fn drawn(&self) -> impl Iterator<Item = &Link> {
        self.all.iter().filter(|link| link.is_drawn)
    }

    /// Returns the object that an index like `[2]` leads to.
    fn indexed(&self, pool: Option<&str>, text: &str) -> Option<usize> {
        let index: usize = text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
        let arena = self.arenas.iter().find(|arena| Some(arena.pool.as_str()) == pool)?;
        arena.members.get(index).copied()
    }

    /// Returns the element of a vector that a plain number stands for: `parent = 2` in an element leads to element 2.
    fn numbered(&self, graph: &Graph, from: usize, field: &Field, text: &str) -> Option<usize> {
        let node = &graph.nodes[from];
        if !is_told_by_place(node, field) {
            return None;
        }
        let index: usize = text.parse().ok()?;
        if let Some(arena) = self.arenas.iter().find(|arena| arena.members.contains(&from)) {
            return arena.members.get(index).copied();
        }
        let holds = |value: &Value| value.is_link && value.text == node.name;
        let fields = graph.nodes.iter().flat_map(|node| &node.fields).filter(|field| field.is_vector());
        let vector = fields.into_iter().find(|field| field.values.iter().any(holds))?;
        graph.position(&vector.values.get(index + 1)?.text)
    }

    /// Draws a link and the link that leads back as one line: `next` and `previous`, `left` and `parent`.
    fn join_inverses(&mut self) {
        for i in 0..self.all.len() {
            let inverse = match self.all[i].role {
                Role::Back => [Role::Along, Role::Along, Role::Along],
                Role::Up => [Role::Left, Role::Right, Role::Down],
                _ => continue,
            };
            let Link { from, to, .. } = self.all[i];
            let field = self.all[i].field.clone();
            let fits = |link: &Link| {
                link.from == to && link.to == from && inverse.contains(&link.role) && link.back.is_none()
            };
            if let Some(forward) = self.all.iter_mut().find(|link| fits(link)) {
                forward.back = Some(field);
                self.all[i].is_drawn = false;
            }
        }
    }
}

/// Repeats the walk in which objects got their numbers, to find out which elements a vector of objects has.
struct Walk<'a> {
    graph: &'a Graph,
    is_visited: Vec<bool>,
    arenas: Vec<Arena>,
}

impl Walk<'_> {
    fn arenas(graph: &Graph) -> Vec<Arena> {
        let mut walk = Walk { graph, is_visited: vec![false; graph.nodes.len()], arenas: vec![] };
        for node in 0..graph.nodes.len() {
            if graph.nodes[node].pool().is_none() {
                walk.visit(node);
            }
        }
        walk.arenas
    }

    fn visit(&mut self, node: usize) {
        // An explicit stack: (node, field, value, elements still to come, number of the arena).
        let mut stack = vec![(node, 0, 0, 0u64, usize::MAX)];
        self.is_visited[node] = true;
        while let Some((node, f, v, left, arena)) = stack.pop() {
            let graph = self.graph;
            if left > 0 {
                stack.push((node, f, v, left - 1, arena));
                if let Some(next) = self.next_of_pool(&self.arenas[arena].pool.clone()) {
                    self.arenas[arena].members.push(next);
                    self.is_visited[next] = true;
                    stack.push((next, 0, 0, 0, usize::MAX));
                }
                continue;
            }
            let Some(field) = graph.nodes[node].fields.get(f) else { continue };
            let Some(value) = field.values.get(v) else {
                stack.push((node, f + 1, 0, 0, usize::MAX));
                continue;
            };
            let length = value.text.split_once(" element").and_then(|(number, _)| number.parse().ok());
            if let (Some(pool), Some(length)) = (&value.pool, length) {
                let field = field.name.clone();
                self.arenas.push(Arena { owner: node, place: f, field, pool: pool.clone(), members: vec![] });
                stack.push((node, f, v + 1, length, self.arenas.len() - 1));
                continue;
            }
            stack.push((node, f, v + 1, 0, usize::MAX));
            let targets: Vec<usize> =
                value.links.iter().rev().filter_map(|name| graph.position(name)).collect();
            for target in targets {
                if !std::mem::replace(&mut self.is_visited[target], true) {
                    stack.push((target, 0, 0, 0, usize::MAX));
                }
            }
        }
    }

    fn next_of_pool(&self, pool: &str) -> Option<usize> {
        let fits = |&node: &usize| !self.is_visited[node] && self.graph.nodes[node].pool() == Some(pool);
        (0..self.graph.nodes.len()).find(fits)
    }
}
