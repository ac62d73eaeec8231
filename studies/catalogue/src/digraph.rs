//! Directed graphs with sorted adjacency lists, with or without weights.
//!
//! A graph has a slot for each vertex, and the vertex in it has a list of edges, in the order of their targets.
//! Slots may hold the same vertex, and lists may share their ends. Sharing affects storage only, not the
//! graph that the slots represent. Operations that change a list first copy what is shared
//! ([`Rc::make_mut`]), so a change of one vertex is never seen at another, nor in a clone of the graph.
//!
//! # Counts
//!
//! Without weights, 2 vertices: 756 candidates, 26 valid; 3 vertices: 6,675,805 candidates, 1,636 valid. These are
//! the counts of [`weighted_digraph`](crate::weighted_digraph) for a single weight: 730 and 6,674,169 invalid
//! candidates in both.
//!
//! They are **not** those of the paper (Aguirre et al., TAP 2011), which has 1,624 (382 valid) and 372,861,255
//! (47,672,840 valid) for its directed graphs. It says that its weighted graphs extend these, but has fewer of them
//! when there are few weights, and shows no predicate. We know of no representation of this kind that gives its numbers.
//!
//! # Classes
//!
//! Without weights: is the graph empty, dense (at least half of all edges) or complete. These are 4 classes with two and with
//! three vertices, as many as in the paper. Pruned by class, 737 and 6,673,989 candidates are explored, and no valid one is
//! pruned, because a graph without weights has nothing but its edges; the paper has 518 (126 valid) and 11,670,154 (899,852 valid), from
//! other counts without classes, too.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | digraph | 1 | 8 | 2 | our own run |
//! | digraph | 2 | 756 | 26 | our own run; TAP has 1624 and 382 |
//! | digraph | 3 | 6,675,805 | 1,636 | our own run; TAP has 372861255 and 47672840 |

use smallscope::classes::ClassSet;
use smallscope::{Bounded, Bounds, Visited, classes, eq_class, mirror, rep_ok};
use std::rc::Rc;

/// A directed graph whose vertices are numbered from 1, with at most one edge from a vertex to another or itself.
#[derive(Bounded, Debug, Clone)]
pub struct Digraph<W> {
    vertices: Vec<Option<Rc<Vertex<W>>>>,
}

#[derive(Bounded, Debug, Clone)]
struct Vertex<W> {
    edges: Option<Rc<Edge<W>>>,
    degree: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Edge<W> {
    target: usize,
    weight: W,
    next: Option<Rc<Edge<W>>>,
}

/// The data of an edge.
pub trait Weight {
    /// Whether the data is a weight.
    const IS_WEIGHT: bool;
    /// Whether it is below zero.
    fn is_negative(&self) -> bool;
}

impl Weight for () {
    const IS_WEIGHT: bool = false;
    fn is_negative(&self) -> bool {
        false
    }
}

impl Weight for i32 {
    const IS_WEIGHT: bool = true;
    fn is_negative(&self) -> bool {
        *self < 0
    }
}

#[rep_ok]
impl<W: Weight> Digraph<W> {
    /// At least one slot, and a vertex in each. The invariant does not read weights.
    pub fn rep_ok(&self) -> bool {
        !self.vertices.is_empty()
            && self.vertices.iter().all(|slot| {
                slot.as_ref().is_some_and(|vertex| vertex.is_list_of_targets(self.vertices.len()))
            })
    }
}

#[eq_class]
impl<W: Weight> Digraph<W> {
    /// How many edges there are; with weights, also what makes shortest paths difficult.
    pub fn eq_class(&self) -> ClassSet {
        let n = self.vertices.len();
        let targets = self.vertices.iter().flatten().map(|vertex| vertex.targets()).collect::<Vec<u64>>();
        let edges = targets.iter().map(|targets| targets.count_ones() as usize).sum::<usize>();
        let weighted = W::IS_WEIGHT;
        classes![
            empty => edges == 0,
            dense => 2 * edges >= n * n,
            complete => edges == n * n,
            acyclic => weighted && Self::is_acyclic(&targets),
            negative => weighted && self.vertices.iter().flatten().any(|vertex| vertex.has_negative_weight()),
            connected => weighted && Self::is_connected(&targets),
        ]
    }

    /// The vertices that are reachable from a set of vertices, including these.
    fn reached(targets: &[u64], from: u64) -> u64 {
        let mut reached = from;
        for _ in 0..targets.len() {
            for (i, targets) in targets.iter().enumerate() {
                if reached >> i & 1 == 1 {
                    reached |= targets;
                }
            }
        }
        reached
    }

    fn is_acyclic(targets: &[u64]) -> bool {
        targets.iter().enumerate().all(|(i, next)| Self::reached(targets, *next) >> i & 1 == 0)
    }

    fn is_connected(targets: &[u64]) -> bool {
        let both_ways = |i: usize| {
            let back = targets.iter().enumerate().filter(|(_, next)| **next >> i & 1 == 1);
            back.fold(targets[i], |bits, (from, _)| bits | 1 << from)
        };
        let undirected = (0..targets.len()).map(both_ways).collect::<Vec<u64>>();
        Self::reached(&undirected, 1).count_ones() as usize == targets.len()
    }
}

#[mirror]
impl<W: Weight> Vertex<W> {
    /// The targets of the edges, as bits.
    fn targets(&self) -> u64 {
        let mut targets = 0;
        let mut at = &self.edges;
        while let Some(edge) = at {
            targets |= 1 << (edge.target - 1);
            at = &edge.next;
        }
        targets
    }

    fn has_negative_weight(&self) -> bool {
        let mut at = &self.edges;
        while let Some(edge) = at {
            if edge.weight.is_negative() {
                return true;
            }
            at = &edge.next;
        }
        false
    }
}

#[mirror]
impl<W> Vertex<W> {
    /// A list of `degree` different edges to vertices that exist, in strict order.
    fn is_list_of_targets(&self, vertices: usize) -> bool {
        let mut seen = Visited::new();
        let mut at = &self.edges;
        while let Some(edge) = at {
            if edge.target == 0 || edge.target > vertices || !seen.insert(edge) {
                return false;
            }
            at = &edge.next;
        }
        seen.len() == self.degree && seen.as_slice().windows(2).all(|pair| pair[0].target < pair[1].target)
    }
}

impl<W> Digraph<W> {
    /// A graph without edges.
    ///
    /// # Panics
    ///
    /// If there are no vertices.
    pub fn new(vertices: usize) -> Self {
        assert!(vertices > 0, "a graph has a vertex");
        let vertex = || Some(Rc::new(Vertex { edges: None, degree: 0 }));
        Digraph { vertices: (0..vertices).map(|_| vertex()).collect() }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        (1..=self.vertex_count()).map(|vertex| self.vertex(vertex).degree).sum()
    }

    /// Every edge with its weight, in order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, &W)> {
        (1..=self.vertex_count())
            .flat_map(|from| self.vertex(from).iter().map(move |edge| (from, edge.target, &edge.weight)))
    }

    /// The targets of the edges from a vertex, in order.
    pub fn successors(&self, from: usize) -> impl Iterator<Item = usize> {
        self.vertex(from).iter().map(|edge| edge.target)
    }

    /// The weight of an edge, if there is one.
    pub fn weight(&self, from: usize, to: usize) -> Option<&W> {
        self.vertex(from)
            .iter()
            .take_while(|edge| edge.target <= to)
            .find(|edge| edge.target == to)
            .map(|edge| &edge.weight)
    }

    /// Whether there is an edge.
    pub fn has_edge(&self, from: usize, to: usize) -> bool {
        self.weight(from, to).is_some()
    }

    /// Whether a path of any length leads from one vertex to another. The empty one leads from each to itself.
    pub fn is_reachable(&self, from: usize, to: usize) -> bool {
        let mut reached = vec![false; self.vertex_count() + 1];
        let mut open = vec![from];
        while let Some(vertex) = open.pop() {
            if vertex == to {
                return true;
            }
            if !std::mem::replace(&mut reached[vertex], true) {
                open.extend(self.successors(vertex));
            }
        }
        false
    }

    /// # Panics
    ///
    /// If there is no vertex with this number, as everywhere.
    fn vertex(&self, number: usize) -> &Vertex<W> {
        self.vertices[number - 1].as_ref().expect("every slot has a vertex")
    }
}

impl<W: Clone> Digraph<W> {
    /// Adds an edge. If the edge exists, replaces its weight and returns the old one.
    ///
    /// # Panics
    ///
    /// If one of the vertices does not exist.
    pub fn add_edge(&mut self, from: usize, to: usize, weight: W) -> Option<W> {
        assert!((1..=self.vertex_count()).contains(&to), "there is no vertex {to}");
        let vertex = self.own_vertex(from);
        let link = vertex.own_link(to);
        if let Some(edge) = link.as_mut().filter(|edge| edge.target == to) {
            return Some(std::mem::replace(&mut Rc::make_mut(edge).weight, weight));
        }
        *link = Some(Rc::new(Edge { target: to, weight, next: link.take() }));
        vertex.degree += 1;
        None
    }

    /// Removes an edge and returns its weight, if it exists.
    pub fn remove_edge(&mut self, from: usize, to: usize) -> Option<W> {
        // Without the edge, nothing has to be copied.
        if !self.has_edge(from, to) {
            return None;
        }
        let vertex = self.own_vertex(from);
        let link = vertex.own_link(to);
        let Edge { weight, next, .. } = Rc::unwrap_or_clone(link.take()?);
        *link = next;
        vertex.degree -= 1;
        Some(weight)
    }

    /// The vertex in a slot, and in no other.
    fn own_vertex(&mut self, number: usize) -> &mut Vertex<W> {
        Rc::make_mut(self.vertices[number - 1].as_mut().expect("every slot has a vertex"))
    }
}

impl<W> Vertex<W> {
    fn iter(&self) -> impl Iterator<Item = &Edge<W>> {
        std::iter::successors(self.edges.as_deref(), |edge| edge.next.as_deref())
    }
}

impl<W: Clone> Vertex<W> {
    /// The link to the edge with this target, or to its place. The edges before it are no longer shared with other lists.
    fn own_link(&mut self, target: usize) -> &mut Option<Rc<Edge<W>>> {
        let mut at = &mut self.edges;
        while at.as_ref().is_some_and(|edge| edge.target < target) {
            at = &mut Rc::make_mut(at.as_mut().expect("checked by the condition")).next;
        }
        at
    }
}

/// `n` slots (or none at all, which is not valid), as many vertices, `n * n` edges, degrees and targets up to `n`.
/// No vertex has the number 0.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .len("Digraph.vertices", [0, n])
        .objects("Vertex", n as u32)
        .objects("Edge", (n * n) as u32)
        .ints("Vertex.degree", 0..=n)
        .ints("Edge.target", 0..=n)
}
