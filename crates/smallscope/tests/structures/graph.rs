//! A directed graph: the graph owns its vertices, edges are weak and may lead back.

use crate::{all, binomial, count};
use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::RefCell;
use std::rc::{Rc, Weak};

#[derive(Bounded, Debug)]
struct Graph {
    vertices: Vec<Rc<RefCell<Vertex>>>,
}

#[derive(Bounded, Debug)]
struct Vertex {
    edges: Vec<Weak<RefCell<Vertex>>>,
}

#[rep_ok]
impl Graph {
    /// Vertices are listed once; edges lead to vertices of the graph, in the order of the list, without
    /// repetition.
    fn rep_ok(&self) -> bool {
        let distinct =
            |(i, v): (usize, &Rc<RefCell<Vertex>>)| !self.vertices[..i].iter().any(|w| Rc::ptr_eq(v, w));
        self.vertices.iter().enumerate().all(distinct)
            && self.vertices.iter().all(|v| self.edges_in_order(&v.borrow()))
    }

    fn edges_in_order(&self, vertex: &Vertex) -> bool {
        let mut least = 0;
        for edge in &vertex.edges {
            match edge.upgrade().and_then(|target| self.position(&target)) {
                Some(i) if i >= least => least = i + 1,
                _ => return false,
            }
        }
        true
    }

    fn position(&self, vertex: &Rc<RefCell<Vertex>>) -> Option<usize> {
        self.vertices.iter().position(|v| Rc::ptr_eq(v, vertex))
    }
}

impl Graph {
    fn successors(&self, i: usize) -> Vec<usize> {
        let vertex = self.vertices[i].borrow();
        let targets = vertex.edges.iter().filter_map(Weak::upgrade);
        targets.filter_map(|target| self.position(&target)).collect()
    }

    /// An order in which every edge leads forward, if there is one.
    fn topological_order(&self) -> Option<Vec<usize>> {
        let n = self.vertices.len();
        let mut order: Vec<usize> = vec![];
        while order.len() < n {
            let edges_into =
                |i: usize| (0..n).any(|j| !order.contains(&j) && self.successors(j).contains(&i));
            let next = (0..n).find(|&i| !order.contains(&i) && !edges_into(i))?;
            order.push(next);
        }
        Some(order)
    }

    fn remove_vertex(&mut self, i: usize) {
        let removed = self.vertices.remove(i);
        for vertex in &self.vertices {
            vertex
                .borrow_mut()
                .edges
                .retain(|e| !e.upgrade().is_some_and(|target| Rc::ptr_eq(&target, &removed)));
        }
    }

    fn reverse(&mut self) {
        let n = self.vertices.len();
        let edges: Vec<(usize, usize)> =
            (0..n).flat_map(|i| self.successors(i).into_iter().map(move |j| (j, i))).collect();
        for (i, vertex) in self.vertices.iter().enumerate() {
            let targets = (0..n).filter(|&j| edges.contains(&(i, j)));
            vertex.borrow_mut().edges = targets.map(|j| Rc::downgrade(&self.vertices[j])).collect();
        }
    }
}

/// Labelled acyclic digraphs with `n` vertices (Robinson's recurrence).
fn acyclic(n: u64) -> i64 {
    if n == 0 {
        return 1;
    }
    let term = |k: u64| binomial(n, k) as i64 * 2i64.pow((k * (n - k)) as u32) * acyclic(n - k);
    (1..=n).map(|k| if k % 2 == 1 { term(k) } else { -term(k) }).sum()
}

#[test]
fn every_set_of_edges_is_there_once() {
    for n in 0..=3u32 {
        assert_eq!(count::<Graph>(&Bounds::scope(n)), (0..=n).map(|k| 2u64.pow(k * k)).sum());
    }
}

#[test]
fn the_acyclic_ones_are_counted_by_robinsons_recurrence() {
    let acyclic_ones =
        all::<Graph>(&Bounds::scope(3)).iter().filter(|g| g.topological_order().is_some()).count();
    assert_eq!(acyclic_ones as i64, (0..=3).map(acyclic).sum());
}

#[smallscope::test(scope = 3)]
fn a_vertex_goes_with_its_edges(mut graph: Graph) {
    while let Some(i) = graph.vertices.len().checked_sub(1) {
        graph.remove_vertex(i / 2);
        assert!(graph.rep_ok());
    }
}

#[smallscope::test(scope = 3)]
fn reversing_turns_the_topological_order_around(mut graph: Graph) {
    let before = graph.topological_order();
    graph.reverse();
    assert!(graph.rep_ok());
    let after = graph.topological_order();
    assert_eq!(before.is_some(), after.is_some());
    for (position, &i) in after.iter().flatten().enumerate() {
        let later = &after.as_ref().unwrap()[position + 1..];
        assert!(graph.successors(i).iter().all(|j| later.contains(j)));
    }
}
