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
        fn nodes(at_most: usize) -> Vec<(usize, Option<Box<Node<u8>>>)> {
            let mut all = vec![(0, None)];
            if at_most > 0 {
                for (i, left) in nodes(at_most - 1) {
                    for (j, right) in nodes(at_most - 1 - i) {
                        for (key, color) in (0..3).flat_map(|k| [(k, Color::Red), (k, Color::Black)]) {
                            let (left, right) = (left.clone(), right.clone());
                            all.push((1 + i + j, Some(Box::new(Node { key, color, left, right }))));
                        }
                    }
                }
            }
            all
        }
        fn count_trees() -> (u64, u64) {
            let bounds = Bounds::exact().objects("Node", 3).ints("Tree.size", 0..=3).ints("Node.key", 0..=2);
            let all = nodes(3)
                .into_iter()
                .flat_map(|(_, root)| (0..4).map(move |size| Tree { root: root.clone(), size }));
            (valid::<Tree<u8>>(&bounds), all.filter(|t| t.rep_ok()).count() as u64)
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
                all.extend(exprs(size - 1).into_iter().map(|e| Expr::Neg(Box::new(e))));
                for left in 1..size - 1 {
                    for a in exprs(left) {
                        let right = exprs(size - 1 - left).into_iter();
                        all.extend(right.map(|b| Expr::Add(Box::new(a.clone()), Box::new(b))));
                    }
                }
            }
            all
        }
        fn count_exprs() -> (u64, u64) {
            let bounds = Bounds::exact().objects("Expr", 4).ints("Expr::Lit.0", 0..=1);
            (valid::<Expr>(&bounds), (1..=5).flat_map(exprs).filter(Expr::rep_ok).count() as u64)
        }
    };
}

/// Checks the number of valid expressions, twice.
macro_rules! exprs {
    ($n:expr) => {
        assert_eq!(count_exprs(), ($n, $n))
    };
}
