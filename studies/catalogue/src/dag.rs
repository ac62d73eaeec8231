//! Directed acyclic graphs. Nodes are numbered by the rule of the original (`by_reference`): up to isomorphism the search
//! delivers every graph, and some of them more than once.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | dag | 1 | 1 | 0 | original tool |
//! | dag | 2 | 3 | 1 | original tool |
//! | dag | 3 | 16 | 4 | original tool |
//! | dag | 4 | 182 | 35 | original tool |
//! | dag | 5 | 4,301 | 584 | original tool |
//! | dag | 6 | 204,893 | 19,696 | original tool |

use smallscope::{Bounded, Bounds, rep_ok};

/// A graph without cycles. Each node lists its successors by decreasing weight; the weight of a node is one more than
/// the sum of the weights of its successors.
#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
pub struct Dag {
    size: usize,
    nodes: Vec<Node>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq)]
struct Node {
    // The original keeps its nodes in a plain collection that is not part of the search.
    #[bounded(index = "Dag.nodes", by_reference)]
    children: Vec<usize>,
}

/// The state of a node during the traversal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    OnPath,
    Weighs(u64),
}

#[rep_ok(opaque(Mark))]
impl Dag {
    /// No cycles, no repeated successors, successors by decreasing weight, no node without an edge, and
    /// `size` nodes.
    pub fn rep_ok(&self) -> bool {
        let count = self.nodes.len();
        let mut marks = vec![Mark::New; count];
        let mut has_edge = vec![false; count];
        for node in 0..count {
            if marks[node] == Mark::New && self.weigh(node, &mut marks, &mut has_edge).is_none() {
                return false;
            }
        }
        has_edge.iter().all(|has_edge| *has_edge) && self.size == count
    }

    /// The weight of a node, if the graph that is reachable from it is valid.
    fn weigh(&self, node: usize, marks: &mut Vec<Mark>, has_edge: &mut Vec<bool>) -> Option<u64> {
        marks[node] = Mark::OnPath;
        let mut weight = 1;
        let mut last = u64::MAX;
        let children = &self.nodes[node].children;
        for i in 0..children.len() {
            let child = children[i];
            if (0..i).any(|j| children[j] == child) {
                return None;
            }
            let of_child = match marks[child] {
                Mark::OnPath => return None,
                Mark::Weighs(weight) => weight,
                Mark::New => self.weigh(child, marks, has_edge)?,
            };
            if of_child > last {
                return None;
            }
            (has_edge[node], has_edge[child]) = (true, true);
            weight += of_child;
            last = of_child;
        }
        marks[node] = Mark::Weighs(weight);
        Some(weight)
    }
}

impl Dag {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the graph is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The successors of a node.
    pub fn successors(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    /// Whether edges lead from one node to another; each node reaches itself.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        from == to || self.successors(from).iter().any(|&next| self.reaches(next, to))
    }

    /// The nodes, each before its successors.
    pub fn topological_order(&self) -> Vec<usize> {
        fn visit(dag: &Dag, node: usize, seen: &mut [bool], order: &mut Vec<usize>) {
            if !std::mem::replace(&mut seen[node], true) {
                dag.successors(node).iter().for_each(|&next| visit(dag, next, seen, order));
                order.push(node);
            }
        }
        let mut order = vec![];
        let mut seen = vec![false; self.size];
        (0..self.size).for_each(|node| visit(self, node, &mut seen, &mut order));
        order.reverse();
        order
    }

    /// Adds an edge. Returns false and changes nothing if the edge exists or would close a cycle.
    pub fn add_edge(&mut self, from: usize, to: usize) -> bool {
        if self.reaches(to, from) || self.successors(from).contains(&to) {
            return false;
        }
        self.nodes[from].children.push(to);
        self.sort_successors();
        true
    }

    /// Sorts every list of successors by decreasing weight. Weights do not depend on the order.
    fn sort_successors(&mut self) {
        let mut weights = vec![0; self.size];
        for node in self.topological_order().into_iter().rev() {
            weights[node] = 1 + self.successors(node).iter().map(|&next| weights[next]).sum::<u64>();
        }
        for node in &mut self.nodes {
            node.children.sort_by_key(|&child| std::cmp::Reverse(weights[child]));
        }
    }
}

/// Exactly `n` nodes, with up to `n - 1` successors each.
pub fn bounds(n: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", n as u32)
        .ints("Dag.size", n..=n)
        .len("Dag.nodes", [n])
        .len("Node.children", 0..=n - 1)
}
