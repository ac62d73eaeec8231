//! The tree as a graph, regardless of the places of its nodes in the vector.

use super::{Color, TreeMap};
use smallscope::sequences::{Linearize, Sink};

/// Nodes in preorder. The colour is data; links, also those to parents, are the shape.
impl<K: Linearize, V: Linearize> Linearize for TreeMap<K, V> {
    fn linearize_as(&self, _field: &str, sink: &mut Sink) {
        let mut numbers = Numbers { of_nodes: vec![0; self.nodes.len()], last: 0 };
        self.write(self.root, &mut numbers, sink);
    }
}

/// The numbers of the nodes that were written; the others have none.
struct Numbers {
    of_nodes: Vec<usize>,
    last: usize,
}

impl<K: Linearize, V: Linearize> TreeMap<K, V> {
    fn write(&self, at: Option<usize>, numbers: &mut Numbers, sink: &mut Sink) {
        let Some(at) = at else { return sink.nothing() };
        let number = &mut numbers.of_nodes[at];
        if *number != 0 {
            // Not in a valid tree, but a comparison of states must show it.
            return sink.number(*number as u64);
        }
        numbers.last += 1;
        *number = numbers.last;
        sink.number(numbers.last as u64);
        let node = &self.nodes[at];
        node.key.linearize_as("key", sink);
        node.value.linearize_as("value", sink);
        sink.data("color", &(node.color == Color::Red));
        let parent = node.parent.map_or(0, |parent| match numbers.of_nodes[parent] {
            // Not in a valid tree either.
            0 => self.nodes.len() + 1 + parent,
            number => number,
        });
        sink.number(parent as u64);
        self.write(node.left, numbers, sink);
        self.write(node.right, numbers, sink);
    }
}
