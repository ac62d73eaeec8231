//! The structures by name, and the exact counts.

use smallscope::search::{AnySearch, Options, Search};
use smallscope::{Bounded, Bounds, Error, Failure, Outcome};

/// A structure of the catalogue.
pub struct Structure {
    /// Its name in tables and commands.
    pub name: &'static str,
    /// The parameters of the original's finitization, in order.
    pub parameters: &'static [&'static str],
    /// The bounds for such arguments.
    pub bounds: fn(&[i64]) -> Bounds,
    /// Counts the valid values.
    pub count: fn(&Bounds, Options) -> Result<Outcome, CountError>,
    /// A search for its values.
    pub open: Open,
}

/// How a search is laid out.
pub type Open = fn(&Bounds, Options) -> Result<AnySearch, Error>;

/// Why a count failed.
#[derive(Debug)]
pub enum CountError {
    /// The bounds are contradictory or do not fit the type.
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

fn open<T: Bounded>(bounds: &Bounds, options: Options) -> Result<AnySearch, Error> {
    Ok(Search::<T>::new(bounds, options)?.into_any())
}

macro_rules! structures {
    ($($name:literal: $module:ident $(:: $bounds:ident)? = $root:ty, ($($parameter:ident),*);)*) => {
        /// Every structure, in alphabetical order.
        pub static STRUCTURES: &[Structure] = &[$(
            Structure {
                name: $name,
                parameters: &[$(stringify!($parameter)),*],
                bounds: |args| {
                    let &[$($parameter),*] = args else { panic!("wrong number of arguments for {}", $name) };
                    structures!(@bounds $module $($bounds)?)($($parameter),*)
                },
                count: count::<$root>,
                open: open::<$root>,
            }
        ),*];
    };
    (@bounds $module:ident) => { crate::$module::bounds };
    (@bounds $module:ident $bounds:ident) => { crate::$module::$bounds };
}

structures! {
    "avl-list": avl_list = crate::avl_list::AvlList, (nodes, min_size, max_size, list_nodes, min_list, max_list, elements);
    "avl-shape-natural": avl_tree_natural::shape_bounds = crate::avl_tree_natural::AvlShape, (nodes, min_size, max_size);
    "avl-tree": avl_tree = crate::avl_tree::AvlTree<smallscope::Key>, (nodes, min_size, max_size, elements);
    "avl-tree-guided": avl_tree_guided = crate::avl_tree_guided::GuidedAvlTree<smallscope::Key>, (nodes, min_size, max_size, elements);
    "avl-tree-natural": avl_tree_natural = crate::avl_tree_natural::NaturalAvlTree<smallscope::Key>, (nodes, min_size, max_size, keys);
    "b-tree-natural": b_tree_natural = crate::b_tree_natural::NaturalBTree, (min_len, max_len);
    "binary-tree": binary_tree = crate::binary_tree::BinaryTree, (nodes, min_size, max_size);
    "binomial-heap": binomial_heap = crate::binomial_heap::BinomialHeap, (n);
    "binomial-heap-inputs": binomial_heap = smallscope::structures::Product<(crate::binomial_heap::BinomialHeap, crate::binomial_heap::BinomialHeap)>, (n);
    "binomial-heap-pair": binomial_heap_pair = crate::binomial_heap_pair::BinomialHeapPair, (n);
    "binomial-heap-value": binomial_heap_value = crate::binomial_heap_value::BinomialHeapValue, (n);
    "closed-term-natural": lambda_term_natural = crate::lambda_term_natural::ClosedTerm, (min_size, max_size);
    "complete-tree-natural": complete_tree_natural = crate::complete_tree_natural::CompleteTree, (nodes, min_size, max_size);
    "dag": dag = crate::dag::Dag, (n);
    "digraph": digraph = crate::digraph::Digraph<()>, (n);
    "disj-set": disj_set = crate::disj_set::DisjSet, (n);
    "doubly-linked-list": doubly_linked_list = crate::doubly_linked_list::DoublyLinkedList, (min_size, max_size, entries, elements);
    "fibonacci-heap": fibonacci_heap = crate::fibonacci_heap::FibonacciHeap, (n);
    "fibonacci-heap-guided": fibonacci_heap_guided = crate::fibonacci_heap_guided::GuidedFibonacciHeap, (n);
    "heap-array": heap_array = crate::heap_array::HeapArray<smallscope::Key>, (max_size, max_length, max_value);
    "int-list": int_list = crate::int_list::IntListInput, (nodes, min_size, max_size, elements);
    "leftist-tree-natural": leftist_tree_natural = crate::leftist_tree_natural::LeftistTree, (nodes, min_size, max_size);
    "list-as-set": list_as_set = crate::list_as_set::ListAsSet, (max_size, nodes, elements);
    "node-cache": node_caching_parts::cache_bounds = crate::node_caching_parts::NodeCache, (max_cache, values);
    "node-caching-disjoint": node_caching_disjoint = crate::node_caching_disjoint::DisjointCachingList, (max_size, max_cache, values);
    "node-caching-linked-list": node_caching_linked_list = crate::node_caching_linked_list::NodeCachingLinkedList, (nodes, max_size, max_cache, values);
    "node-caching-list": node_caching_parts::list_bounds = crate::node_caching_parts::CachingList, (max_size, values);
    "red-black-shape-natural": red_black_tree_natural::shape_bounds = crate::red_black_tree_natural::RedBlackShape, (nodes, min_size, max_size);
    "red-black-tree": red_black_tree = crate::red_black_tree::RedBlackTree<smallscope::Key>, (nodes, min_size, max_size, keys);
    "red-black-tree-guided": red_black_tree_guided = crate::red_black_tree_guided::GuidedRedBlackTree<smallscope::Key>, (nodes, min_size, max_size, keys);
    "red-black-tree-key": red_black_tree_key = crate::red_black_tree_key::RedBlackTreeKey, (nodes, min_size, max_size, keys);
    "red-black-tree-natural": red_black_tree_natural = crate::red_black_tree_natural::NaturalRedBlackTree<smallscope::Key>, (nodes, min_size, max_size, keys);
    "ring": ring = crate::ring::Ring, (entries, min_size, max_size, elements);
    "search-tree": search_tree = crate::search_tree::SearchTree<smallscope::Key>, (nodes, min_size, max_size, min_key, max_key);
    "search-tree-natural": search_tree_natural = crate::search_tree_natural::NaturalSearchTree<smallscope::Key>, (nodes, min_size, max_size, keys);
    "search-tree-value": search_tree_value = crate::search_tree_value::SearchTreeValue, (nodes, min_size, max_size, values);
    "singly-linked-list": singly_linked_list = crate::singly_linked_list::SinglyLinkedList, (min_size, max_size, entries, elements);
    "sorted-list": sorted_list = crate::sorted_list::SortedList, (min_size, max_size, entries, max_element);
    "two-three-tree-natural": two_three_tree_natural = crate::two_three_tree_natural::TwoThreeTree, (min_leaves, max_leaves);
    "typed-term-natural": lambda_term_natural::typed_bounds = crate::lambda_term_natural::TypedProgram, (min_size, max_size);
    "weighted-digraph": weighted_digraph = crate::weighted_digraph::WeightedDigraph, (n, min_weight, max_weight);
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
    /// Candidates that the published algorithm explores.
    pub explored: u64,
    /// Valid structures that it finds.
    pub valid: u64,
    /// Where the numbers come from.
    pub source: &'static str,
}

/// A row of the table of counts with classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassRow {
    /// The structure's name.
    pub structure: &'static str,
    /// The finitization's arguments.
    pub args: Vec<i64>,
    /// Candidates that the published algorithm explores when it prunes by class.
    pub explored: u64,
    /// Valid structures that it finds then.
    pub valid: u64,
    /// The classes that these are in.
    pub classes: usize,
    /// Where the numbers come from.
    pub source: &'static str,
}

/// The counts of the published search by classes (Aguirre et al., TAP 2011).
pub fn class_counts() -> Vec<ClassRow> {
    let row = |line: &'static str| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().expect("class_counts.tsv has six columns");
        let number = |s: &str| s.parse().expect("class_counts.tsv has numbers in these columns");
        ClassRow {
            structure: next(),
            args: next().split(',').map(|a| a.parse().expect("arguments are integers")).collect(),
            explored: number(next()),
            valid: number(next()),
            classes: number(next()) as usize,
            source: next(),
        }
    };
    include_str!("../class_counts.tsv").lines().skip(1).map(row).collect()
}

/// A row of the published tables about disjoint parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisjointRow {
    /// The table.
    pub table: &'static str,
    /// The scope as the table gives it.
    pub scope: &'static str,
    /// The structure's name.
    pub structure: &'static str,
    /// Its arguments for the same scope.
    pub args: Vec<i64>,
    /// Valid structures; 0 where the table has none.
    pub valid: u64,
    /// Candidates explored in one search for everything; none where it timed out.
    pub direct: Option<u64>,
    /// Candidates explored in the parts, as published.
    pub published: u64,
    /// Candidates that the published algorithm explores in the parts: another number where there is a misprint.
    pub explored: u64,
}

/// The published tables about disjoint parts.
pub fn disjoint_counts() -> Vec<DisjointRow> {
    let row = |line: &'static str| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let &[table, scope, structure, args, valid, direct, published, explored] = &columns[..] else {
            panic!("disjoint.tsv has eight columns: {line}")
        };
        let number = |s: &str| s.parse().expect("disjoint.tsv has numbers in these columns");
        let args = args.split(',').map(|a| a.parse().expect("arguments are integers")).collect();
        DisjointRow {
            table,
            scope,
            structure,
            args,
            valid: number(valid),
            direct: (direct != "-").then(|| number(direct)),
            published: number(published),
            explored: number(explored),
        }
    };
    include_str!("../disjoint.tsv").lines().skip(1).map(row).collect()
}

/// The exact counts. Most were measured on the original tool or stand in papers; each row says where it comes from.
pub fn counts() -> Vec<Row> {
    let row = |line: &'static str| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().expect("counts.tsv has five columns");
        let number = |s: &str| s.parse().expect("counts.tsv has numbers in these columns");
        Row {
            structure: next(),
            args: next().split(',').map(|a| a.parse().expect("arguments are integers")).collect(),
            explored: number(next()),
            valid: number(next()),
            source: next(),
        }
    };
    include_str!("../counts.tsv").lines().skip(1).map(row).collect()
}
