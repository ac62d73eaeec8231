//! Code that the macros generate does not set off the lints of the crate it lands in.

#![deny(warnings, unused, missing_docs, unreachable_pub, nonstandard_style, rust_2018_idioms)]
#![deny(unused_qualifications, unused_lifetimes, unused_results, unused_macro_rules, unused_import_braces)]
#![deny(single_use_lifetimes, trivial_casts, trivial_numeric_casts, let_underscore_drop, unit_bindings)]
#![deny(missing_debug_implementations, missing_copy_implementations, explicit_outlives_requirements)]
#![deny(meta_variable_misuse, redundant_lifetimes, redundant_imports, ambiguous_negative_literals)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![allow(clippy::use_self)]

use smallscope::Bounds;
use smallscope::search::{Options, Search};

/// A tree.
pub mod tree {
    use smallscope::{Bounded, mirror, rep_ok};

    /// A search tree.
    #[derive(Bounded, Debug, Clone)]
    pub struct Tree<K> {
        root: Option<Box<Node<K>>>,
        size: usize,
    }

    #[derive(Bounded, Debug, Clone)]
    struct Node<K> {
        key: K,
        color: Color,
        left: Option<Box<Node<K>>>,
        right: Option<Box<Node<K>>>,
    }

    /// A colour.
    #[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Color {
        /// Red.
        Red,
        /// Black.
        Black,
    }

    #[rep_ok(fn height)]
    impl<K: Ord> Tree<K> {
        /// The size is right and no path is long.
        #[must_use]
        pub fn rep_ok(&self) -> bool {
            let mut keys = Vec::new();
            Self::keys(self.root.as_deref(), &mut keys);
            if keys.len() != self.size || height(self.root.as_deref()) > 2 {
                return false;
            }
            self.is_known() && self.size + 1 > 0 && Self::is_fine(self.root.as_deref(), &keys)
        }

        fn is_known(&self) -> bool {
            self.root.as_ref().is_none_or(|n| {
                let Some(left) = &n.left else { return true };
                !std::ptr::eq(std::ptr::from_ref(&**left), std::ptr::from_ref(&**n))
                    && left.left.is_none()
                    && left.key <= n.key
            })
        }

        fn is_fine(root: Option<&Node<K>>, keys: &[&K]) -> bool {
            match root {
                Some(n) if matches!(n.color, Color::Red) => false,
                _ => keys.is_sorted(),
            }
        }

        fn keys<'a>(n: Option<&'a Node<K>>, keys: &mut Vec<&'a K>) {
            let Some(Node { key, left, right, .. }) = n else { return };
            Self::keys(left.as_deref(), keys);
            keys.push(key);
            Self::keys(right.as_deref(), keys);
        }
    }

    #[mirror]
    fn height<K>(n: Option<&Node<K>>) -> usize {
        n.map_or(0, |n| 1 + height(n.left.as_deref()).max(height(n.right.as_deref())))
    }
}

/// Variants without the names of their enums.
pub mod variants {
    use self::Color::{Black, Red};
    use self::Shape::*;
    use smallscope::{Bounded, rep_ok};

    /// A colour.
    #[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Color {
        /// Red.
        Red,
        /// Black.
        Black,
    }

    /// An enum with fields.
    #[derive(Bounded, Debug, Clone, PartialEq, Eq)]
    pub enum Shape {
        /// Nothing.
        Empty,
        /// A number.
        Point(u8),
        /// A pair.
        Pair(Box<Shape>, Color),
    }

    /// Both enums.
    #[derive(Bounded, Debug, Clone, PartialEq, Eq)]
    pub struct Drawing {
        shape: Shape,
        color: Color,
    }

    #[rep_ok(variants(Shape))]
    impl Drawing {
        /// The colours agree.
        #[must_use]
        pub fn rep_ok(&self) -> bool {
            match &self.shape {
                Empty => self.color == Black,
                Point(_) => self.color == Red,
                Pair(left, right) => matches!(**left, Empty) && self.color == *right,
            }
        }
    }
}

#[test]
fn the_lints_are_silent_about_variants_that_are_imported() {
    let mut search = Search::<variants::Drawing>::new(&Bounds::scope(2), Options::audited()).unwrap();
    let mut n = 0;
    while let Some(drawing) = search.next_value() {
        assert!(drawing.unwrap().rep_ok());
        n += 1;
    }
    // Nothing, one of two numbers, and one of two colours with nothing in the box.
    assert_eq!(n, 1 + 2 + 2);
}

#[test]
fn the_lints_are_silent() {
    let mut search = Search::<tree::Tree<u8>>::new(&Bounds::scope(2), Options::audited()).unwrap();
    let mut n = 0;
    while let Some(tree) = search.next_value() {
        assert!(tree.unwrap().rep_ok());
        n += 1;
    }
    // Nothing; a black root with one of two keys, and perhaps a child with a key on the right side of it.
    assert_eq!(n, 1 + 2 + 2 * 2 * 3);
}
