//! Local accumulators and helper values.

use crate::*;

#[test]
fn accumulator_passed_by_mutable_reference() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut keys = Vec::new();
            Self::in_order(&self.root, &mut keys);
            keys.len() == self.size && keys.is_sorted_by(|a, b| a < b)
        }
        fn in_order<'a>(n: &'a Option<Box<Node<K>>>, keys: &mut Vec<&'a K>) {
            if let Some(n) = n {
                Self::in_order(&n.left, keys);
                keys.push(&n.key);
                Self::in_order(&n.right, keys);
            }
        }
    }
    // Shapes of n nodes, choices of n keys out of 3, colours.
    trees!(1 + 1 * 3 * 2 + 2 * 3 * 4 + 5 * 1 * 8);
}

#[test]
fn local_struct_passed_on() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            #[derive(Default)]
            struct Acc {
                nodes: usize,
                depths: Vec<usize>,
                deepest: Option<usize>,
            }
            impl Acc {
                fn add(&mut self, depth: usize) {
                    self.nodes += 1;
                    self.depths.push(depth);
                    if self.deepest.is_none_or(|d| d < depth) {
                        self.deepest = Some(depth);
                    }
                }
            }
            fn walk<K>(n: &Option<Box<Node<K>>>, depth: usize, acc: &mut Acc) {
                if let Some(n) = n {
                    acc.add(depth);
                    acc.depths[0] += 0;
                    acc.depths.reserve(1);
                    walk(&n.left, depth + 1, acc);
                    walk(&n.right, depth + 1, acc);
                }
            }
            let mut acc = Acc::default();
            walk(&self.root, 0, &mut acc);
            let Acc { nodes, depths, deepest } = acc;
            nodes == self.size && depths.len() == nodes && deepest.unwrap_or(0) < 2
        }
    }
    trees!(1 + 6 + 2 * 36 + 216);
}

#[test]
fn opaque_struct_of_the_module() {
    tree!();
    #[derive(Default)]
    struct Stats {
        sizes: Vec<usize>,
        red: usize,
    }
    impl Stats {
        fn see(&mut self, n: usize) {
            self.sizes.push(n);
        }
    }
    #[rep_ok(opaque(Stats))]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut stats = Stats::default();
            Self::walk(&self.root, &mut stats);
            stats.sizes.iter().sum::<usize>() == self.size && stats.red == 0
        }
        fn walk(n: &Option<Box<Node<K>>>, stats: &mut Stats) {
            let Some(n) = n else { return };
            stats.see(1);
            stats.sizes.push(0);
            stats.red += usize::from(n.color == Color::Red);
            Self::walk(&n.left, stats);
            Self::walk(&n.right, stats);
        }
    }
    trees!(1 + 3 + 2 * 9 + 5 * 27);
}

#[test]
fn moved_out_of_locals() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            struct Pair {
                a: Vec<usize>,
                b: String,
            }
            let pair = (vec![self.size], String::from("x"));
            let first = pair.0;
            let both = Pair { a: first, b: pair.1 };
            let Pair { a, b } = both;
            let again = Pair { a, b };
            let taken = again.a;
            taken == [2] && again.b.len() == 1
        }
    }
    trees!(1159);
}

#[test]
fn cells_as_local_counters() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let count = Cell::new(0);
            let log = RefCell::new(vec![]);
            let see = |n: &Node<K>| {
                count.set(count.get() + 1);
                log.borrow_mut().push(n.color);
            };
            self.root.as_deref().into_iter().for_each(see);
            count.get() == self.size && log.borrow().iter().all(|c| *c == Color::Black)
        }
    }
    trees!(1 + 1158 / 2);
}

#[test]
fn boxed_closures() {
    tree!();
    #[rep_ok(opaque(Box))]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let small: Box<dyn Fn(usize) -> bool> = Box::new(|n| n < 2);
            let checks: Vec<Box<dyn Fn(usize) -> bool>> = vec![small, Box::new(|n| n > 0)];
            checks.iter().all(|c| c(self.size))
        }
    }
    trees!(1159);
}

#[test]
fn mutable_closures_and_shadowing() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut left = self.size;
            let mut spend = || {
                if left == 0 {
                    return false;
                }
                left -= 1;
                true
            };
            let mut cursor = &self.root;
            while let Some(node) = cursor {
                let node = &**node;
                if !spend() {
                    return false;
                }
                cursor = &node.right;
            }
            left == 0
        }
    }
    trees!(1159);
}

#[test]
fn cursors_that_are_mutable_variables() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Some(mut n) = self.root.as_deref() else { return self.size == 0 };
            let mut key = &n.key;
            let mut len = 1;
            while let Some(next) = n.right.as_deref() {
                if next.key.cmp(&n.key).is_le() || n.key.eq(&next.key) || next.key.partial_cmp(key).is_none()
                {
                    return false;
                }
                n = next;
                key = &n.key;
                len += 1;
            }
            len == self.size && n.left.is_none()
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn formatted_messages() {
    tree!();
    #[rep_ok]
    impl<K: Ord + std::fmt::Debug> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Tree { root, size } = self;
            let width = 3;
            let text = format!("{size:>width$}|{size:?}|{}", self.size);
            assert!(text.len() > 4, "{size} {}", *size);
            let mut s = String::new();
            use std::fmt::Write;
            write!(s, "{0:0>1$}", size, 1).unwrap();
            let padded = format!("{:>size$}", "");
            s.len() <= 3 && padded.len() == *size && vec![*size; *size].iter().sum::<usize>() == size * size
        }
    }
    trees!(4636);
}

#[test]
fn visited_set_of_the_library() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut seen = Visited::new();
            let Some(root) = &self.root else { return self.size == 0 };
            seen.insert(&**root);
            let mut i = 0;
            while let Some(node) = seen.get(i) {
                for child in [&node.left, &node.right].into_iter().flatten() {
                    if !seen.insert(&**child) {
                        return false;
                    }
                }
                i += 1;
            }
            seen.len() == self.size
        }
    }
    trees!(1159);
}

#[test]
fn accumulators_in_closures() {
    tree!();
    #[derive(Default)]
    struct Seen {
        colors: Vec<Color>,
    }
    #[rep_ok(opaque(Seen))]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut seen = Seen::default();
            let all = self.root.iter().fold(&mut seen, |seen, n| {
                seen.colors.push(n.color);
                seen
            });
            all.colors.sort();
            let by_value = self.root.iter().fold(Seen::default(), |mut seen, n| {
                seen.colors.extend([n.color, Color::Red]);
                seen
            });
            seen.colors.len() == self.size && by_value.colors.len() == 2 * self.size
        }
    }
    trees!(1159);
}

#[test]
fn copies_of_derived_and_listed_fields() {
    #[derive(Bounded, Debug)]
    struct Measured {
        items: Vec<u8>,
        #[bounded(derived = Self::measure)]
        measured: usize,
        #[bounded(values = [0.5, 1.0, 2.0])]
        rate: f64,
    }
    #[rep_ok]
    impl Measured {
        fn rep_ok(&self) -> bool {
            let measured = self.measured;
            let twice = measured * 2;
            let rate = self.rate;
            twice + 1 >= 3 && rate > 0.5 && measured as f64 >= rate
        }
        #[mirror]
        fn measure(&self) -> usize {
            self.items.len()
        }
    }
    // One item with a rate of 1, two items with a rate of 1 or 2.
    assert_eq!(
        valid::<Measured>(&Bounds::exact().len("Measured.items", 0..=2).ints("Measured.items", 0..=1)),
        2 + 2 * 4
    );
}
