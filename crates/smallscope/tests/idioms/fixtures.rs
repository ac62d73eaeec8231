// What both files of idioms have in them: included, since macros of a module cannot be used before it.

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Key, Visited, mirror, rep_ok};
use std::cell::*;
use std::collections::*;
use std::ptr::{self, NonNull};
use std::rc::{Rc, Weak};

/// The number of valid values, each of them built.
fn valid<T: Bounded>(bounds: &Bounds) -> u64 {
    let mut search = Search::<T>::new(bounds, Options::audited()).unwrap_or_else(|e| panic!("{e}"));
    while let Some(value) = search.next_value() {
        assert!(smallscope::structures::RepOk::rep_ok(&value.unwrap()));
    }
    assert!(search.outcome().is_exhaustive());
    search.outcome().valid
}

/// A tree of the type that all lists are made of: there are many types of trees, and one list.
struct Plain {
    key: u8,
    is_red: bool,
    left: Option<Rc<Plain>>,
    right: Option<Rc<Plain>>,
}

/// All trees with up to so many nodes and 3 keys, with the number of their nodes.
fn plain_trees(at_most: usize) -> Vec<(usize, Option<Rc<Plain>>)> {
    let mut all = vec![(0, None)];
    if at_most > 0 {
        for (i, left) in plain_trees(at_most - 1) {
            for (j, right) in plain_trees(at_most - 1 - i) {
                for (key, is_red) in (0..3).flat_map(|key| [(key, true), (key, false)]) {
                    let (left, right) = (left.clone(), right.clone());
                    all.push((1 + i + j, Some(Rc::new(Plain { key, is_red, left, right }))));
                }
            }
        }
    }
    all
}

/// The types of a binary tree, and the list of all 4636 of them with up to 3 nodes, 3 keys and 4 sizes.
macro_rules! tree {
    () => {
        #[derive(Bounded, Debug, Clone)]
        pub struct Tree<K> {
            root: Option<Box<Node<K>>>,
            size: usize,
        }
        #[derive(Bounded, Debug, Clone)]
        pub struct Node<K> {
            key: K,
            color: Color,
            left: Option<Box<Node<K>>>,
            right: Option<Box<Node<K>>>,
        }
        #[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Color {
            Red,
            Black,
        }
        fn node(plain: &Plain) -> Option<Box<Node<u8>>> {
            let Plain { key, is_red, left, right } = plain;
            let color = if *is_red { Color::Red } else { Color::Black };
            let [left, right] = [left, right].map(|plain| plain.as_deref().and_then(node));
            Some(Box::new(Node { key: *key, color, left, right }))
        }
        fn count_trees() -> (u64, u64) {
            let bounds = Bounds::exact().objects("Node", 3).ints("Tree.size", 0..=3).ints("Node.key", 0..=2);
            let mut listed = 0;
            for (_, root) in plain_trees(3) {
                for size in 0..4 {
                    let root = root.as_deref().and_then(node);
                    listed += u64::from(Tree { root, size }.rep_ok());
                }
            }
            (valid::<Tree<u8>>(&bounds), listed)
        }
    };
}

/// Checks the number of valid trees, twice.
macro_rules! trees {
    ($n:expr) => {
        assert_eq!(count_trees(), ($n, $n))
    };
}

/// A type of expressions, and the list of all of them with up to 5 nodes and 2 literals.
macro_rules! expr {
    () => {
        #[derive(Bounded, Debug, Clone)]
        pub enum Expr {
            Lit(i32),
            Neg(Box<Expr>),
            Add(Box<Expr>, Box<Expr>),
        }
        fn exprs(size: usize) -> Vec<Expr> {
            let mut all = vec![];
            if size == 1 {
                all.extend([Expr::Lit(0), Expr::Lit(1)]);
            } else if size > 1 {
                for e in exprs(size - 1) {
                    all.push(Expr::Neg(Box::new(e)));
                }
                for left in 1..size - 1 {
                    for a in exprs(left) {
                        for b in exprs(size - 1 - left) {
                            all.push(Expr::Add(Box::new(a.clone()), Box::new(b)));
                        }
                    }
                }
            }
            all
        }
        fn count_exprs() -> (u64, u64) {
            let bounds = Bounds::exact().objects("Expr", 4).ints("Expr::Lit.0", 0..=1);
            let mut listed = 0;
            for size in 1..=5 {
                for e in exprs(size) {
                    listed += u64::from(e.rep_ok());
                }
            }
            (valid::<Expr>(&bounds), listed)
        }
    };
}

/// Checks the number of valid expressions, twice.
macro_rules! exprs {
    ($n:expr) => {
        assert_eq!(count_exprs(), ($n, $n))
    };
}
