//! What the invariant uses outside of its own block.

use crate::*;

#[test]
fn mirrored_free_fn() {
    tree!();
    #[mirror]
    fn depth<K>(n: &Option<Box<Node<K>>>) -> usize {
        n.as_ref().map_or(0, |n| 1 + depth(&n.left))
    }
    #[rep_ok(fn depth)]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            depth(&self.root) < 3
        }
    }
    trees!(3772);
}

#[test]
fn free_fn_on_plain_values() {
    tree!();
    fn even(n: usize) -> bool {
        n % 2 == 0
    }
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            even(self.size)
        }
    }
    trees!(2318);
}

#[test]
fn helper_in_mirror_impl() {
    tree!();
    #[mirror]
    impl<K> Node<K> {
        fn leaf(&self) -> bool {
            self.left.is_none()
        }
    }
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|n| n.leaf())
        }
    }
    trees!(1900);
}

#[test]
fn trait_impl_for_node_mirror() {
    tree!();
    trait Leaf {
        fn leaf(&self) -> bool;
    }
    #[mirror]
    impl<K> Leaf for Node<K> {
        fn leaf(&self) -> bool {
            self.left.is_none()
        }
    }
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|n| n.leaf())
        }
    }
    trees!(1900);
}

#[test]
fn iterator_struct_mirrored() {
    tree!();

    #[mirror]
    pub struct Iter<'a, K> {
        stack: Vec<&'a Node<K>>,
    }
    #[mirror]
    impl<'a, K> Iter<'a, K> {
        fn push_left(&mut self, mut n: Option<&'a Node<K>>) {
            while let Some(x) = n {
                self.stack.push(x);
                n = x.left.as_deref()
            }
        }
    }
    #[mirror]
    impl<'a, K> Iterator for Iter<'a, K> {
        type Item = &'a K;
        fn next(&mut self) -> Option<&'a K> {
            let n = self.stack.pop()?;
            self.push_left(n.right.as_deref());
            Some(&n.key)
        }
    }
    #[rep_ok(Iter)]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.iter().count() == self.size && self.iter().is_sorted_by(|a, b| a < b)
        }
        pub fn iter(&self) -> Iter<'_, K> {
            let mut i = Iter { stack: Vec::new() };
            i.push_left(self.root.as_deref());
            i
        }
        pub fn insert(&mut self, k: K) {
            self.size += 1;
            let _ = k;
        }
    }
    trees!(71);
}

#[test]
fn opaque_type() {
    tree!();
    struct Stats(usize);
    impl Stats {
        fn new(n: usize) -> Stats {
            Stats(n)
        }
        fn ok(&self) -> bool {
            self.0 < 3
        }
    }
    #[rep_ok(opaque(Stats))]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let s = Stats::new(self.size);
            s.ok()
        }
    }
    trees!(3477);
}

#[test]
fn type_alias_not_mirrored() {
    type Link = Option<Box<N>>;
    #[derive(Bounded, Debug)]
    pub struct N {
        next: Link,
    }
    #[derive(Bounded, Debug)]
    pub struct L {
        head: Link,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            Self::len(&self.head) < 2
        }
        fn len(l: &Link) -> usize {
            l.as_ref().map_or(0, |n| 1 + Self::len(&n.next))
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 3)), 2);
}

#[test]
fn module_const() {
    tree!();
    const LIMIT: usize = 3;
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.size <= LIMIT
        }
    }
    trees!(4636);
}

#[test]
fn mutate_in_rep_ok_mut_self() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            true
        }
        fn fix(&mut self) {
            self.size = 0
        }
    }
    trees!(4636);
}

#[test]
fn free_functions_of_all_kinds() {
    tree!();
    /// Documented, generic, recursive, with a pattern, a closure and lifetimes.
    #[mirror]
    #[inline]
    fn smallest<'a, K: Ord>(Node { key, left, .. }: &'a Node<K>, better: &impl Fn(&K, &K) -> bool) -> &'a K {
        match left.as_deref() {
            Some(n) if better(smallest(n, better), key) => smallest(n, better),
            _ => key,
        }
    }
    #[mirror]
    fn check<K>(link: &Option<Box<Node<K>>>) -> Option<usize>
    where
        K: Ord,
    {
        let Some(n) = link else { return Some(0) };
        let (l, r) = (check(&n.left)?, check(&n.right)?);
        (n.color == Color::Black || l == r).then_some(l.max(r) + 1)
    }
    #[mirror(fn check)]
    fn all_checked<K: Ord>(links: &[&Option<Box<Node<K>>>]) -> bool {
        links.iter().all(|l| check(l).is_some())
    }
    #[rep_ok(fn smallest, fn all_checked)]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            all_checked(&[&self.root])
                && self.root.as_ref().is_none_or(|n| smallest(n, &|a, b| a < b) == &n.key)
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn helper_types_of_all_kinds() {
    tree!();
    #[mirror]
    type Link<K> = Option<Box<Node<K>>>;
    #[mirror]
    #[derive(Clone, Copy)]
    enum Step<'a, K> {
        Down(&'a Node<K>),
        Up { from: &'a Node<K>, depth: usize },
    }
    /// Depth first.
    #[mirror]
    struct Walk<'a, K> {
        steps: Vec<Step<'a, K>>,
        depth: usize,
    }
    #[mirror(Step)]
    impl<'a, K> Walk<'a, K> {
        fn new(link: &'a Option<Box<Node<K>>>) -> Self {
            let mut walk = Self { steps: vec![], depth: 0 };
            walk.enter(link);
            walk
        }
        fn enter(&mut self, link: &'a Option<Box<Node<K>>>) {
            if let Some(n) = link {
                self.steps.push(Step::Down(n));
            }
        }
    }
    #[mirror(Step)]
    impl<'a, K> Iterator for Walk<'a, K> {
        type Item = (&'a K, usize);
        fn next(&mut self) -> Option<Self::Item> {
            loop {
                match self.steps.pop()? {
                    Step::Down(n) => {
                        self.depth += 1;
                        self.steps.push(Step::Up { from: n, depth: self.depth });
                        self.enter(&n.right);
                        self.enter(&n.left);
                        return Some((&n.key, self.depth));
                    }
                    Step::Up { from, depth } => self.depth = depth - usize::from(ptr::eq(from, from)),
                }
            }
        }
    }
    #[rep_ok(Walk, Link)]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            Self::links(&self.root) == self.size && Walk::new(&self.root).all(|(_, d)| d < 3)
        }
        fn links(l: &Link<K>) -> usize {
            l.as_ref().map_or(0, |n| 1 + Self::links(&n.left) + Self::links(&n.right))
        }
    }
    // All but the four chains of three nodes.
    trees!(1159 - 4 * 216);
}

#[test]
fn helper_without_lifetimes() {
    tree!();
    #[mirror]
    #[derive(Default)]
    struct Tally {
        colors: Vec<Color>,
    }
    #[mirror(helper)]
    impl Tally {
        fn see<K>(&mut self, n: &Node<K>) {
            self.colors.push(n.color);
        }
        fn finish(self) -> usize {
            self.colors.len()
        }
    }
    #[rep_ok(Tally)]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut tally = Tally::default();
            self.root.iter().for_each(|n| tally.see(n));
            tally.finish() == self.size
        }
    }
    trees!(1159);
}

#[test]
fn trait_impls() {
    tree!();
    trait Measure {
        const UNIT: usize;
        type Out;
        fn measure(&self) -> Self::Out;
        fn doubled(&self) -> usize
        where
            Self: Measure<Out = usize>,
        {
            2 * self.measure()
        }
    }
    #[mirror]
    impl<K> Measure for Node<K> {
        const UNIT: usize = 1;
        type Out = usize;
        fn measure(&self) -> usize {
            Self::UNIT + self.left.as_ref().map_or(0, |n| n.measure())
        }
    }
    #[mirror]
    impl<K: Ord> PartialEq for Node<K> {
        fn eq(&self, other: &Self) -> bool {
            self.key == other.key && self.color == other.color
        }
    }
    #[mirror]
    impl<'a, K> IntoIterator for &'a Tree<K> {
        type Item = &'a Node<K>;
        type IntoIter = std::option::IntoIter<&'a Node<K>>;
        fn into_iter(self) -> Self::IntoIter {
            self.root.as_deref().into_iter()
        }
    }
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            for n in self {
                if n.left == n.right && n.left.is_some() || n.doubled() > 2 * self.size {
                    return false;
                }
            }
            true
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

mod across_modules {
    pub mod node {
        use smallscope::{Bounded, mirror};
        #[derive(Bounded, Debug)]
        pub struct N {
            pub(super) v: u8,
            next: Option<Box<N>>,
        }
        #[mirror]
        impl N {
            pub fn len(&self) -> usize {
                1 + self.next.as_ref().map_or(0, |n| n.len())
            }
            /// Constructors and mutators stay behind.
            pub fn new(v: u8) -> N {
                N { v, next: None }
            }
            pub fn push(&mut self, v: u8) {
                self.next = Some(Box::new(N::new(v)));
            }
        }
        #[mirror]
        pub fn last(n: &N) -> &N {
            n.next.as_deref().map_or(n, last)
        }
    }
    mod list {
        use super::node::N;
        use smallscope::{Bounded, mirror, rep_ok};
        #[derive(Bounded, Debug)]
        pub struct L {
            head: Option<Box<N>>,
            n: usize,
        }
        #[rep_ok]
        impl L {
            fn rep_ok(&self) -> bool {
                self.head.as_ref().map_or(0, |h: &Box<N>| h.len()) == self.n
            }
        }
        #[derive(Bounded, Debug)]
        pub struct M {
            head: Option<Box<crate::idioms::helpers::across_modules::node::N>>,
            n: usize,
        }
        #[rep_ok(super::node::N, fn super::node::last)]
        impl M {
            fn rep_ok(&self) -> bool {
                let len = self.head.as_ref().map_or(0, |b| N::len(b));
                len == self.n
                    && self.head.as_deref().is_none_or(|n| last(n).len() == 1)
                    && Self::full_path(&self.head)
            }
            fn full_path(n: &Option<Box<crate::idioms::helpers::across_modules::node::N>>) -> bool {
                n.as_ref().is_none_or(|n| super::node::N::len(n) < 3)
            }
        }
        use super::node::last;
    }

    #[test]
    fn imported_types() {
        let bounds = smallscope::Bounds::exact().objects("N", 3).ints("N.v", [0]);
        assert_eq!(crate::valid::<list::L>(&bounds.clone().ints("L.n", 0..=3)), 4);
        assert_eq!(crate::valid::<list::M>(&bounds.ints("M.n", 0..=3)), 3);
    }
}

#[test]
fn imports_in_the_body() {
    mod parts {
        use smallscope::Bounded;
        #[derive(Bounded)]
        pub struct Part {
            pub weight: u8,
            pub kind: Kind,
        }
        #[derive(Bounded, Clone, Copy, PartialEq)]
        pub enum Kind {
            Bolt,
            Nut,
        }
        pub trait Heavy {
            fn heavy(&self) -> bool;
        }
        impl Heavy for u8 {
            fn heavy(&self) -> bool {
                *self > 1
            }
        }
    }
    #[derive(Bounded)]
    struct Kit {
        parts: Vec<parts::Part>,
    }
    #[rep_ok(opaque(Heavy))]
    impl Kit {
        fn rep_ok(&self) -> bool {
            use parts::Heavy;
            use parts::{Kind, Part as Piece};
            use std::fmt::Write;
            let light = |p: &Piece| !p.weight.heavy() && p.kind != Kind::Nut;
            self.parts.iter().all(light)
                && self.parts.iter().all(|Piece { weight, .. }| !Heavy::heavy(weight))
        }
    }
    let bounds = Bounds::exact().objects("Part", 2).len("Kit.parts", 0..=2).ints("Part.weight", 0..=2);
    assert_eq!(valid::<Kit>(&bounds), 1 + 2 + 4);
}

#[test]
fn invariants_made_by_macros() {
    macro_rules! ordered {
        ($name:ident { $($field:ident: $ty:ty),* } $self:ident $check:expr) => {
            #[derive(Bounded)]
            struct $name { $($field: $ty),* }
            #[rep_ok]
            impl $name {
                fn rep_ok(&$self) -> bool {
                    if let Some(next) = &$self.next && !next.rep_ok() { return false }
                    $check && matches!($self.kind, 0 | 1)
                }
            }
        };
    }
    ordered!(Link { next: Option<Box<Link>>, kind: u8 } self self.next.is_none() || self.kind == 0);
    assert_eq!(valid::<Link>(&Bounds::exact().objects("Link", 2).ints("Link.kind", 0..=2)), 2 + 2 + 2);
}

#[test]
fn helper_types_that_the_attribute_does_not_list() {
    #[derive(Bounded)]
    struct Node {
        left: Option<Box<Node>>,
        key: u8,
    }
    #[derive(Default)]
    struct Stats {
        count: usize,
        max: u8,
    }
    #[derive(PartialEq)]
    enum Side {
        Small,
        Large,
    }
    #[rep_ok]
    impl Node {
        fn rep_ok(&self) -> bool {
            let stats = self.stats();
            let mut again = Stats::default();
            self.add_to(&mut again);
            stats.count < 4
                && stats.max == again.max
                && again.count == stats.count
                && stats.side() == Side::Small
        }
        fn stats(&self) -> Stats {
            match &self.left {
                None => Stats { count: 1, max: self.key },
                Some(n) => {
                    let Stats { count, max } = n.stats();
                    Stats { count: count + 1, max: max.max(self.key) }
                }
            }
        }
        fn add_to(&self, stats: &mut Stats) {
            stats.count += 1;
            stats.max = stats.max.max(self.key);
            if let Some(n) = &self.left {
                n.add_to(stats);
            }
        }
    }
    impl Stats {
        fn side(&self) -> Side {
            if self.max < 2 { Side::Small } else { Side::Large }
        }
    }
    // Lists of one to three nodes with two keys.
    assert_eq!(valid::<Node>(&Bounds::exact().objects("Node", 4).ints("Node.key", 0..=2)), 2 + 4 + 8);
}

#[test]
fn a_helper_that_only_matches() {
    #[derive(Bounded, Clone, Copy, PartialEq)]
    enum Color {
        Red,
        Black,
    }
    #[derive(Bounded)]
    #[bounded(no_invariant)]
    struct List {
        head: Option<Box<Node>>,
    }
    #[derive(Bounded)]
    struct Node {
        color: Color,
        next: Option<Box<Node>>,
    }
    #[rep_ok]
    impl Node {
        fn is_red(&self) -> bool {
            matches!(self, Node { color: Color::Red, .. })
        }
        fn rep_ok(&self) -> bool {
            self.next.as_ref().is_none_or(|n| n.rep_ok() && (self.color == Color::Black || !n.is_red()))
        }
    }
    // Lists of up to three nodes without two red ones in a row.
    assert_eq!(valid::<List>(&Bounds::exact().objects("Node", 3)), 1 + 2 + 3 + 5);
}

#[test]
fn a_part_that_is_cloned() {
    tree!();
    #[rep_ok]
    impl<K: Ord + Clone> Tree<K> {
        fn rep_ok(&self) -> bool {
            let copy = self.root.clone();
            copy.is_none() == (self.size == 0)
        }
    }
    trees!(1 + 3 * 1158);
}

#[test]
fn a_trait_of_a_pointer() {
    #[derive(Bounded)]
    #[bounded(no_invariant)]
    struct List {
        head: Option<Rc<Node>>,
    }
    #[derive(Bounded)]
    struct Node {
        next: Option<Rc<Node>>,
        mark: bool,
    }
    trait Length {
        fn length(&self) -> usize;
    }
    #[mirror]
    impl Length for Rc<Node> {
        fn length(&self) -> usize {
            1 + usize::from(self.next.is_some())
        }
    }
    #[rep_ok]
    impl Node {
        fn rep_ok(&self) -> bool {
            self.next.as_ref().is_none_or(|n| n.length() < 2)
        }
    }
    // No list is longer than two.
    assert_eq!(valid::<List>(&Bounds::exact().objects("Node", 3)), 1 + 2 + 4);
}
