//! Patterns of structures.

use crate::*;

#[test]
fn struct_pattern_let() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Tree { root, size } = self;
            root.is_some() == (*size > 0)
        }
    }
    trees!(3475);
}

#[test]
fn struct_pattern_closure_arg() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_deref().is_none_or(|Node { left, right, .. }| left.is_none() && right.is_none())
        }
    }
    trees!(28);
}

#[test]
fn struct_pattern_fn_arg() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_deref().is_none_or(Self::leaf)
        }
        fn leaf(Node { left, right, .. }: &Node<K>) -> bool {
            left.is_none() && right.is_none()
        }
    }
    trees!(28);
}

#[test]
fn struct_pattern_nested_match() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match self.root.as_deref() {
                None => true,
                Some(Node { left: None, right: None, .. }) => self.size == 1,
                Some(Node { left: Some(l), right: None, color: Color::Red, .. }) => l.left.is_none(),
                Some(Node { .. }) => false,
            }
        }
    }
    trees!(514);
}

#[test]
fn struct_pattern_nested_if_let() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            if let Some(Node { left: Some(l), .. }) = self.root.as_deref() { l.left.is_none() } else { true }
        }
    }
    trees!(3772);
}

#[test]
fn struct_pattern_nested_let_else() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Some(Node { left: Some(l), .. }) = self.root.as_deref() else { return true };
            l.left.is_none()
        }
    }
    trees!(3772);
}

#[test]
fn tuple_scrutinee() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Some(n) = &self.root else { return true };
            match (&n.left, &n.right) {
                (None, None) => true,
                (Some(a), None) | (None, Some(a)) => a.color == Color::Red,
                (Some(a), Some(b)) => a.color == b.color,
            }
        }
    }
    trees!(2332);
}

#[test]
fn or_pattern_structs() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match self.root.as_deref() {
                Some(Node { color: Color::Red, .. }) | None => true,
                Some(Node { color: Color::Black, key: _, .. }) => self.size > 1,
            }
        }
    }
    trees!(3478);
}

#[test]
fn tuple_struct() {
    #[derive(Bounded, Debug)]
    struct P(u8, u8);
    #[rep_ok]
    impl P {
        fn rep_ok(&self) -> bool {
            let P(a, b) = self;
            a < b && self.0 < self.1
        }
    }
    assert_eq!(valid::<P>(&Bounds::exact().ints("P.0", 0..=2).ints("P.1", 0..=2)), 3);
}

#[test]
fn inline_struct_field() {
    #[derive(Bounded, Debug)]
    struct P {
        x: u8,
        y: u8,
    }
    #[derive(Bounded, Debug)]
    struct R {
        lo: P,
        hi: P,
    }
    #[rep_ok]
    impl R {
        fn rep_ok(&self) -> bool {
            let R { lo, hi } = self;
            lo.x <= hi.x && self.lo.y <= self.hi.y
        }
    }
    assert_eq!(valid::<R>(&Bounds::exact().ints("P.x", 0..=2).ints("P.y", 0..=1)), 18);
}

#[test]
fn irrefutable_patterns_inside_fields() {
    #[derive(Bounded)]
    struct Span {
        from: Pos,
        to: Pos,
        pair: (u8, bool),
    }
    #[derive(Bounded)]
    struct Pos {
        line: u8,
        column: u8,
    }
    #[rep_ok]
    impl Span {
        fn rep_ok(&self) -> bool {
            let Span { from: Pos { line: first, .. }, to: Pos { line: last, column }, pair: (n, flag) } =
                self;
            let ordered = |Span { from: Pos { line, .. }, .. }: &Span, limit: u8| *line <= limit;
            first <= last && ordered(self, *last) && Self::flagged(self) == (*flag && n == column)
        }
        fn flagged(Span { pair: (n, flag), to: Pos { column, .. }, .. }: &Span) -> bool {
            *flag && n == column
        }
    }
    let bounds = Bounds::exact().ints("Pos.line", 0..=1).ints("Pos.column", 0..=1).ints("Span.pair", 0..=1);
    assert_eq!(valid::<Span>(&bounds), 3 * 4 * 4);
}

#[test]
fn tuples_of_pointers() {
    #[derive(Bounded)]
    struct Node {
        kids: (Option<Box<Node>>, Option<Box<Node>>),
        bounds: (u8, u8),
    }
    #[rep_ok]
    impl Node {
        fn rep_ok(&self) -> bool {
            let (left, right) = &self.kids;
            let (lo, hi) = self.bounds;
            let chain = match &self.kids {
                (Some(_), Some(_)) => false,
                (Some(k), None) | (None, Some(k)) => k.rep_ok(),
                (None, None) => true,
            };
            let Node { kids: (first, _), bounds } = self;
            let (low, _) = bounds;
            chain
                && lo < hi
                && *low == self.bounds.0
                && first.is_some() == left.is_some()
                && self.kids.1.is_some() == right.is_some()
        }
    }
    let bounds = Bounds::exact().objects("Node", 2).ints("Node.bounds", 0..=1);
    assert_eq!(valid::<Node>(&bounds), 1 + 2 + 4);
}

#[test]
fn alternatives_inside_options() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match self.root.as_deref() {
                Some(Node { left: None, .. } | Node { right: None, color: Color::Red, .. }) => self.size > 1,
                Some(Node { left: Some(a), right: Some(b), .. }) if a.color != b.color => true,
                None => true,
                Some(_) => false,
            }
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn constants_ranges_and_copies() {
    const LIMIT: u8 = 1;
    #[derive(Bounded)]
    struct Item {
        weight: u8,
        tag: char,
    }
    #[rep_ok]
    impl Item {
        const NONE: u8 = 3;
        fn rep_ok(&self) -> bool {
            let Item { weight, tag } = *self;
            let by_copy = match *self {
                Item { weight: LIMIT, .. } => true,
                Item { weight: Self::NONE, tag } => tag == 'a',
                Item { weight: mut w @ 0..=2, tag: 'a' | 'b' } => {
                    w += 1;
                    w > 1
                }
                _ => false,
            };
            let by_reference = match self {
                Item { weight: LIMIT, .. } => true,
                Item { weight: Self::NONE, tag } => *tag == 'a',
                Item { weight: w @ 0..=2, tag: 'a' | 'b' } => *w > 0,
                _ => false,
            };
            by_copy == by_reference && by_copy && weight < 9 && tag != 'z'
        }
    }
    let bounds = Bounds::exact().ints("Item.weight", 0..=4).alphabet("Item.tag", "abc");
    assert_eq!(valid::<Item>(&bounds), 3 + 2 + 1);
}

#[test]
fn references_in_patterns() {
    tree!();
    #[rep_ok]
    impl<K: Ord + Copy> Tree<K> {
        fn rep_ok(&self) -> bool {
            let &Tree { ref root, size } = self;
            let keys: Vec<K> = root.as_deref().into_iter().map(|&Node { key, .. }| key).collect();
            let Some(&Node { color, ref left, .. }) = root.as_deref() else { return size == 0 };
            keys.len() == 1 && color == Color::Black && left.is_none()
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn fields_put_into_local_structs() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            struct View<'a, T> {
                root: &'a Option<T>,
                size: usize,
            }
            let Tree { ref root, size } = *self;
            let view = View { root, size };
            view.root.is_none() == (view.size == 0)
        }
    }
    trees!(1 + 3 * 1158);
}

#[test]
fn alternatives_that_bind() {
    #[derive(Bounded)]
    struct Pair {
        a: Option<u8>,
        b: Option<u8>,
    }
    #[rep_ok]
    impl Pair {
        fn rep_ok(&self) -> bool {
            let (Pair { a: Some(x), .. } | Pair { b: Some(x), .. }) = self else { return false };
            let (Pair { a: Some(mut y), .. } | Pair { b: Some(mut y), .. }) = *self else { return false };
            y += 1;
            *x > 0 && y > 1
        }
    }
    // The first is 1, or there is only the second.
    assert_eq!(valid::<Pair>(&Bounds::exact().ints("Pair.a", 0..=1).ints("Pair.b", 0..=1)), 3 + 1);
}
