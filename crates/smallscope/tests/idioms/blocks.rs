//! What else is in the block of an invariant.

use crate::*;

#[test]
fn the_whole_interface_of_a_type() {
    tree!();
    /// Keys in order.
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        /// An empty tree.
        #[must_use]
        pub fn new() -> Self {
            Self { root: None, size: 0 }
        }
        pub fn insert(&mut self, key: K) -> bool {
            let mut link = &mut self.root;
            while let Some(n) = link {
                match key.cmp(&n.key) {
                    std::cmp::Ordering::Equal => return false,
                    std::cmp::Ordering::Less => link = &mut n.left,
                    std::cmp::Ordering::Greater => link = &mut n.right,
                }
            }
            *link = Some(Box::new(Node { key, color: Color::Red, left: None, right: None }));
            self.size += 1;
            true
        }
        pub fn into_root(self) -> Option<Box<Node<K>>> {
            self.root
        }
        /// Not an invariant's business: it makes a copy.
        pub fn rebuilt(&self) -> Self
        where
            K: Clone,
        {
            let mut t = Self::new();
            let mut todo: Vec<_> = self.root.iter().collect();
            while let Some(n) = todo.pop() {
                t.insert(n.key.clone());
                todo.extend(n.left.iter().chain(&n.right));
            }
            t
        }
        /// `HashSet::new()` is not `Self::new()`.
        #[inline]
        pub fn rep_ok(&self) -> bool {
            let mut seen = HashSet::new();
            let mut todo = vec![&self.root];
            while let Some(link) = todo.pop() {
                let Some(n) = link else { continue };
                if !seen.insert(ptr::from_ref(&**n)) {
                    return false;
                }
                todo.extend([&n.left, &n.right]);
            }
            seen.len() == self.size
        }
    }
    trees!(1159);
}

#[test]
fn an_iterator_that_the_invariant_does_not_use() {
    #[derive(Bounded)]
    struct Bag {
        items: Vec<u8>,
    }
    struct Iter<'a>(std::slice::Iter<'a, u8>);
    #[rep_ok]
    impl Bag {
        fn iter(&self) -> Iter<'_> {
            Iter(self.items.iter())
        }
        fn rep_ok(&self) -> bool {
            self.items.iter().all(|x| *x > 0)
        }
    }
    assert_eq!(valid::<Bag>(&Bounds::exact().len("Bag.items", 0..=2).ints("Bag.items", 0..=2)), 1 + 2 + 4);
}

#[test]
fn another_name() {
    tree!();
    #[rep_ok(name = check)]
    impl<K: Ord> Tree<K> {
        fn check(&self) -> bool {
            self.root.is_some() == (self.size > 0)
        }
    }
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.check()
        }
    }
    trees!(1 + 3 * 1158);
}

#[test]
fn attributes_on_members() {
    tree!();
    #[rep_ok]
    #[cfg(test)]
    impl<K> Tree<K>
    where
        K: Ord,
    {
        /// The largest size.
        #[allow(dead_code)]
        const MAX: usize = 2;
        #[cfg(any())]
        const MAX: usize = 7;

        /// Documented.
        #[inline(always)]
        #[expect(clippy::needless_return)]
        fn rep_ok(self: &Self) -> bool {
            return self.size <= Self::MAX && Self::twice(self.size) < 4;
        }

        #[cfg(any())]
        fn twice(n: usize) -> Missing {
            unreachable!()
        }

        #[cfg(not(any()))]
        const fn twice(n: usize) -> usize {
            2 * n
        }
    }
    trees!(2 * 1159);
}

#[test]
fn constants_computed_by_the_compiler() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        const LIMIT: usize = if Self::limit(1) > 3 || false { 1 } else { 2 };
        const fn limit(n: usize) -> usize {
            if n > 0 && n < 9 { n * 4 } else { 0 }
        }
        fn rep_ok(&self) -> bool {
            const TABLE: [usize; 2] = [if true { 1 } else { 2 }; 2];
            let zeros = [0usize; if cfg!(any()) { 3 } else { 2 }];
            self.size <= Self::LIMIT && zeros.len() == TABLE.len() && const { 1 + 1 } == 2
        }
    }
    trees!(2 * 1159);
}

#[test]
fn marked_helper_in_the_block() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.size < 1
        }
        /// Kept in the copy because it says so.
        #[mirror]
        fn red_root(&self) -> bool {
            self.root.as_ref().is_some_and(|n| n.color == Color::Red)
        }
    }
    // Two inherent impls with the same function would clash, so this proves that it is there.
    trait RedRoot {
        fn has_red_root(&self) -> bool;
    }
    #[mirror]
    impl<K: Ord> RedRoot for Tree<K> {
        fn has_red_root(&self) -> bool {
            self.red_root()
        }
    }
    trees!(1159);
}

mod names_of_std {
    use crate::*;
    /// A spreadsheet's, not std's.
    #[derive(Bounded)]
    pub struct Cell {
        row: u8,
        column: u8,
    }
    #[rep_ok]
    impl Cell {
        fn rep_ok(&self) -> bool {
            let Cell { row, .. } = self;
            *row < 2 && Cell::left_of(self) > 0
        }
        fn left_of(cell: &Cell) -> u8 {
            cell.column
        }
    }

    #[test]
    fn the_types_own_name_wins() {
        assert_eq!(valid::<Cell>(&Bounds::exact().ints("Cell.row", 0..=2).ints("Cell.column", 0..=2)), 2 * 2);
    }
}

#[test]
fn names_in_capitals() {
    #[derive(Bounded)]
    struct BST {
        root: Option<Box<N>>,
    }
    #[derive(Bounded)]
    struct N {
        left: Option<Box<N>>,
    }
    #[rep_ok]
    impl BST {
        fn rep_ok(&self) -> bool {
            BST::depth(&self.root) != 2
        }
        fn depth(n: &Option<Box<N>>) -> usize {
            n.as_ref().map_or(0, |n| 1 + BST::depth(&n.left))
        }
    }
    assert_eq!(valid::<BST>(&Bounds::exact().objects("N", 4)), 4);
}

mod renamed_crate {
    mod vendored {
        pub use smallscope as scopes;
    }
    use vendored::scopes;

    #[derive(scopes::Bounded)]
    #[bounded(crate = scopes)]
    struct Two {
        a: u8,
        b: u8,
    }
    #[scopes::rep_ok(crate = vendored::scopes)]
    impl Two {
        fn rep_ok(&self) -> bool {
            same(&self.a, &self.b) || if self.a > 1 { false } else { true }
        }
    }
    fn same(a: &u8, b: &u8) -> bool {
        a == b
    }

    #[test]
    fn path_of_the_crate() {
        let bounds = smallscope::Bounds::exact().ints("Two.a", 0..=2).ints("Two.b", 0..=2);
        assert_eq!(crate::valid::<Two>(&bounds), 7);
    }
}

mod of_a_type_elsewhere {
    pub mod types {
        #[derive(smallscope::Bounded)]
        pub struct Pair {
            pub(super) a: u8,
            pub(super) b: u8,
        }
    }
    #[smallscope::rep_ok]
    impl types::Pair {
        fn rep_ok(&self) -> bool {
            let types::Pair { a, b } = self;
            a < b
        }
    }

    #[test]
    fn with_its_path() {
        let bounds = smallscope::Bounds::exact().ints("Pair.a", 0..=2).ints("Pair.b", 0..=2);
        assert_eq!(crate::valid::<types::Pair>(&bounds), 3);
    }
}
