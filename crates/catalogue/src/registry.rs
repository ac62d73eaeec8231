//! The structures by name, and the exact counts.

use smallscope::{Bounded, Bounds, Error, Failure, Options, Outcome, Search};

/// A structure of the catalogue.
pub struct Structure {
    /// Its name in tables and commands.
    pub name: &'static str,
    /// What the original's finitization takes, in order.
    pub parameters: &'static [&'static str],
    /// The bounds for such arguments.
    pub bounds: fn(&[i64]) -> Bounds,
    /// Counts the valid values.
    pub count: fn(&Bounds, Options) -> Result<Outcome, CountError>,
    /// log2 of the size of the space.
    pub space_bits: fn(&Bounds) -> Result<f64, Error>,
}

/// Why a count did not come about.
#[derive(Debug)]
pub enum CountError {
    /// The bounds are wrong.
    Bounds(Error),
    /// The invariant misbehaved.
    Invariant(Failure),
}

impl std::fmt::Display for CountError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CountError::Bounds(e) => e.fmt(f),
            CountError::Invariant(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for CountError {}

fn count<T: Bounded>(bounds: &Bounds, options: Options) -> Result<Outcome, CountError> {
    let search = Search::<T>::new(bounds, options).map_err(CountError::Bounds)?;
    search.count().map_err(CountError::Invariant)
}

fn space_bits<T: Bounded>(bounds: &Bounds) -> Result<f64, Error> {
    Ok(Search::<T>::new(bounds, Options::korat())?.space_bits())
}

macro_rules! structures {
    ($($name:literal: $module:ident = $root:ty, ($($parameter:ident),*);)*) => {
        /// Every structure, in alphabetical order.
        pub const STRUCTURES: &[Structure] = &[$(
            Structure {
                name: $name,
                parameters: &[$(stringify!($parameter)),*],
                bounds: |args| {
                    let &[$($parameter),*] = args else { panic!("wrong number of arguments for {}", $name) };
                    crate::$module::bounds($($parameter),*)
                },
                count: count::<$root>,
                space_bits: space_bits::<$root>,
            }
        ),*];
    };
}

structures! {
    "avl-list": avl_list = crate::avl_list::AvlList, (nodes, min_size, max_size, list_nodes, min_list, max_list, elements);
    "avl-tree": avl_tree = crate::avl_tree::AvlTree<u8>, (nodes, min_size, max_size, elements);
    "binary-tree": binary_tree = crate::binary_tree::BinaryTree, (nodes, min_size, max_size);
    "binomial-heap": binomial_heap = crate::binomial_heap::BinomialHeap, (n);
    "binomial-heap-pair": binomial_heap_pair = crate::binomial_heap_pair::BinomialHeapPair, (n);
    "binomial-heap-value": binomial_heap_value = crate::binomial_heap_value::BinomialHeapValue, (n);
    "disj-set": disj_set = crate::disj_set::DisjSet, (n);
    "doubly-linked-list": doubly_linked_list = crate::doubly_linked_list::DoublyLinkedList, (min_size, max_size, entries, elements);
    "fibonacci-heap": fibonacci_heap = crate::fibonacci_heap::FibonacciHeap, (n);
    "heap-array": heap_array = crate::heap_array::HeapArray<u8>, (max_size, max_length, max_value);
    "list-as-set": list_as_set = crate::list_as_set::ListAsSet, (max_size, nodes, elements);
    "node-caching-linked-list": node_caching_linked_list = crate::node_caching_linked_list::NodeCachingLinkedList, (nodes, max_size, max_cache, values);
    "red-black-tree": red_black_tree = crate::red_black_tree::RedBlackTree<u8>, (nodes, min_size, max_size, keys);
    "red-black-tree-key": red_black_tree_key = crate::red_black_tree_key::RedBlackTreeKey, (nodes, min_size, max_size, keys);
    "ring": ring = crate::ring::Ring, (entries, min_size, max_size, elements);
    "search-tree": search_tree = crate::search_tree::SearchTree<u8>, (nodes, min_size, max_size, min_key, max_key);
    "search-tree-value": search_tree_value = crate::search_tree_value::SearchTreeValue, (nodes, min_size, max_size, values);
    "singly-linked-list": singly_linked_list = crate::singly_linked_list::SinglyLinkedList, (min_size, max_size, entries, elements);
    "sorted-list": sorted_list = crate::sorted_list::SortedList, (min_size, max_size, entries, max_element);
}

/// The structure with a name.
pub fn structure(name: &str) -> Option<&'static Structure> {
    STRUCTURES.iter().find(|s| s.name == name)
}

/// A row of the table of exact counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The structure's name.
    pub structure: &'static str,
    /// The finitization's arguments.
    pub args: Vec<i64>,
    /// Candidates that the original tool explores.
    pub explored: u64,
    /// Valid structures that it finds.
    pub valid: u64,
}

/// The exact counts, measured on the original tool.
pub fn counts() -> Vec<Row> {
    let row = |line: &'static str| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().expect("counts.tsv has four columns");
        let number = |s: &str| s.parse().expect("counts.tsv has numbers in its last columns");
        Row {
            structure: next(),
            args: next().split(',').map(|a| a.parse().expect("arguments are integers")).collect(),
            explored: number(next()),
            valid: number(next()),
        }
    };
    include_str!("../counts.tsv").lines().skip(1).map(row).collect()
}
